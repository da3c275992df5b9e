import type { MessageWaits, PurchaseWaits, ServiceDefinition } from "../orders/service-definition.ts";
import type { Step, StepTable } from "../orders/steps.ts";

/**
 * Two services that only the tests sell: `parcel` is paid when a carrier takes it and reported later, like a message;
 * `topup` is paid when it is proven and asked after until it is, like a purchase. Their waits are short.
 */

const TAKEN = {
  accepted: { to: "sent", money: "post" },
  done: { to: "delivered", money: "post" },
  rejected: { to: "rejected", money: "void" },
  exhausted: { to: "failed", money: "void" },
  part_refused: { to: "lost", money: "post" },
  unknown: { to: "unknown" },
  "report:sent": { to: "sent", money: "post" },
  "report:delivered": { to: "delivered", money: "post" },
  "report:lost": { to: "lost", money: "post" },
} as const satisfies Record<string, Step>;

const UNSENT = {
  again: { to: "queued" },
  cancelled: { to: "cancelled", money: "void" },
  expired: { to: "expired", money: "void" },
  suspended: { to: "failed", money: "void" },
} as const satisfies Record<string, Step>;

/** The carrier had it after all. */
const LATE = { to: "failed", money: "loss" } as const satisfies Step;

const PARCEL_TABLE: StepTable = {
  states: {
    scheduled: { final: false, hold: "pending" },
    queued: { final: false, hold: "pending" },
    sending: { final: false, hold: "pending" },
    unknown: { final: false, hold: "pending" },
    sent: { final: false, hold: "settled" },
    delivered: { final: true, hold: "settled" },
    lost: { final: true, hold: "settled" },
    rejected: { final: true, hold: "settled" },
    failed: { final: true, hold: "settled" },
    cancelled: { final: true, hold: "settled" },
    expired: { final: true, hold: "settled" },
  },
  steps: {
    scheduled: { ...UNSENT, woken: { to: "queued" } },
    queued: { ...UNSENT, ...TAKEN, begun: { to: "sending" } },
    sending: { ...TAKEN, begun: { to: "sending" }, again: { to: "queued" }, expired: UNSENT.expired },
    unknown: {
      accepted: TAKEN.accepted,
      done: TAKEN.done,
      timed_out: { to: "failed", money: "void" },
      "report:sent": TAKEN["report:sent"],
      "report:delivered": TAKEN["report:delivered"],
      "report:lost": TAKEN["report:lost"],
    },
    sent: { "report:delivered": { to: "delivered" }, "report:lost": { to: "lost" } },
    failed: { accepted: LATE, done: LATE, "report:sent": LATE, "report:delivered": LATE },
  },
  published: new Set(["sent", "delivered", "lost", "rejected", "failed", "cancelled", "expired", "unknown"]),
};

const MESSAGE_WAITS: MessageWaits = { retriesMax: 2, unknownMs: () => 400 };
const PURCHASE_WAITS: PurchaseWaits = {
  requeryMs: () => 30,
  notFoundApartMs: 200,
  settleMs: 0,
};

export const PARCEL: ServiceDefinition = {
  service: "parcel",
  idPrefix: "pur",
  forget: (own) => own,
  noun: { one: "purchase", many: "purchases" },
  table: PARCEL_TABLE,
  reports: {
    final: new Set(["delivered", "lost"]),
    join(statuses) {
      if (statuses.includes("lost")) return "lost";
      if (statuses.some((status) => status === "open" || status === "unanswered")) return undefined;
      return statuses.every((status) => status === "delivered") ? "delivered" : "sent";
    },
    failure: (word) => (word === "lost" ? "not_delivered" : undefined),
  },
  messageWaits: () => MESSAGE_WAITS,
  purchaseWaits: () => PURCHASE_WAITS,
};

const ENDED = {
  done: { to: "successful", money: "post" },
  "report:done": { to: "successful", money: "post" },
  rejected: { to: "failed", money: "void" },
  exhausted: { to: "failed", money: "void" },
  reversed: { to: "failed", money: "void" },
} as const satisfies Record<string, Step>;

export const TOPUP: ServiceDefinition = {
  service: "topup",
  idPrefix: "pur",
  forget: (own) => own,
  noun: { one: "purchase", many: "purchases" },
  table: {
    states: {
      queued: { final: false, hold: "pending" },
      processing: { final: false, hold: "pending" },
      incomplete: { final: false, hold: "pending" },
      successful: { final: true, hold: "settled" },
      reversed: { final: true, hold: "settled" },
      failed: { final: true, hold: "settled" },
      expired: { final: true, hold: "settled" },
    },
    steps: {
      queued: {
        ...ENDED,
        begun: { to: "processing" },
        again: { to: "queued" },
        expired: { to: "expired", money: "void" },
        suspended: { to: "failed", money: "void" },
      },
      processing: {
        ...ENDED,
        begun: { to: "processing" },
        accepted: { to: "processing" },
        incomplete: { to: "incomplete" },
        unknown: { to: "processing" },
        again: { to: "queued" },
        suspended: { to: "failed", money: "void" },
      },
      incomplete: ENDED,
      successful: {
        reversed: { to: "reversed", money: "refund" },
        "report:reversed": { to: "reversed", money: "refund" },
      },
      failed: {
        done: { to: "failed", money: "loss" },
        reversed: { to: "failed", money: "loss_undone" },
        "report:done": { to: "failed", money: "loss" },
      },
    },
    published: new Set(["processing", "successful", "reversed", "failed"]),
  },
  reports: {
    final: new Set(["done", "reversed"]),
    join: (statuses) => statuses[0],
    failure: () => undefined,
  },
  messageWaits: () => MESSAGE_WAITS,
  purchaseWaits: () => PURCHASE_WAITS,
  labels: ({ payload }) => choiceOf(payload).labels ?? {},
  boundTo: ({ payload }) => choiceOf(payload).bound,
};

/** What of a top-up's payload chooses its routes. */
interface Choice {
  readonly labels?: Readonly<Record<string, string>>;
  readonly bound?: string;
}
const choiceOf = (payload: unknown): Choice => payload as Choice;
