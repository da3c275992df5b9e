import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";

export type TopupMethod = "link" | "bank_transfer";
/** An expired top-up becomes successful if it is paid later. */
export type TopupState = "pending" | "successful" | "expired";

/** Payment instructions; empty in test mode, which needs no payment. */
export interface Instructions {
  readonly url?: string;
  readonly bank?: string;
  readonly accountNumber?: string;
  readonly accountName?: string;
}

export interface Topup {
  readonly accountId: Uuid;
  readonly id: Uuid;
  readonly mode: Mode;
  readonly method: TopupMethod;
  readonly state: TopupState;
  /** Null: an unannounced bank transfer. */
  readonly requestedKobo: Kobo | null;
  readonly paidKobo: Kobo | null;
  readonly instructions: Instructions;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
}

/** True if the paid amount differs from the requested one. */
export const amountDiffers = ({ requestedKobo, paidKobo }: Pick<Topup, "requestedKobo" | "paidKobo">): boolean =>
  requestedKobo !== null && paidKobo !== null && requestedKobo !== paidKobo;

/** The time limit of a payment page or an announced transfer. */
export const VALIDITY_SECONDS: Readonly<Record<TopupMethod, number>> = {
  link: 24 * 3_600,
  bank_transfer: 72 * 3_600, // over a week-end
};

/** After this long, a reported but unconfirmed payment goes to the operator. */
export const UNCONFIRMED_SECONDS_MAX = 72 * 3_600;

/** The wait after the 1st, 2nd … inconclusive answer; the last one repeats. A report means that money has arrived. */
const ASK_AFTER_SECONDS = {
  awaited: [60, 120, 300, 600, 1_800, 3_600],
  reported: [5, 15, 30, 60, 120, 300, 600, 600, 600, 3_600],
} as const;

/** `tries`: the number of queries so far, 1 or more. */
export function askAgainAfterSeconds(state: "awaited" | "reported", tries: number): number {
  const plan = ASK_AFTER_SECONDS[state];
  return plan[Math.min(tries, plan.length) - 1] ?? plan[0];
}
