import { useQuery } from "@tanstack/react-query";
import { api, take } from "../../api/client.ts";
import { useOnce } from "../../api/once.ts";
import { useScope } from "../../api/session.ts";
import { type Again, bought, buying, CHECK, IN_TEST_MODE } from "../service/try.queries.ts";

export interface MeterDraft {
  readonly meter_number: string;
  readonly disco: string;
}

export interface ElectricityDraft extends MeterDraft {
  readonly amount: string;
  readonly to: string;
  readonly verification_id: string;
}

export function useDiscos() {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "discos"],
    queryFn: () => take(api.GET("/electricity/discos", { headers: IN_TEST_MODE })),
    staleTime: 300_000,
  });
}

export const useVerifyMeter = () =>
  useOnce((body: MeterDraft) => take(api.POST("/electricity/verify", { body, headers: IN_TEST_MODE })));

export const checkElectricity = (body: ElectricityDraft) =>
  take(
    api.POST("/electricity/purchase", {
      body: { ...body, ...CHECK },
      headers: IN_TEST_MODE,
    }),
  );

export const useBuyElectricity = () =>
  useOnce(async (body: Again<ElectricityDraft>, key) =>
    bought(await take(api.POST("/electricity/purchase", { body, headers: buying(key) }))),
  );

/** The tokens that reached the simulated meter, asked again at each new state of the purchase. */
export function useMeter(number: string | undefined, state: string | undefined) {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "meter", number, state],
    queryFn: () =>
      take(
        api.GET("/test/meters/{meter_number}", {
          params: { path: { meter_number: number ?? "" } },
          headers: IN_TEST_MODE,
        }),
      ),
    enabled: number !== undefined,
  });
}
