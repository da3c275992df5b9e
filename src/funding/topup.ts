import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";

export type TopupMethod = "link" | "bank_transfer";
/** An expired one becomes successful when it is paid after all. */
export type TopupState = "pending" | "successful" | "expired";

/** How to pay; empty in test mode, where nobody has to. */
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
  /** Null: a bank transfer that nobody had announced. */
  readonly requestedKobo: Kobo | null;
  readonly paidKobo: Kobo | null;
  readonly instructions: Instructions;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
}

/** True once another amount came in than was asked for. */
export const amountDiffers = ({ requestedKobo, paidKobo }: Pick<Topup, "requestedKobo" | "paidKobo">): boolean =>
  requestedKobo !== null && paidKobo !== null && requestedKobo !== paidKobo;

/** How long a payment page, or an announced transfer, is waited for. */
export const VALIDITY_SECONDS: Readonly<Record<TopupMethod, number>> = {
  link: 24 * 3_600,
  bank_transfer: 72 * 3_600, // over a week-end
};

/** A payment that was reported and that the provider does not confirm goes to the operator after this long. */
export const UNCONFIRMED_SECONDS_MAX = 72 * 3_600;

/** The wait after the 1st, 2nd … answer that settled nothing; the last one goes on. A report means that money is there. */
const ASK_AFTER_SECONDS = {
  awaited: [60, 120, 300, 600, 1_800, 3_600],
  reported: [5, 15, 30, 60, 120, 300, 600, 600, 600, 3_600],
} as const;

/** `tries`: how often it was asked so far, 1 or more. */
export function askAgainAfterSeconds(state: "awaited" | "reported", tries: number): number {
  const plan = ASK_AFTER_SECONDS[state];
  return plan[Math.min(tries, plan.length) - 1] ?? plan[0];
}
