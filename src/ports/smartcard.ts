import type { Kobo } from "../kernel/kobo.ts";
import type { TvProvider } from "./cable-payload.ts";
import type { Verified } from "./verified.ts";

/** The question whose smartcard it is. */
export interface SmartcardQuery {
  readonly tvProvider: TvProvider;
  readonly smartcardNumber: string;
}

/** What a vendor says of a smartcard; `not_found`: for certain none of this TV provider. */
export type SmartcardAnswer = Verified<{
  readonly customer: { readonly name: string };
  /** The TV provider's name of the card's bouquet. */
  readonly currentPlan?: string;
  /** What a renewal costs now. Absent: there is nothing to renew. */
  readonly renewalKobo?: Kobo;
  /** `YYYY-MM-DD`. */
  readonly dueDate?: string;
}>;
