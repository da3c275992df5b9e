import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { api, type Models, take } from "../../api/client.ts";
import { useOnce } from "../../api/once.ts";
import { useScope } from "../../api/session.ts";
import { type Again, bought, buying, CHECK, IN_TEST_MODE, TYPED_MS } from "../service/try.queries.ts";

export interface TopUp {
  readonly to: string;
  readonly amount: string;
}

export interface Bundle {
  readonly to: string;
  readonly plan_id: string;
}

export const checkTopUp = (body: TopUp) =>
  take(api.POST("/airtime/topup", { body: { ...body, ...CHECK }, headers: IN_TEST_MODE }));

export const checkBundle = (body: Bundle) =>
  take(api.POST("/airtime/data", { body: { ...body, ...CHECK }, headers: IN_TEST_MODE }));

export const useTopUp = () =>
  useOnce(async (body: Again<TopUp>, key) =>
    bought(await take(api.POST("/airtime/topup", { body, headers: buying(key) }))),
  );

export const useBundle = () =>
  useOnce(async (body: Again<Bundle>, key) =>
    bought(await take(api.POST("/airtime/data", { body, headers: buying(key) }))),
  );

/** Plans of all networks: a number may have been ported, so that its prefix decides nothing. */
export function useDataPlans() {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "data-plans"],
    queryFn: () => take(api.GET("/airtime/data/plans", { headers: IN_TEST_MODE })),
    select: ({ data }) => data.filter(({ available }) => available),
    staleTime: 300_000,
  });
}

/** The network of a number's prefix, as the gateway sees it; nothing while it is no number yet. */
export function useNetworkOf(typed: string): Models["Network"] | undefined {
  const [account] = useScope();
  const [to] = useDebouncedValue(typed.trim(), TYPED_MS);
  const { data } = useQuery({
    queryKey: [account, "test", "network", to],
    queryFn: () => take(api.GET("/airtime/data/plans", { params: { query: { to } }, headers: IN_TEST_MODE })),
    enabled: to.length >= 10,
    staleTime: 300_000,
  });
  return data?.data[0]?.network;
}

export const NETWORKS: Readonly<Record<Models["Network"], string>> = {
  mtn: "MTN",
  airtel: "Airtel",
  glo: "Glo",
  "9mobile": "9mobile",
};
