import { useThrottledCallback } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, ask, type Models, take } from "../../api/client.ts";
import { useEvents } from "../../api/events.ts";
import type { Order } from "../../api/orders.ts";
import { problemOf } from "../../api/problem.ts";
import { useMay, useScope } from "../../api/session.ts";
import { isMoving } from "../../pieces/states.ts";

/** Where no event stream is to be had. */
const LOOK_AGAIN_MS = 5_000;
const RENEW_MS = 500;

/** Everything that is read of one order stands below this. */
const useOrderKey = (id: string | undefined) => [...useScope(), "orders", "one", id];

/** The order, as long as it is looked at: it changes by the account's events. */
export function useOrder(id: string | undefined) {
  const queryKey = useOrderKey(id);
  const queries = useQueryClient();
  const renew = useThrottledCallback(() => void queries.invalidateQueries({ queryKey }), RENEW_MS);
  useEvents(({ data: { object } }) => {
    if (id !== undefined && object.id === id) renew();
  });
  return useQuery({
    queryKey,
    queryFn: () => take(api.GET("/orders/{order_id}", { params: { path: { order_id: id ?? "" } } })),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && isMoving(state.data.status) ? LOOK_AGAIN_MS : false),
  });
}

/** What it moved in the wallet. */
export function useMoney({ id, status }: Order) {
  return useQuery({
    queryKey: [...useOrderKey(id), "money", status],
    queryFn: async (): Promise<readonly Models["StatementLine"][]> => {
      const found = await take(api.GET("/wallet/transactions", { params: { query: { order: id, limit: 20 } } }));
      return typeof found === "string" ? [] : found.data; // as text it comes only to those who ask for CSV
    },
    placeholderData: (before) => before,
  });
}

export interface LoggedRequest {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly duration_ms: number;
}
export interface RequestInFull extends LoggedRequest {
  readonly request: { readonly headers: Readonly<Record<string, string>> | null; readonly body: unknown };
  readonly answer: { readonly body: unknown };
  readonly kept_until: string;
}

/** The requests that were about it. An unknown endpoint has none either: a gateway may keep no log of them. */
export function useRequests(id: string) {
  return useQuery({
    queryKey: [...useOrderKey(id), "requests"],
    queryFn: async (): Promise<readonly LoggedRequest[]> => {
      try {
        return (await ask<{ data: readonly LoggedRequest[] }>("GET", `/requests?order=${id}&limit=10`)).data;
      } catch (error) {
        if (problemOf(error).status === 404) return [];
        throw error;
      }
    },
  });
}

export function useRequest(order: string, id: string, isOpen: boolean) {
  return useQuery({
    queryKey: [...useOrderKey(order), "requests", id],
    queryFn: () => ask<RequestInFull>("GET", `/requests/${id}`),
    enabled: isOpen,
    staleTime: 300_000,
  });
}

export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly attempt: number;
  readonly status: "succeeded" | "failed";
  readonly response_status?: number;
  readonly response_start?: string;
  readonly error?: string;
  readonly duration_ms: number;
  readonly at: string;
  readonly next_attempt_at?: string;
  readonly webhook: { readonly id: string; readonly url: string };
}

/** What was told of it to the account's webhooks. Undefined: whoever looks may not see that. */
export function useDeliveries({ id, status }: Order) {
  const may = useMay("keys");
  const deliveries = useQuery({
    queryKey: [...useOrderKey(id), "deliveries", status],
    queryFn: () => ask<{ data: readonly Delivery[]; has_more: boolean }>("GET", `/deliveries?order=${id}&limit=20`),
    enabled: may,
    placeholderData: (before) => before,
  });
  return { may, deliveries };
}
