import type { Vend } from "../vendors/store.repo.ts";

/** The vendor's notes on a vend. */
export interface Details {
  readonly serviceId: string;
  readonly phone: string;
  readonly variation: string | null;
  readonly commissionKobo: string;
  readonly transactionId: string;
}

export const detailsOf = (vend: Vend): Details => vend.details as unknown as Details;

/** What the vendor keeps of a vend's price: the rest is its cost to the caller. */
export const costKobo = (vend: Vend): bigint => vend.amountKobo - BigInt(detailsOf(vend).commissionKobo);
