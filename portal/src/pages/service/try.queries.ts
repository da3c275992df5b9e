import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, type Models, take } from "../../api/client.ts";
import { useEvents } from "../../api/events.ts";
import { useRecount } from "../../api/once.ts";
import { useScope } from "../../api/session.ts";
import { isMoving } from "../../pieces/states.ts";

/** Whatever mode one looks at, what is tried here reaches simulated phones, meters and smartcards alone. */
export const IN_TEST_MODE = { "afara-mode": "test" } as const;
/** Where no event stream is to be had. */
export const LOOK_AGAIN_MS = 700;
export const TYPED_MS = 400;

/** Once, and answered at once: what follows comes as events. */
export const buying = (key: string) => ({ ...IN_TEST_MODE, "idempotency-key": key, prefer: "respond-async" });

/** The same once more within a minute has to be meant. */
export type Again<Draft> = Draft & { readonly allow_duplicate?: true };

/** Of a check, without regard to what was just bought: it is asked while one types. */
export const CHECK = { validate_only: true, allow_duplicate: true } as const;

type Answer = Models["Purchase"] | Models["PurchaseCheck"];

/** The answer to a purchase that was no `validate_only`. */
export function bought(answer: Answer): Models["Purchase"] {
  if (!("id" in answer)) throw new Error("A check was answered to a purchase.");
  return answer;
}

/** An order of any service with its timeline, until its last state. `heard`: each event besides, as a page has one stream. */
export function useOrder(id: string | undefined, heard?: (type: string) => void) {
  const [account] = useScope();
  const queries = useQueryClient();
  const recount = useRecount();
  const queryKey = [account, "test", "order", id];
  useEvents(({ type, data }) => {
    heard?.(type);
    if (id && data.object.id === id) void queries.invalidateQueries({ queryKey });
  });
  const order = useQuery({
    queryKey,
    queryFn: () =>
      take(api.GET("/orders/{order_id}", { params: { path: { order_id: id ?? "" } }, headers: IN_TEST_MODE })),
    enabled: id !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && !isMoving(state.data.status) ? false : LOOK_AGAIN_MS),
  });
  const status = order.data?.status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state of it moves money
  useEffect(() => void (status && recount()), [status]);
  return order;
}

/** What the simulated phone has got, asked again at each new state of the order. */
export function useHandset(phone: string | undefined, state: string | undefined) {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "handset", phone, state],
    queryFn: () =>
      take(api.GET("/test/handsets/{phone}", { params: { path: { phone: phone ?? "" } }, headers: IN_TEST_MODE })),
    enabled: phone !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** The play money that what is tried is paid with. */
export function useTestWallet() {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "wallet"],
    queryFn: () => take(api.GET("/wallet", { headers: IN_TEST_MODE })),
  });
}

/**
 * What a purchase would cost, asked when no more is typed. `ask` sends it with `validate_only`; without a draft, which is not
 * complete then, nothing is asked.
 */
export function useCheck<Draft>(product: string, draft: Draft | undefined, ask: (draft: Draft) => Promise<Answer>) {
  const [account] = useScope();
  const now = draft === undefined ? "" : JSON.stringify(draft);
  const [typed] = useDebouncedValue(now, TYPED_MS);
  const check = useQuery({
    queryKey: [account, "test", "check", product, typed],
    queryFn: () => ask(JSON.parse(typed) as Draft),
    enabled: typed !== "",
    staleTime: 60_000,
  });
  const isCurrent = typed === now && typed !== "";
  return { answer: isCurrent ? check.data : undefined, error: isCurrent ? check.error : null };
}
