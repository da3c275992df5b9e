import { attemptState } from "../orders/attempt.ts";
import { type Answered, decideOutcome } from "../orders/decide.ts";
import { decideDue } from "../orders/decide-due.ts";
import { decideLateOutcome } from "../orders/decide-late.ts";
import { decideRequery } from "../orders/decide-requery.ts";
import type { Change, Order, Piece } from "../orders/order.ts";
import type { ServiceDefinition, Stop } from "../orders/service-definition.ts";
import type { MoneyMove } from "../orders/steps.ts";
import type { Outcome } from "../ports/provider.ts";
import { PURCHASE_STEPS } from "../purchases/purchase.steps.ts";
import { purchaseWaits } from "../purchases/purchase.waits.ts";
import { TOPUP } from "./parcel.ts";
import { SMS_ORDER } from "./sms-order.ts";

/**
 * Purchases in each state of their attempt, the vendors' answers, and what became of it in words. The call left at 09:00, the answer
 * comes at 09:12, the purchase may be sent until 09:15, and another vendor is left. Waits are those of live mode.
 */

export const at = (time: string) => new Date(`2026-11-27T${time.length === 5 ? `${time}:00` : time}.000Z`);
const CALLED = at("09:00");
const NOW = at("09:12");
const SERVICE: ServiceDefinition = { ...TOPUP, table: PURCHASE_STEPS, purchaseWaits };

export const order = (columns: Partial<Order>): Order => ({
  ...SMS_ORDER,
  mode: "live",
  service: "topup",
  queue: "topup:live",
  state: "processing",
  ambiguity: "requery",
  attempt: 1,
  route: "north",
  attemptReference: "our-1",
  createdAt: CALLED,
  expiresAt: at("09:15"),
  ...columns,
});
const piece = (status: Piece["status"]): Partial<Order> => ({ pieces: [{ status }] });
const UNDER_WAY: Partial<Order> = { begunAt: CALLED };
const IN_DOUBT: Partial<Order> = { ambiguousAt: at("09:01"), tries: 1 };
const TOO_LATE: Partial<Order> = { createdAt: at("08:55"), expiresAt: at("09:10") };
const ENDED: Partial<Order> = { ...IN_DOUBT, ...piece("unanswered"), endedAt: at("09:08") };

const BEGUN = {
  begun: order({ ...UNDER_WAY, ...piece("open") }),
  "begun, too late to be sent": order({ ...UNDER_WAY, ...TOO_LATE, ...piece("open") }),
  repeated: order({ ...UNDER_WAY, ...piece("unheard") }),
  "repeated, too late to be sent": order({ ...UNDER_WAY, ...TOO_LATE, ...piece("unheard") }),
};

/** When the vendor answers the call. By name; the name begins with the state of the attempt. */
export const CALLS = {
  ...BEGUN,
  "doubted, as a hint came while it was repeated": order({
    ...UNDER_WAY,
    ambiguousAt: at("09:11"),
    ...piece("unheard"),
  }),
  "taken, as a signed callback came before the answer": order({
    ...UNDER_WAY,
    ambiguousAt: at("09:11"),
    ...piece("taken"),
  }),
};

/** When the vendor answers a question. */
export const QUESTIONS = {
  ...BEGUN,
  "to_repeat, too late to be sent": order({ ...TOO_LATE, ...piece("unheard") }),
  doubted: order({ ...IN_DOUBT, ...piece("open") }),
  "doubted, not found at 09:06": order({ ...IN_DOUBT, notFoundAt: at("09:06"), ...piece("open") }),
  "doubted, not found at 09:06, too late to be sent": order({
    ...IN_DOUBT,
    ...TOO_LATE,
    notFoundAt: at("09:06"),
    ...piece("open"),
  }),
  unanswered: order({ ...IN_DOUBT, ...piece("unanswered") }),
  "unanswered, not found at 09:06": order({ ...IN_DOUBT, notFoundAt: at("09:06"), ...piece("unanswered") }),
  "unanswered, not found at 09:08": order({ ...IN_DOUBT, notFoundAt: at("09:08"), ...piece("unanswered") }),
  "unanswered, its call refused as failed at 09:01": order({
    ...IN_DOUBT,
    failedAt: at("09:01"),
    ...piece("refused"),
  }),
  "unanswered, called failed at 09:11:30": order({ ...IN_DOUBT, failedAt: at("09:11:30"), ...piece("open") }),
  "unanswered, not found at 09:06, called failed at 09:11:30": order({
    ...IN_DOUBT,
    notFoundAt: at("09:06"),
    failedAt: at("09:11:30"),
    ...piece("open"),
  }),
  "unanswered, called failed at 09:10 after it was taken": order({
    ...IN_DOUBT,
    failedAt: at("09:10"),
    ...piece("taken"),
  }),
  taken: order({ ...IN_DOUBT, ...piece("taken") }),
  "taken, its token to come": order({ ...IN_DOUBT, state: "token_pending", ...piece("taken") }),
  "settled as failed": order({ ...ENDED, state: "failed" }),
  "settled as successful": order({ ...ENDED, state: "successful" }),
};

export const ANSWERS = {
  accepted: { kind: "accepted" },
  "accepted, to be asked about in 20 s": { kind: "accepted", askAgainMs: 20_000 },
  "accepted, its token to come": { kind: "accepted", incomplete: true },
  "unknown, but the vendor has it": { kind: "unknown", detail: "", isKnown: true },
  done: { kind: "done" },
  reversed: { kind: "reversed", detail: "" },
  "refused for every vendor": { kind: "rejected", scope: "order", code: "vendor_failed", detail: "" },
  "refused by this vendor": { kind: "rejected", scope: "route", code: "no_route", detail: "" },
  "failed at this vendor": { kind: "rejected", scope: "route", code: "vendor_failed", detail: "" },
  throttled: { kind: "throttled", retryAfterMs: 0, detail: "" },
  "throttled, as it took one like it": { kind: "throttled", retryAfterMs: 0, detail: "", isLikeAnother: true },
  unknown: { kind: "unknown", detail: "" },
  not_found: { kind: "not_found", detail: "" },
} as const satisfies Record<string, Outcome>;

export type AnswerName = keyof typeof ANSWERS;
export type Row = Readonly<Partial<Record<AnswerName, string>>>;

const MONEY: Readonly<Record<MoneyMove, string>> = {
  post: "charged",
  void: "money back",
  refund: "refunded",
  loss: "booked as a loss",
  loss_undone: "the loss undone",
};

/** What became of it, in the words of the tables below. */
export function told({ money, after, dueAt }: Change): string {
  if (money) return MONEY[money];
  if (dueAt === null) return "kept in the timeline alone";
  const seconds = (dueAt.getTime() - NOW.getTime()) / 1_000;
  const when = seconds === 0 ? "at once" : `in ${seconds} s`;
  const state = attemptState(after);
  switch (decideDue(SERVICE, after, dueAt).kind) {
    case "send":
      return `${state === "new" ? "sent anew" : "repeated"} ${when}`;
    case "requery":
      return `${state}${after.state === "token_pending" ? ", its token to come" : ""}: asked ${when}`;
    case "change":
      return `ends as never sent ${when}`;
  }
}

interface Circumstances {
  readonly moreRoutes?: boolean;
  readonly stop?: Stop;
}

const answered = (outcome: Outcome, moreRoutes: boolean): Answered => ({
  route: "north",
  attempt: 1,
  attemptReference: "our-1",
  begunAt: CALLED,
  outcomes: [outcome],
  moreRoutes,
});

export const answerCall = (before: Order, outcome: Outcome, { moreRoutes = true }: Circumstances = {}): Change =>
  decideOutcome(SERVICE, before, answered(outcome, moreRoutes), NOW);

/** After its time limit, or when another node has the order. */
export const answerLate = (before: Order, outcome: Outcome): Change =>
  decideLateOutcome(SERVICE, before, answered(outcome, true), NOW);

export const answerQuestion = (
  before: Order,
  outcome: Outcome,
  { moreRoutes = true, stop }: Circumstances = {},
): Change => decideRequery({ service: SERVICE, order: before, outcome, moreRoutes, stop, at: NOW });
