import type { Vend } from "../vendors/store.repo.ts";

/** The vendor's notes on a vend. */
export interface Details {
  readonly serviceId: string;
  readonly phone: string;
  readonly variation: string | null;
  readonly commissionKobo: string;
  readonly transactionId: string;
  /** What the vendor takes from the caller besides the price. */
  readonly feeKobo?: string;
}

export const detailsOf = (vend: Vend): Details => vend.details as unknown as Details;

/** What the vendor takes from the caller: the price and its fee without the caller's commission. */
export const costKobo = (vend: Vend): bigint =>
  vend.amountKobo - BigInt(detailsOf(vend).commissionKobo) + BigInt(detailsOf(vend).feeKobo ?? 0);
