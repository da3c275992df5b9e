import { useQuery } from "@tanstack/react-query";
import { api, type Models, take } from "../../api/client.ts";
import { useOnce } from "../../api/once.ts";
import { useScope } from "../../api/session.ts";
import { type Again, bought, buying, CHECK, IN_TEST_MODE } from "../service/try.queries.ts";

export type TvProvider = Models["TvProvider"];

export interface CardDraft {
  readonly smartcard_number: string;
  readonly provider: TvProvider;
}

export interface CableDraft {
  readonly provider: TvProvider;
  readonly kind: Models["CableKind"];
  readonly to: string;
  readonly smartcard_number?: string;
  readonly plan_id?: string;
  readonly verification_id?: string;
}

export function useTvProviders() {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "tv-providers"],
    queryFn: () => take(api.GET("/cable/providers", { headers: IN_TEST_MODE })),
    staleTime: 300_000,
  });
}

export function useBouquets(provider: TvProvider) {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "bouquets", provider],
    queryFn: () => take(api.GET("/cable/plans", { params: { query: { provider } }, headers: IN_TEST_MODE })),
    select: ({ data }) => data.filter(({ available }) => available),
    staleTime: 300_000,
  });
}

export const useVerifyCard = () =>
  useOnce((body: CardDraft) => take(api.POST("/cable/verify", { body, headers: IN_TEST_MODE })));

/** The card as it is since a purchase for it succeeded. */
export function usePaidCard(card: CardDraft, purchaseId: string | undefined) {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "paid-card", purchaseId],
    queryFn: () => take(api.POST("/cable/verify", { body: card, headers: IN_TEST_MODE })),
    enabled: purchaseId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const checkCable = (body: CableDraft) =>
  take(
    api.POST("/cable/purchase", {
      body: { ...body, ...CHECK },
      headers: IN_TEST_MODE,
    }),
  );

export const useBuyCable = () =>
  useOnce(async (body: Again<CableDraft>, key) =>
    bought(await take(api.POST("/cable/purchase", { body, headers: buying(key) }))),
  );
