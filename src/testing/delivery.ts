import { kobo } from "../kernel/kobo.ts";
import { hasFallenBack } from "../orders/fallback.ts";
import type { Routed, ServiceDefinition } from "../orders/service-definition.ts";
import type { Step, StepTable } from "../orders/steps.ts";

/**
 * A third service that only the tests sell: a `delivery` goes by bike, and by car where nothing comes of that; what is held is
 * the price of the dearer. Charged at delivery by whatever delivered, like a chat message that falls back to an SMS.
 */

const FAILED = { to: "failed", money: "void" } as const satisfies Step;
const FALLBACK = { to: "queued" } as const satisfies Step;

const ANSWERED = {
  accepted: { to: "sending" },
  done: { to: "delivered", money: "post" },
  rejected: FAILED,
  exhausted: FAILED,
  unknown: { to: "unknown" },
  fallback: FALLBACK,
  "report:sent": { to: "sent" },
  "report:delivered": { to: "delivered", money: "post" },
  "report:failed": FAILED,
} as const satisfies Record<string, Step>;

const DELIVERY_TABLE: StepTable = {
  states: {
    queued: { final: false, hold: "pending" },
    sending: { final: false, hold: "pending" },
    unknown: { final: false, hold: "pending" },
    sent: { final: false, hold: "pending" },
    delivered: { final: false, hold: "settled" },
    seen: { final: true, hold: "settled" },
    failed: { final: true, hold: "settled" },
    cancelled: { final: true, hold: "settled" },
  },
  steps: {
    queued: {
      ...ANSWERED,
      begun: { to: "sending" },
      again: { to: "queued" },
      expired: FAILED,
      cancelled: { to: "cancelled", money: "void" },
    },
    sending: { ...ANSWERED, begun: { to: "sending" }, again: { to: "queued" } },
    unknown: { ...ANSWERED, timed_out: FAILED },
    sent: { "report:delivered": ANSWERED["report:delivered"], "report:failed": FAILED, fallback: FALLBACK },
    delivered: { "report:seen": { to: "seen" } },
  },
  published: new Set(["sent", "delivered", "seen", "failed", "cancelled", "unknown"]),
};

export interface DeliveryPayload {
  readonly from: string;
  /** Whether it may go by car at all. */
  readonly byCar: boolean;
}

export const BIKE_KOBO = kobo(300);
export const CAR_KOBO = kobo(400);

const payloadOf = ({ payload }: Routed) => payload as DeliveryPayload;

export const DELIVERY: ServiceDefinition = {
  service: "delivery",
  idPrefix: "pur",
  forget: (own) => own,
  noun: { one: "purchase", many: "purchases" },
  table: DELIVERY_TABLE,
  reports: {
    final: new Set(["seen", "failed"]),
    join: ([status]) => (["sent", "delivered", "seen", "failed"].includes(status ?? "") ? status : undefined),
    failure: (word) => (word === "failed" ? "not_delivered" : undefined),
  },
  messageWaits: () => ({ retriesMax: 1, unknownMs: () => 400 }),
  fallsBack: (order, answer) =>
    payloadOf(order).byCar &&
    !hasFallenBack(order) &&
    answer !== "cancelled" &&
    answer !== "expired" &&
    (answer !== "timed_out" || order.ambiguity === "retry"),
  taken: (order) => (hasFallenBack(order) ? CAR_KOBO : BIKE_KOBO),
  validUntil: (order) =>
    hasFallenBack(order) && order.expiresAt ? new Date(order.expiresAt.getTime() + 60_000) : order.expiresAt,
  labels: (order) => ({ vehicle: hasFallenBack(order) ? "car" : "bike" }),
};
