import assert from "node:assert/strict";
import { test } from "node:test";
import { PURCHASE_STEPS } from "../purchases/purchase.steps.ts";
import { purchaseWaits } from "../purchases/purchase.waits.ts";
import { TOPUP } from "../testing/parcel.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { attemptState } from "./attempt.ts";
import { decideDue, SUSPENDED } from "./decide-due.ts";
import { decidePurchase } from "./decide-purchase.ts";
import type { Change, Order, Piece } from "./order.ts";
import { showsIt, type Verdict } from "./pieces.ts";
import type { ServiceDefinition, Stop } from "./service-definition.ts";
import type { MoneyMove } from "./steps.ts";

/**
 * When a purchase is sent again: each state of its attempt × each answer. The call left at 09:00, the answer comes at 09:10, the order
 * may be sent until 09:15, and another vendor is left. Waits are those of live mode.
 *
 * Left out is what can't happen: `part_refused` (a purchase is one piece), and of `new` and `settled` the answers that decide nothing
 * there: nobody asks about the one, and the other is changed by a step of its table alone (`decideRequery`).
 */

const at = (time: string) => new Date(`2026-11-27T${time.length === 5 ? `${time}:00` : time}.000Z`);
const CALLED = at("09:00");
const NOW = at("09:10");
const SERVICE: ServiceDefinition = { ...TOPUP, table: PURCHASE_STEPS, purchaseWaits };

const order = (columns: Partial<Order>): Order => ({
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
const IN_DOUBT: Partial<Order> = { ambiguousAt: at("09:02"), tries: 1 };
const TOO_LATE: Partial<Order> = { expiresAt: at("09:05") };
const ENDED: Partial<Order> = { ...IN_DOUBT, ...piece("unanswered"), endedAt: at("09:08") };

/** By name; the name begins with the state of the attempt. */
const ORDERS = {
  new: order({ pieces: null }),
  begun: order({ begunAt: CALLED, ...piece("open") }),
  "begun, too late to be sent": order({ begunAt: CALLED, ...TOO_LATE, ...piece("open") }),
  to_repeat: order(piece("unheard")),
  "to_repeat, too late to be sent": order({ ...TOO_LATE, ...piece("unheard") }),
  repeated: order({ begunAt: CALLED, ...piece("unheard") }),
  "repeated, too late to be sent": order({ begunAt: CALLED, ...TOO_LATE, ...piece("unheard") }),
  doubted: order({ ...IN_DOUBT, ...piece("open") }),
  "doubted, not found at 09:04": order({ ...IN_DOUBT, notFoundAt: at("09:04"), ...piece("open") }),
  "doubted, not found at 09:04, too late to be sent": order({
    ...IN_DOUBT,
    ...TOO_LATE,
    notFoundAt: at("09:04"),
    ...piece("open"),
  }),
  unanswered: order({ ...IN_DOUBT, ...piece("unanswered") }),
  "unanswered, not found at 09:04": order({ ...IN_DOUBT, notFoundAt: at("09:04"), ...piece("unanswered") }),
  "unanswered, not found at 09:08": order({ ...IN_DOUBT, notFoundAt: at("09:08"), ...piece("unanswered") }),
  "unanswered, its call refused as failed at 09:02": order({
    ...IN_DOUBT,
    failedAt: at("09:02"),
    ...piece("refused"),
  }),
  "unanswered, called failed at 09:09:30": order({ ...IN_DOUBT, failedAt: at("09:09:30"), ...piece("open") }),
  "unanswered, not found at 09:04, called failed at 09:09:30": order({
    ...IN_DOUBT,
    notFoundAt: at("09:04"),
    failedAt: at("09:09:30"),
    ...piece("open"),
  }),
  "unanswered, called failed at 09:09 after it was taken": order({
    ...IN_DOUBT,
    failedAt: at("09:09"),
    ...piece("taken"),
  }),
  taken: order({ ...IN_DOUBT, ...piece("taken") }),
  "taken, its token to come": order({ ...IN_DOUBT, state: "token_pending", ...piece("taken") }),
  "settled as failed": order({ ...ENDED, state: "failed" }),
  "settled as successful": order({ ...ENDED, state: "successful" }),
} as const;

const ANSWERS = {
  accepted: { kind: "accepted" },
  "accepted, to be asked about in 20 s": { kind: "accepted", askAgainMs: 20_000 },
  "accepted, its token to come": { kind: "accepted", incomplete: true },
  "unknown, but the vendor has it": { kind: "unknown", detail: "", isKnown: true },
  done: { kind: "done" },
  reversed: { kind: "reversed", detail: "" },
  "rejected by all": { kind: "rejected", scope: "order", code: "vendor_failed", detail: "" },
  "rejected by this vendor": { kind: "rejected", scope: "route", code: "no_route", detail: "" },
  "failed at this vendor": { kind: "rejected", scope: "route", code: "vendor_failed", detail: "" },
  throttled: { kind: "throttled", retryAfterMs: 0, detail: "" },
  unknown: { kind: "unknown", detail: "" },
  not_found: { kind: "not_found", detail: "" },
} as const satisfies Record<string, Verdict>;

type Row = Readonly<Partial<Record<keyof typeof ANSWERS, string>>>;

const MONEY: Readonly<Record<MoneyMove, string>> = {
  post: "charged",
  void: "money back",
  refund: "refunded",
  loss: "booked as a loss",
  loss_undone: "the loss undone",
};

/** What became of it, in the words of the tables below. */
function told({ money, after, dueAt }: Change): string {
  if (money) return MONEY[money];
  const seconds = (dueAt!.getTime() - NOW.getTime()) / 1_000;
  const when = seconds === 0 ? "at once" : `in ${seconds} s`;
  const state = attemptState(after);
  switch (decideDue(SERVICE, after, dueAt!).kind) {
    case "send":
      return `sent ${state === "new" ? "anew" : "again under the same reference"} ${when}`;
    case "requery":
      return `${state}${after.state === "token_pending" ? ", its token to come" : ""}: asked again ${when}`;
    case "change":
      return `ends as never sent ${when}`;
  }
}

interface Circumstances {
  readonly moreRoutes?: boolean;
  readonly stop?: Stop;
}

const answered = (before: Order, verdict: Verdict, { moreRoutes = true, stop }: Circumstances = {}): Change => {
  const { attempt, route, attemptReference, begunAt } = before;
  return decidePurchase({
    service: SERVICE,
    order: before,
    attempt: { attempt, route, attemptReference },
    begunAt,
    verdict,
    pieces: showsIt(verdict) ? [{ status: "taken", reference: "their-1" }] : (before.pieces ?? []),
    references: [],
    moreRoutes,
    ...(stop && { stop }),
    at: NOW,
  });
};

/** The vendor has it: held, and asked about again after this time. */
const held = (seconds: number) => ({
  accepted: `taken: asked again in ${seconds} s`,
  "accepted, to be asked about in 20 s": "taken: asked again in 20 s",
  "accepted, its token to come": `taken, its token to come: asked again in ${seconds} s`,
  "unknown, but the vendor has it": `taken: asked again in ${seconds} s`,
  done: "charged",
});

/** Words that decide in every state before the end. */
const decided = (seconds: number) => ({
  ...held(seconds),
  reversed: "money back",
  "rejected by all": "money back",
});

/** State of the attempt × answer. */
const EXPECTED: Readonly<Record<keyof typeof ORDERS, Row>> = {
  // A late answer to an attempt that was given up.
  new: held(5),
  begun: {
    ...decided(5),
    "rejected by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "sent anew at once",
    unknown: "doubted: asked again in 5 s",
    not_found: "sent again under the same reference at once",
  },
  "begun, too late to be sent": {
    ...decided(5),
    "rejected by this vendor": "ends as never sent at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "ends as never sent at once",
    unknown: "doubted: asked again in 5 s",
    not_found: "doubted: asked again in 300 s",
  },
  to_repeat: {
    ...decided(5),
    "rejected by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "sent again under the same reference at once",
    unknown: "doubted: asked again in 5 s",
    not_found: "sent again under the same reference in 90 s",
  },
  "to_repeat, too late to be sent": {
    ...decided(5),
    "rejected by this vendor": "ends as never sent at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "to_repeat: asked again at once",
    unknown: "doubted: asked again in 5 s",
    not_found: "doubted: asked again in 300 s",
  },
  repeated: {
    ...decided(5),
    "rejected by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "sent again under the same reference at once",
    unknown: "doubted: asked again in 5 s",
    not_found: "sent again under the same reference at once",
  },
  "repeated, too late to be sent": {
    ...decided(5),
    "rejected by this vendor": "ends as never sent at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "to_repeat: asked again at once",
    unknown: "doubted: asked again in 5 s",
    not_found: "doubted: asked again in 300 s",
  },
  doubted: {
    ...decided(15),
    "rejected by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "doubted: asked again at once",
    unknown: "doubted: asked again in 15 s",
    not_found: "doubted: asked again in 300 s",
  },
  "doubted, not found at 09:04": {
    ...decided(15),
    "rejected by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "doubted: asked again at once",
    unknown: "doubted: asked again in 15 s",
    not_found: "sent again under the same reference at once",
  },
  "doubted, not found at 09:04, too late to be sent": {
    ...decided(15),
    "rejected by this vendor": "ends as never sent at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "doubted: asked again at once",
    unknown: "doubted: asked again in 15 s",
    not_found: "ends as never sent at once",
  },
  unanswered: {
    ...decided(15),
    "rejected by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "unanswered: asked again at once",
    unknown: "unanswered: asked again in 15 s",
    not_found: "unanswered: asked again in 300 s",
  },
  "unanswered, not found at 09:04": {
    ...decided(15),
    "rejected by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "unanswered: asked again at once",
    unknown: "unanswered: asked again in 15 s",
    not_found: "sent anew at once",
  },
  "unanswered, not found at 09:08": {
    ...decided(15),
    "rejected by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "unanswered: asked again at once",
    unknown: "unanswered: asked again in 15 s",
    not_found: "unanswered: asked again in 300 s",
  },
  "unanswered, its call refused as failed at 09:02": {
    ...decided(15),
    "rejected by this vendor": "sent anew at once",
    "failed at this vendor": "sent anew at once",
    throttled: "unanswered: asked again at once",
    unknown: "unanswered: asked again in 15 s",
    not_found: "unanswered: asked again in 300 s",
  },
  "unanswered, called failed at 09:09:30": {
    ...decided(15),
    "rejected by this vendor": "unanswered: asked again in 30 s",
    "failed at this vendor": "unanswered: asked again in 30 s",
    throttled: "unanswered: asked again at once",
    unknown: "unanswered: asked again in 15 s",
    not_found: "unanswered: asked again in 300 s",
  },
  "unanswered, not found at 09:04, called failed at 09:09:30": {
    ...decided(15),
    "rejected by this vendor": "unanswered: asked again in 30 s",
    "failed at this vendor": "unanswered: asked again in 30 s",
    throttled: "unanswered: asked again at once",
    unknown: "unanswered: asked again in 15 s",
    not_found: "sent anew at once",
  },
  "unanswered, called failed at 09:09 after it was taken": {
    ...decided(15),
    "rejected by this vendor": "sent anew at once",
    "failed at this vendor": "sent anew at once",
    throttled: "unanswered: asked again at once",
    unknown: "unanswered: asked again in 15 s",
    not_found: "unanswered: asked again in 300 s",
  },
  taken: {
    ...decided(15),
    "rejected by this vendor": "unanswered: asked again in 60 s",
    "failed at this vendor": "unanswered: asked again in 60 s",
    throttled: "taken: asked again at once",
    unknown: "taken: asked again in 15 s",
    not_found: "taken: asked again in 15 s",
  },
  "taken, its token to come": {
    ...decided(15),
    accepted: "taken, its token to come: asked again in 15 s",
    "accepted, to be asked about in 20 s": "taken, its token to come: asked again in 20 s",
    "unknown, but the vendor has it": "taken, its token to come: asked again in 15 s",
    "rejected by this vendor": "money back",
    "failed at this vendor": "money back",
    throttled: "taken, its token to come: asked again at once",
    unknown: "taken, its token to come: asked again in 15 s",
    not_found: "taken, its token to come: asked again in 15 s",
  },
  "settled as failed": { done: "booked as a loss", reversed: "the loss undone" },
  "settled as successful": { reversed: "refunded" },
};

for (const [name, before] of Object.entries(ORDERS))
  test(`what each answer makes of a purchase whose attempt is ${name}`, () => {
    assert.equal(attemptState(before), /^\w+/.exec(name)?.[0]);
    const expected = EXPECTED[name as keyof typeof ORDERS];
    const answers = Object.keys(expected) as (keyof typeof ANSWERS)[];
    const row = answers.map((answer) => [answer, told(answered(before, ANSWERS[answer]))]);
    assert.deepEqual(Object.fromEntries(row), expected);
  });

test("when no vendor is left, a purchase that is certainly not done ends with its money back", () => {
  const last = { moreRoutes: false };
  for (const answer of ["rejected by this vendor", "failed at this vendor"] as const)
    assert.equal(told(answered(ORDERS.begun, ANSWERS[answer], last)), "money back", answer);
  assert.equal(told(answered(ORDERS["unanswered, not found at 09:04"], ANSWERS.not_found, last)), "money back");
});

test("a call that may be under way is not repeated, and one that may be travelling proves nothing", () => {
  const justBegun = { ...ORDERS.begun, begunAt: at("09:09") };
  assert.equal(told(answered(justBegun, ANSWERS.not_found)), "begun: asked again in 30 s", "90 s after its begin");
  const justLost = { ...ORDERS.unanswered, ambiguousAt: at("09:08") };
  assert.equal(told(answered(justLost, ANSWERS.not_found)), "unanswered: asked again in 180 s", "5 min after the call");
});

test("every word by which the vendor has the purchase takes back what it had said against that", () => {
  const denied = ORDERS["unanswered, not found at 09:04, called failed at 09:09:30"];
  for (const word of Object.keys(held(0)) as (keyof typeof ANSWERS)[]) {
    if (word === "done") continue; // the end
    const { notFoundAt, failedAt } = answered(denied, ANSWERS[word]).after;
    assert.deepEqual([notFoundAt, failedAt], [null, null], word);
  }
});

test("a purchase of a suspended account is not repeated: once it is proven not done it ends as suspended, with its money back", () => {
  const stop = SUSPENDED;
  for (const name of ["begun", "to_repeat", "repeated", "doubted"] as const)
    assert.equal(told(answered(ORDERS[name], ANSWERS.not_found, { stop })), "doubted: asked again in 300 s", name);
  const ended = answered(ORDERS["doubted, not found at 09:04"], ANSWERS.not_found, { stop });
  assert.deepEqual([ended.after.state, ended.money], ["failed", "void"]);
  assert.equal((ended.after.facts?.failure as { code: string } | undefined)?.code, "account_suspended");
});
