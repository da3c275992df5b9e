import type { Network } from "../kernel/networks.ts";

/**
 * What a purchase stores for its adapters: the port between the services that sell (airtime, data, electricity) and every
 * vendor. Amounts are digits of kobo, as JSON has no bigint. The order's `recipient` is the phone (E.164 without `+`) or, for
 * electricity, the meter number.
 */
export type PurchasePayload = AirtimePayload | DataPayload | ElectricityPayload;

export interface AirtimePayload {
  readonly product: "airtime";
  readonly network: Network;
  /** Face value: what the phone must receive. Whole naira. */
  readonly amount_kobo: string;
}

export interface DataPayload {
  readonly product: "data";
  readonly network: Network;
  readonly plan: {
    /** Ours, as subscribers know it. */
    readonly id: string;
    /** The vendor's own code of the plan, at the one provider that sells it. */
    readonly code: string;
    readonly provider: string;
    readonly name: string;
    /** What the vendor asks for it, as far as the catalogue knew when it was bought. */
    readonly cost_kobo: string;
  };
}

export interface ElectricityPayload {
  readonly product: "electricity";
  /** Our code of the distribution company, see kernel/discos.ts. */
  readonly disco: string;
  readonly meter_type: "prepaid";
  /** What the customer pays for: energy, VAT and arrears together. */
  readonly amount_kobo: string;
  /** Of the customer, E.164 without `+`. */
  readonly phone: string;
  readonly customer: { readonly name: string; readonly address: string | null };
}

/** One 20-digit code that the customer types into the meter, in this order of kinds: key change first, then energy, then bonus. */
export interface TokenParcel {
  readonly kind: "kct1" | "kct2" | "credit" | "bonus";
  /** 20 digits, without spaces. */
  readonly value: string;
  /** kWh as a decimal number, digit by digit as the vendor says it. */
  readonly units_kwh?: string;
}

/** What a vendor's answer may teach of a purchase, in `facts`. Naira are decimal strings with two places. */
export interface PurchaseFacts {
  /** The network that the vendor found the number on: no guess any more. */
  readonly network?: Network;
  readonly tokens?: readonly TokenParcel[];
  readonly breakdown?: { readonly energy?: string; readonly vat?: string; readonly arrears?: string };
  readonly units_kwh?: string;
  readonly receipt_number?: string;
  readonly tariff?: string;
  /** What the vendor took from our float. */
  readonly cost?: string;
  /** What the customer got by the vendor's word, where that is less than what was bought. */
  readonly delivered_amount?: string;
}
