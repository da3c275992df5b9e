import type { PurchaseFacts, PurchasePayload, TokenParcel } from "./purchase.ts";

/** What electricity stores for its adapters. The order's `recipient` is the meter number. */
export interface ElectricityPayload extends PurchasePayload {
  readonly product: "electricity";
  /** Our code of the distribution company, see kernel/discos.ts. */
  readonly disco: string;
  readonly meter_type: "prepaid";
  /** What the customer pays for: energy, VAT and arrears together. */
  readonly amount_kobo: string;
  readonly phone: string;
  readonly customer: { readonly name: string; readonly address: string | null };
}

/** One 20-digit code that the customer types into the meter, in this order of kinds: key change first, then energy, then bonus. */
export interface ElectricityToken extends TokenParcel {
  readonly kind: "kct1" | "kct2" | "credit" | "bonus";
  /** kWh as a decimal number, digit by digit as the vendor says it. */
  readonly units_kwh?: string;
}

export interface ElectricityFacts extends PurchaseFacts {
  readonly tokens?: readonly ElectricityToken[];
  readonly breakdown?: { readonly energy?: string; readonly vat?: string; readonly arrears?: string };
  readonly units_kwh?: string;
  readonly tariff?: string;
}
