import type { Network } from "../kernel/networks.ts";
import type { PurchaseFacts, PurchasePayload } from "./purchase.ts";

/** What airtime and data store for their adapters. The order's `recipient` is the phone, E.164 without `+`. */

export interface AirtimePayload extends PurchasePayload {
  readonly product: "airtime";
  readonly network: Network;
  /** The network was guessed from the number's first digits. */
  readonly network_guessed?: true;
  /** Face value: what the phone must receive. Whole naira. */
  readonly amount_kobo: string;
}

export interface DataPayload extends PurchasePayload {
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

export interface AirtimeFacts extends PurchaseFacts {
  /** The network that the vendor found the number on: no guess any more. */
  readonly network?: Network;
}
