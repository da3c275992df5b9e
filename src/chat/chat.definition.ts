import { DAY_MS } from "../kernel/duration.ts";
import type { FailureCode } from "../kernel/failures.ts";
import { afterQuietHours } from "../kernel/lagos.ts";
import { fellBackAt } from "../orders/fallback.ts";
import type { Order } from "../orders/order.ts";
import type { MessageWaits, ServiceDefinition } from "../orders/service-definition.ts";
import type { ChatPayload, ChatReportStatus } from "../ports/chat-payload.ts";
import { SMS_LABEL_VALUES, smsLabels } from "../ports/sms-fallback.ts";
import { SMS_FAILURES } from "../ports/sms-payload.ts";
import { forgetChat } from "./chat.personal.ts";
import { CHAT_STEPS } from "./chat.steps.ts";
import { activeFallback, type ChatCategory, chargedFor, fallsBack, type StoredFallback, viaOf } from "./fallback.ts";

/** What is stored of a message besides what its adapter needs. */
export interface StoredChat extends ChatPayload {
  /** Who has the number that it is written from: no other provider can send it. */
  readonly provider: string;
  readonly category: ChatCategory;
  /** It may leave only while the recipient's window is open: the database looks at this when it is accepted. */
  readonly needs_window: boolean;
  /** Our id of the file, where it was uploaded. */
  readonly media_id?: string;
  /** The link as it was given, where it was fetched. */
  readonly media_url?: string;
  /** Our id of the message that it answers. */
  readonly reply_to?: string;
  readonly fallback?: StoredFallback;
  /** The text that leaves, where it is a secret: `content` then has what may be shown of it. See `ChatSeal`. */
  readonly sealed_body?: string;
}

export const storedChat = (order: Pick<Order, "payload">): StoredChat => order.payload as StoredChat;

/** A lost answer waits for a report; Meta reports within seconds, or when the phone is on again. In test mode four seconds. */
const LIVE: MessageWaits = {
  retriesMax: 2,
  retryMs: 10_000, // Meta's status of what it took carries our reference, and mostly comes by then
  unknownMs: () => DAY_MS,
};
const TEST: MessageWaits = { ...LIVE, retryMs: 2_000, unknownMs: () => 4_000 };

/** Meta drops what it could not deliver in 30 days, and says nothing more. In test mode 20 seconds are 30 days. */
const SILENT_MS = { live: 30 * DAY_MS, test: 20_000 } as const;
const NOT_DELIVERED = { code: "not_delivered", detail: "It was not delivered within 30 days." } as const;

/** Failures by reported status, of the message or of the SMS that is its fallback. */
const FAILURES: Readonly<Record<string, FailureCode>> = { failed: "not_delivered", ...SMS_FAILURES };

export const CHAT: ServiceDefinition = {
  service: "chat",
  idPrefix: "msg",
  noun: { one: "send", many: "messages" },
  table: CHAT_STEPS,
  reports: {
    final: new Set(["read", ...Object.keys(FAILURES)]),
    /** A chat message is one piece; an SMS as its fallback is delivered when all its parts are. */
    join(statuses) {
      const failed = statuses.find((status) => FAILURES[status] !== undefined);
      if (failed !== undefined) return failed;
      if (!statuses.every((status) => WORDS.has(status))) return undefined;
      return ["sent", "taken"].some((word) => statuses.includes(word)) ? "sent" : statuses[0];
    },
    failure: (word) => FAILURES[word],
  },
  messageWaits: (mode) => (mode === "test" ? TEST : LIVE),
  stateTimeout: (state, mode) =>
    state === "sending" || state === "sent" ? { ms: SILENT_MS[mode], failure: NOT_DELIVERED } : undefined,
  fallsBack,
  taken: chargedFor,
  validUntil(order) {
    const since = fellBackAt(order);
    return since ? new Date(since.getTime() + VALID_MS) : order.expiresAt;
  },
  beforeSend(order, now) {
    const fallback = activeFallback(order);
    if (fallback?.via !== "sms" || fallback.sms.route !== "promotional") return undefined;
    const opensAt = afterQuietHours(now);
    return opensAt > now ? { deferUntil: opensAt } : undefined;
  },
  labels(order) {
    const fallback = activeFallback(order);
    return fallback?.via === "sms" ? smsLabels(fallback.sms) : { channel: "chat" };
  },
  labelValues: { ...SMS_LABEL_VALUES, channel: ["sms", "chat"] },
  senderOf(order) {
    const fallback = activeFallback(order);
    return fallback?.via === "sms" ? fallback.sms.from : storedChat(order).from;
  },
  boundTo: (order) => (viaOf(order) === "chat" ? storedChat(order).provider : undefined),
  forget: forgetChat,
  unsent: { code: "not_sent_in_time", detail: "The vendor was not able to take it for 24 hours." },
};

const WORDS: ReadonlySet<string> = new Set<ChatReportStatus | "taken">(["taken", "sent", "delivered", "read"]);

/** How long a message may wait for its vendor. */
export const VALID_MS = DAY_MS;
