import { HOUR_MS } from "../kernel/duration.ts";
import { afterQuietHours } from "../kernel/lagos.ts";
import type { Order } from "../orders/order.ts";
import type { MessageWaits, ServiceDefinition } from "../orders/service-definition.ts";
import { SMS_LABEL_VALUES, smsLabels } from "../ports/sms-fallback.ts";
import { SMS_FAILURES, type SmsPayload, type SmsReportStatus } from "../ports/sms-payload.ts";
import { forgetBulk, forgetSms } from "./sms.personal.ts";
import { SMS_STEPS } from "./sms.steps.ts";

/** What is stored of a message besides what its adapter needs. */
export interface StoredSms extends SmsPayload {
  readonly network_guess: string | null;
  /** What happens to a promotional message outside the permitted hours. */
  readonly quiet_hours: "schedule" | "fail";
  /** Set when the text is a secret: what `text` stands for. See `SmsSeal`. */
  readonly sealed_text?: string;
  /** Set when it was accepted for later. */
  readonly scheduled?: true;
}

export const storedSms = (order: Pick<Order, "payload">): StoredSms => order.payload as StoredSms;

/** The state that the acceptance was answered with: a repeated request gets the same answer. */
export const acceptedState = (order: Pick<Order, "payload">): "scheduled" | "queued" =>
  storedSms(order).scheduled ? "scheduled" : "queued";

/**
 * When a scheduled message will leave: its `send_at`, or the end of the quiet hours that it would meet then. One that was
 * put off when its time had come waits from its last change on.
 */
export function leavesAt(order: Pick<Order, "payload" | "sendAt">, changedAt: Date): Date {
  const from = order.sendAt !== null && order.sendAt > changedAt ? order.sendAt : changedAt;
  return storedSms(order).route === "promotional" ? afterQuietHours(from) : from;
}

/** A lost answer waits for a report until the validity has run out and an hour more; in test mode ten seconds. */
const LIVE: MessageWaits = {
  retriesMax: 2,
  unknownMs: (order, now) => Math.max((order.expiresAt?.getTime() ?? now.getTime()) - now.getTime(), 0) + HOUR_MS,
};
const TEST: MessageWaits = { ...LIVE, unknownMs: () => 10_000 };

export const SMS: ServiceDefinition = {
  service: "sms",
  idPrefix: "msg",
  noun: { one: "send", many: "messages" },
  table: SMS_STEPS,
  reports: {
    final: new Set<SmsReportStatus>(["delivered", "undelivered", "expired", "rejected"]),
    /** Delivered when all parts are; any part's failure is the message's; undecided while a part may not have been taken. */
    join(statuses) {
      const failed = statuses.find((status) => status in SMS_FAILURES);
      if (failed) return failed;
      if (statuses.some((status) => status === "open" || status === "unanswered")) return undefined;
      return statuses.every((status) => status === "delivered") ? "delivered" : "sent";
    },
    failure: (word) => SMS_FAILURES[word],
  },
  messageWaits: (mode) => (mode === "test" ? TEST : LIVE),
  beforeSend(order, now) {
    const { route, quiet_hours } = storedSms(order);
    if (route !== "promotional") return undefined;
    const opensAt = afterQuietHours(now);
    if (opensAt.getTime() === now.getTime()) return undefined;
    if (quiet_hours === "schedule") return { deferUntil: opensAt };
    return { fail: "quiet_hours", detail: "Its time came between 20:00 and 08:00 in Lagos, and it was not to wait." };
  },
  labels: (order) => smsLabels(storedSms(order)),
  labelValues: SMS_LABEL_VALUES,
  forget: forgetSms,
  forgetGroup: forgetBulk,
};
