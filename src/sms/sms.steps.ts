import type { Step, StepTable } from "../orders/steps.ts";

/**
 * The life of an SMS (state × answer → next state, money). Money is decided at `sent`: taken there, returned by every end that
 * comes before it. A report counts in every state before the end, because it may overtake the answer that it belongs to; it
 * proves that the network had taken the message, so it takes the money.
 */
const REPORTED_BEFORE_SENT = {
  "report:sent": { to: "sent", money: "post" },
  "report:delivered": { to: "delivered", money: "post" },
  "report:undelivered": { to: "undelivered", money: "post" },
  "report:expired": { to: "expired", money: "post" },
  "report:rejected": { to: "rejected", money: "post" },
} as const satisfies Record<string, Step>;

const ANSWERED = {
  accepted: { to: "sent", money: "post" },
  done: { to: "delivered", money: "post" },
  rejected: { to: "rejected", money: "void" },
  exhausted: { to: "failed", money: "void" },
  part_refused: { to: "undelivered", money: "post" },
  unknown: { to: "unknown" },
} as const satisfies Record<string, Step>;

/** Taken by the network after its money was returned: booked as our loss, never debited again. A person looks at it. */
const TAKEN_LATE = { to: "failed", money: "loss" } as const satisfies Step;
const onLateSuccess = (step: Step): Readonly<Record<string, Step>> => ({
  accepted: step,
  done: step,
  "report:sent": step,
  "report:delivered": step,
});

export const SMS_STEPS: StepTable = {
  states: {
    scheduled: { final: false, hold: "pending" },
    queued: { final: false, hold: "pending" },
    sending: { final: false, hold: "pending" },
    unknown: { final: false, hold: "pending" },
    sent: { final: false, hold: "settled" },
    delivered: { final: true, hold: "settled" },
    undelivered: { final: true, hold: "settled" },
    expired: { final: true, hold: "settled" },
    rejected: { final: true, hold: "settled" },
    failed: { final: true, hold: "settled" },
    cancelled: { final: true, hold: "settled" },
  },
  steps: {
    scheduled: {
      woken: { to: "queued" },
      exhausted: ANSWERED.exhausted,
      deferred: { to: "scheduled" },
      cancelled: { to: "cancelled", money: "void" },
      expired: { to: "expired", money: "void" },
      suspended: { to: "failed", money: "void" },
      // Deferred after an answer was lost or a part was taken: the vendor's later answers to that attempt count.
      accepted: ANSWERED.accepted,
      done: ANSWERED.done,
      unknown: ANSWERED.unknown,
      ...REPORTED_BEFORE_SENT,
    },
    queued: {
      begun: { to: "sending" },
      again: { to: "queued" },
      deferred: { to: "scheduled" },
      cancelled: { to: "cancelled", money: "void" },
      expired: { to: "expired", money: "void" },
      suspended: { to: "failed", money: "void" },
      ...ANSWERED,
      ...REPORTED_BEFORE_SENT,
    },
    sending: {
      begun: { to: "sending" },
      again: { to: "queued" },
      expired: { to: "expired", money: "void" },
      ...ANSWERED,
      ...REPORTED_BEFORE_SENT,
    },
    unknown: {
      accepted: ANSWERED.accepted,
      done: ANSWERED.done,
      timed_out: { to: "failed", money: "void" },
      ...REPORTED_BEFORE_SENT,
    },
    sent: {
      "report:delivered": { to: "delivered" },
      "report:undelivered": { to: "undelivered" },
      "report:expired": { to: "expired" },
      "report:rejected": { to: "rejected" },
    },
    delivered: {},
    undelivered: {},
    expired: {},
    rejected: {},
    failed: onLateSuccess(TAKEN_LATE),
    // An earlier attempt without an answer may have been sent before the order was cancelled.
    cancelled: onLateSuccess({ ...TAKEN_LATE, to: "cancelled" }),
  },
  published: new Set(["sent", "delivered", "undelivered", "expired", "rejected", "failed", "cancelled", "unknown"]),
};
