import assert from "node:assert/strict";
import { test } from "node:test";
import { PURCHASE_STEPS } from "../purchases/purchase.steps.ts";
import { purchaseWaits } from "../purchases/purchase.waits.ts";
import { TOPUP } from "../testing/parcel.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { attemptState } from "./attempt.ts";
import { decidePurchase } from "./decide-purchase.ts";
import type { Change, Order, Piece } from "./order.ts";
import type { Verdict } from "./pieces.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/**
 * When a purchase is sent again: each state of its attempt × each answer. The call left at 09:00, the answer comes at 09:10, the order
 * may be sent until 09:15, and another vendor is left. Waits are those of live mode.
 */

const at = (time: string) => new Date(`2026-11-27T${time}:00.000Z`);
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

/** By name; the name begins with the state of the attempt. */
const ORDERS = {
  begun: order({ begunAt: CALLED, ...piece("open") }),
  "begun, too late to be sent": order({ begunAt: CALLED, expiresAt: at("09:05"), ...piece("open") }),
  missing: order(piece("unheard")),
  repeated: order({ begunAt: CALLED, ...piece("unheard") }),
  doubted: order({ ...IN_DOUBT, ...piece("open") }),
  "doubted, not found at 09:04": order({ ...IN_DOUBT, notFoundAt: at("09:04"), ...piece("open") }),
  unanswered: order({ ...IN_DOUBT, ...piece("unanswered") }),
  "unanswered, not found at 09:04": order({ ...IN_DOUBT, notFoundAt: at("09:04"), ...piece("unanswered") }),
  "unanswered, not found at 09:08": order({ ...IN_DOUBT, notFoundAt: at("09:08"), ...piece("unanswered") }),
  taken: order({ ...IN_DOUBT, ...piece("taken") }),
  "taken, its token to come": order({ ...IN_DOUBT, state: "token_pending", ...piece("taken") }),
} as const;

const ANSWERS = {
  accepted: { kind: "accepted" },
  done: { kind: "done" },
  "rejected by this vendor": { kind: "rejected", scope: "route", code: "no_route", detail: "" },
  "failed at this vendor": { kind: "rejected", scope: "route", code: "vendor_failed", detail: "" },
  "rejected by all": { kind: "rejected", scope: "order", code: "vendor_failed", detail: "" },
  throttled: { kind: "throttled", retryAfterMs: 0, detail: "" },
  unknown: { kind: "unknown", detail: "" },
  not_found: { kind: "not_found", detail: "" },
} as const satisfies Record<string, Verdict>;

type Row = Readonly<Record<keyof typeof ANSWERS, string>>;

/** What became of it, in the words of the tables below. */
function told({ money, after, dueAt }: Change): string {
  if (money === "post") return "charged";
  if (money === "void") return "money back";
  const state = attemptState(after);
  if (state === "new") return "sent anew";
  if (state === "missing") return "sent again under the same reference";
  return `${state}: asked again in ${(dueAt!.getTime() - NOW.getTime()) / 1_000} s`;
}

const answered = (before: Order, verdict: Verdict, moreRoutes = true): Change => {
  const { attempt, route, attemptReference } = before;
  const pieces: readonly Piece[] =
    verdict.kind === "accepted" ? [{ status: "taken", reference: "their-1" }] : (before.pieces ?? []);
  return decidePurchase({
    service: SERVICE,
    order: before,
    attempt: { attempt, route, attemptReference },
    begunAt: CALLED,
    verdict,
    pieces,
    references: [],
    moreRoutes,
    at: NOW,
  });
};

/** State of the attempt × answer. */
const EXPECTED: Readonly<Record<keyof typeof ORDERS, Row>> = {
  begun: {
    accepted: "taken: asked again in 5 s",
    done: "charged",
    "rejected by this vendor": "sent anew",
    "failed at this vendor": "doubted: asked again in 60 s",
    "rejected by all": "money back",
    throttled: "sent anew",
    unknown: "doubted: asked again in 5 s",
    not_found: "sent again under the same reference",
  },
  "begun, too late to be sent": {
    accepted: "taken: asked again in 5 s",
    done: "charged",
    "rejected by this vendor": "sent anew",
    "failed at this vendor": "doubted: asked again in 60 s",
    "rejected by all": "money back",
    throttled: "sent anew",
    unknown: "doubted: asked again in 5 s",
    not_found: "doubted: asked again in 300 s",
  },
  missing: {
    accepted: "taken: asked again in 5 s",
    done: "charged",
    "rejected by this vendor": "sent anew",
    "failed at this vendor": "doubted: asked again in 60 s",
    "rejected by all": "money back",
    throttled: "sent again under the same reference",
    unknown: "doubted: asked again in 5 s",
    not_found: "sent again under the same reference",
  },
  repeated: {
    accepted: "taken: asked again in 5 s",
    done: "charged",
    "rejected by this vendor": "sent anew",
    "failed at this vendor": "doubted: asked again in 60 s",
    "rejected by all": "money back",
    throttled: "sent again under the same reference",
    unknown: "doubted: asked again in 5 s",
    not_found: "sent again under the same reference",
  },
  doubted: {
    accepted: "taken: asked again in 15 s",
    done: "charged",
    "rejected by this vendor": "sent anew",
    "failed at this vendor": "doubted: asked again in 60 s",
    "rejected by all": "money back",
    throttled: "doubted: asked again in 0 s",
    unknown: "doubted: asked again in 15 s",
    not_found: "doubted: asked again in 300 s",
  },
  "doubted, not found at 09:04": {
    accepted: "taken: asked again in 15 s",
    done: "charged",
    "rejected by this vendor": "sent anew",
    "failed at this vendor": "sent anew",
    "rejected by all": "money back",
    throttled: "doubted: asked again in 0 s",
    unknown: "doubted: asked again in 15 s",
    not_found: "sent again under the same reference",
  },
  unanswered: {
    accepted: "taken: asked again in 15 s",
    done: "charged",
    "rejected by this vendor": "sent anew",
    "failed at this vendor": "unanswered: asked again in 60 s",
    "rejected by all": "money back",
    throttled: "unanswered: asked again in 0 s",
    unknown: "unanswered: asked again in 15 s",
    not_found: "unanswered: asked again in 300 s",
  },
  "unanswered, not found at 09:04": {
    accepted: "taken: asked again in 15 s",
    done: "charged",
    "rejected by this vendor": "sent anew",
    "failed at this vendor": "sent anew",
    "rejected by all": "money back",
    throttled: "unanswered: asked again in 0 s",
    unknown: "unanswered: asked again in 15 s",
    not_found: "sent anew",
  },
  "unanswered, not found at 09:08": {
    accepted: "taken: asked again in 15 s",
    done: "charged",
    "rejected by this vendor": "sent anew",
    "failed at this vendor": "sent anew",
    "rejected by all": "money back",
    throttled: "unanswered: asked again in 0 s",
    unknown: "unanswered: asked again in 15 s",
    not_found: "unanswered: asked again in 300 s",
  },
  taken: {
    accepted: "taken: asked again in 15 s",
    done: "charged",
    "rejected by this vendor": "sent anew",
    "failed at this vendor": "unanswered: asked again in 60 s",
    "rejected by all": "money back",
    throttled: "taken: asked again in 0 s",
    unknown: "taken: asked again in 15 s",
    not_found: "taken: asked again in 15 s",
  },
  "taken, its token to come": {
    accepted: "taken: asked again in 15 s",
    done: "charged",
    "rejected by this vendor": "money back",
    "failed at this vendor": "money back",
    "rejected by all": "money back",
    throttled: "taken: asked again in 0 s",
    unknown: "taken: asked again in 15 s",
    not_found: "taken: asked again in 15 s",
  },
};

for (const [name, before] of Object.entries(ORDERS))
  test(`what each answer makes of a purchase whose attempt is ${name}`, () => {
    assert.equal(attemptState(before), name.split(",")[0]);
    const row = Object.entries(ANSWERS).map(([answer, verdict]) => [answer, told(answered(before, verdict))]);
    assert.deepEqual(Object.fromEntries(row), EXPECTED[name as keyof typeof ORDERS]);
  });

test("when no vendor is left, a purchase that is certainly not done ends with its money back", () => {
  for (const answer of ["rejected by this vendor", "failed at this vendor"] as const)
    assert.equal(told(answered(ORDERS.begun, ANSWERS[answer], false)), "money back", answer);
  assert.equal(told(answered(ORDERS["unanswered, not found at 09:04"], ANSWERS.not_found, false)), "money back");
});

test("a call that may be under way is not repeated, and one that may be travelling proves nothing", () => {
  const justBegun = { ...ORDERS.begun, begunAt: at("09:09") };
  assert.equal(told(answered(justBegun, ANSWERS.not_found)), "begun: asked again in 30 s", "90 s after its begin");
  const justLost = { ...ORDERS.unanswered, ambiguousAt: at("09:08") };
  assert.equal(told(answered(justLost, ANSWERS.not_found)), "unanswered: asked again in 180 s", "5 min after the call");
});
