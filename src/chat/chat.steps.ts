import type { Step, StepTable } from "../orders/steps.ts";

/**
 * The life of a chat message (state × answer → next state, money). A vendor's acceptance promises nothing: the message stays
 * `sending` until it reports. Money is taken for what was delivered (`read` implies it) and returned at `failed`. A report counts
 * in every state before the end, because it may overtake the answer that it belongs to.
 */
const REPORTED = {
  "report:sent": { to: "sent" },
  "report:delivered": { to: "delivered", money: "post" },
  "report:read": { to: "read", money: "post" },
  "report:failed": { to: "failed", money: "void" },
  // Reports on an SMS that is the fallback.
  "report:undelivered": { to: "failed", money: "void" },
  "report:expired": { to: "failed", money: "void" },
  "report:rejected": { to: "failed", money: "void" },
} as const satisfies Record<string, Step>;

const { "report:sent": _, ...AFTER_SENT } = REPORTED;

const ANSWERED = {
  accepted: { to: "sending" },
  done: { to: "delivered", money: "post" },
  rejected: { to: "failed", money: "void" },
  exhausted: { to: "failed", money: "void" },
  part_refused: { to: "failed", money: "void" },
  unknown: { to: "unknown" },
} as const satisfies Record<string, Step>;

const GIVEN_UP = { to: "failed", money: "void" } as const satisfies Step;

/** Delivered after its money was returned: booked as our loss, never debited again. A person looks at it. */
const DELIVERED_LATE = { to: "failed", money: "loss" } as const satisfies Step;

/** The fallback waits in the queue. */
const FALLBACK = { to: "queued" } as const satisfies Step;

export const CHAT_STEPS: StepTable = {
  states: {
    queued: { final: false, hold: "pending" },
    sending: { final: false, hold: "pending" },
    unknown: { final: false, hold: "pending" },
    sent: { final: false, hold: "pending" },
    delivered: { final: true, hold: "settled" },
    read: { final: true, hold: "settled" },
    failed: { final: true, hold: "settled" },
  },
  steps: {
    queued: {
      begun: { to: "sending" },
      again: { to: "queued" },
      deferred: { to: "queued" },
      fallback: FALLBACK,
      expired: GIVEN_UP,
      suspended: GIVEN_UP,
      ...ANSWERED,
      ...REPORTED,
    },
    sending: {
      begun: { to: "sending" },
      again: { to: "queued" },
      fallback: FALLBACK,
      timed_out: GIVEN_UP,
      ...ANSWERED,
      ...REPORTED,
    },
    unknown: {
      accepted: ANSWERED.accepted,
      done: ANSWERED.done,
      fallback: FALLBACK,
      timed_out: GIVEN_UP,
      ...REPORTED,
    },
    // The second try failed; the first may still arrive.
    sent: { ...AFTER_SENT, unknown: ANSWERED.unknown, fallback: FALLBACK, timed_out: GIVEN_UP },
    delivered: { "report:read": { to: "read" } },
    read: {},
    failed: { done: DELIVERED_LATE, "report:delivered": DELIVERED_LATE, "report:read": DELIVERED_LATE },
  },
  published: new Set(["sent", "delivered", "read", "failed", "unknown"]),
};
