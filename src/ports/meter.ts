import type { Kobo } from "../kernel/kobo.ts";
import type { Verified } from "./verified.ts";

/** The question whose meter it is. */
export interface MeterQuery {
  /** Our code of the disco, see kernel/discos.ts. */
  readonly disco: string;
  readonly meterNumber: string;
  readonly meterType: "prepaid" | "postpaid";
}

/** What a vendor says of a meter; `not_found`: for certain none of this disco and type. */
export type MeterAnswer = Verified<{
  readonly meterType: "prepaid" | "postpaid";
  readonly customer: { readonly name: string; readonly address: string | null };
  readonly tariff?: string;
  readonly arrearsKobo?: Kobo;
  readonly minimumKobo?: Kobo;
  readonly maximumKobo?: Kobo;
}>;
