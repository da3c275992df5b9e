import type { Step, StepTable } from "../orders/steps.ts";

/**
 * The life of a purchase, one table for whatever is bought. Money is decided by proof alone: taken when the vendor
 * has delivered, returned when it certainly has not. Until then the order stays `processing` with its hold, however long.
 * `token_pending` is shown to subscribers as `processing`: the vendor reports delivery, but the token has not come.
 */
const PROOF = {
  done: { to: "successful", money: "post" },
  rejected: { to: "failed", money: "void" },
  exhausted: { to: "failed", money: "void" },
  reversed: { to: "failed", money: "void" },
} as const satisfies Record<string, Step>;

export const PURCHASE_STEPS: StepTable = {
  states: {
    processing: { final: false, hold: "pending" },
    token_pending: { final: false, hold: "pending" },
    successful: { final: true, hold: "settled" },
    failed: { final: true, hold: "settled" },
    reversed: { final: true, hold: "settled" },
  },
  steps: {
    processing: {
      begun: { to: "processing" },
      again: { to: "processing" },
      accepted: { to: "processing" },
      unknown: { to: "processing" },
      incomplete: { to: "token_pending" },
      // Never sent: no vendor took it in time, or the account was suspended.
      expired: { to: "failed", money: "void" },
      suspended: { to: "failed", money: "void" },
      ...PROOF,
    },
    // No step `again`: what a vendor called delivered is never bought again elsewhere.
    token_pending: PROOF,
    successful: { reversed: { to: "reversed", money: "refund" } },
    // Delivered after the money was returned: booked as our loss, never debited again. A person looks at it.
    failed: { done: { to: "failed", money: "loss" }, reversed: { to: "failed", money: "loss_undone" } },
    reversed: {},
  },
  published: new Set(["successful", "failed", "reversed", "token_pending"]),
};

/** The state as subscribers know it. */
export const purchaseStatus = (state: string): string => (state === "token_pending" ? "processing" : state);
