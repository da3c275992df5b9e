import type { PurchasePayload } from "./purchase.ts";

/** Our codes of the TV providers. Stored in orders: never renamed. */
export const TV_PROVIDERS = ["dstv", "gotv", "startimes", "showmax"] as const;
export type TvProvider = (typeof TV_PROVIDERS)[number];

export const isTvProvider = (text: string): text is TvProvider => (TV_PROVIDERS as readonly string[]).includes(text);

/**
 * What cable TV stores for its adapters. The order's `recipient` is the smartcard number or, where the TV provider has no cards
 * (Showmax), the phone.
 */
export type CablePayload = RenewalPayload | BouquetPayload;

interface CablePurchase extends PurchasePayload {
  readonly product: "cable";
  readonly tv_provider: TvProvider;
  /** A renewal costs what the verification named, a bouquet its list price. */
  readonly amount_kobo: string;
  readonly phone: string;
  /** By the verification; absent where the TV provider has none. */
  readonly customer?: { readonly name: string };
}

/** The bouquet that the card has, once more. */
export interface RenewalPayload extends CablePurchase {
  readonly kind: "renew";
}

export interface BouquetPayload extends CablePurchase {
  readonly kind: "change";
  readonly plan: {
    /** Ours, as subscribers know it. */
    readonly id: string;
    /** The vendor's own code of the bouquet, at the one provider that sells it. */
    readonly code: string;
    readonly provider: string;
    readonly name: string;
    /** What the vendor asks for it, as far as the catalogue knew when it was bought. */
    readonly cost_kobo: string;
  };
}
