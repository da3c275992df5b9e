import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, take } from "./client.ts";
import { useScope } from "./session.ts";

/** What several pages read, each once for an account and mode. */
export function useServices() {
  const scope = useScope();
  return useQuery({ queryKey: [...scope, "services"], queryFn: () => take(api.GET("/services")), staleTime: 300_000 });
}

export function useSubscriptions() {
  const scope = useScope();
  return useQuery({ queryKey: [...scope, "subscriptions"], queryFn: () => take(api.GET("/subscriptions")) });
}

export function useWallet() {
  const scope = useScope();
  return useQuery({ queryKey: [...scope, "wallet"], queryFn: () => take(api.GET("/wallet")) });
}

export function useLimits() {
  const scope = useScope();
  return useQuery({ queryKey: [...scope, "limits"], queryFn: () => take(api.GET("/limits")) });
}

export type UsageBy = "day" | "service" | "status";

export function useUsage(by: UsageBy, from: string, to: string) {
  const scope = useScope();
  return useQuery({
    queryKey: [...scope, "usage", by, from, to],
    queryFn: () => take(api.GET("/usage", { params: { query: { by, from, to } } })),
    placeholderData: keepPreviousData,
  });
}

/** A service's days. */
export function useServiceMonth(
  service: "sms" | "chat" | "airtime" | "electricity" | "cable",
  from: string,
  to: string,
) {
  const scope = useScope();
  return useQuery({
    queryKey: [...scope, "usage", service, from, to],
    queryFn: () => take(api.GET("/usage", { params: { query: { by: "day", service, from, to } } })),
  });
}

/** The newest orders. */
export function useLatestOrders(limit: number) {
  const scope = useScope();
  return useQuery({
    queryKey: [...scope, "orders", "latest", limit],
    queryFn: () => take(api.GET("/orders", { params: { query: { limit } } })),
  });
}
