import assert from "node:assert/strict";
import { test } from "node:test";
import { PARCEL } from "../testing/parcel.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { attemptState } from "./attempt.ts";
import { decideMessage } from "./decide-message.ts";
import type { Change, Order, Piece } from "./order.ts";
import type { Verdict } from "./pieces.ts";
import type { MessageWaits, ServiceDefinition } from "./service-definition.ts";

/**
 * When a message is sent again: each state of its attempt × each answer to the call. The answer comes at 09:00:10, and another vendor
 * is left. After a lost answer there are two more tries, and then a report is awaited for an hour.
 */

const CALLED = new Date("2026-11-27T09:00:00.000Z");
const NOW = new Date("2026-11-27T09:00:10.000Z");
const WAITS: MessageWaits = { retriesMax: 2, retryMs: 3_000, unknownMs: () => 3_600_000 };
const SERVICE: ServiceDefinition = { ...PARCEL, messageWaits: () => WAITS };

const order = (columns: Partial<Order>): Order => ({
  ...SMS_ORDER,
  service: "parcel",
  state: "queued",
  ambiguity: "retry",
  attempt: 1,
  route: "north",
  pieces: null,
  ...columns,
});
const LOST_ONCE: Partial<Order> = { ambiguousAt: CALLED, tries: 1, pieces: [{ status: "unanswered" }] };

/** By name; the name begins with the state of the attempt. */
const ORDERS = {
  new: order({}),
  "new, at most once": order({ ambiguity: "fail" }),
  "begun, at most once": order({
    ambiguity: "fail",
    state: "sending",
    begunAt: CALLED,
    pieces: [{ status: "open" }],
  }),
  "unanswered, once": order(LOST_ONCE),
  "unanswered, twice": order({ ...LOST_ONCE, tries: 2 }),
  "repeated, after one lost answer": order({ ...LOST_ONCE, begunAt: CALLED }),
} as const;

const ANSWERS = {
  accepted: { kind: "accepted" },
  "rejected by this vendor": { kind: "rejected", scope: "route", code: "no_route", detail: "" },
  "rejected by all": { kind: "rejected", scope: "order", code: "no_route", detail: "" },
  throttled: { kind: "throttled", retryAfterMs: 0, detail: "" },
  unknown: { kind: "unknown", detail: "" },
} as const satisfies Record<string, Verdict>;

type Row = Readonly<Record<keyof typeof ANSWERS, string>>;

/** What became of it, in the words of the table below. */
function told({ money, after, dueAt }: Change): string {
  if (money === "post") return "charged";
  if (money === "void") return "money back";
  const inMs = dueAt!.getTime() - NOW.getTime();
  if (after.state === "unknown") return `${attemptState(after)}: a report is awaited for ${inMs / 1_000} s`;
  return `${attemptState(after)}: sent again in ${inMs / 1_000} s`;
}

const answered = (before: Order, verdict: Verdict, moreRoutes = true): Change => {
  const { attempt, route, attemptReference } = before;
  const pieces: readonly Piece[] =
    verdict.kind === "accepted"
      ? [{ status: "taken", reference: "their-1" }]
      : verdict.kind === "unknown"
        ? [{ status: "unanswered" }]
        : (before.pieces ?? []);
  return decideMessage({
    service: SERVICE,
    order: before,
    attempt: { attempt, route, attemptReference },
    callBegunAt: CALLED,
    verdict,
    pieces,
    references: [],
    moreRoutes,
    at: NOW,
  });
};

/** State of the attempt × answer. */
const EXPECTED: Readonly<Record<keyof typeof ORDERS, Row>> = {
  new: {
    accepted: "charged",
    "rejected by this vendor": "new: sent again in 0 s",
    "rejected by all": "money back",
    throttled: "new: sent again in 0 s",
    unknown: "unanswered: sent again in 3 s",
  },
  "new, at most once": {
    accepted: "charged",
    "rejected by this vendor": "new: sent again in 0 s",
    "rejected by all": "money back",
    throttled: "new: sent again in 0 s",
    unknown: "unanswered: a report is awaited for 3600 s",
  },
  "begun, at most once": {
    accepted: "charged",
    "rejected by this vendor": "new: sent again in 0 s",
    "rejected by all": "money back",
    throttled: "new: sent again in 0 s",
    unknown: "unanswered: a report is awaited for 3600 s",
  },
  "unanswered, once": {
    accepted: "charged",
    "rejected by this vendor": "unanswered: a report is awaited for 3600 s",
    "rejected by all": "unanswered: a report is awaited for 3600 s",
    throttled: "unanswered: sent again in 0 s",
    unknown: "unanswered: sent again in 3 s",
  },
  "unanswered, twice": {
    accepted: "charged",
    "rejected by this vendor": "unanswered: a report is awaited for 3600 s",
    "rejected by all": "unanswered: a report is awaited for 3600 s",
    throttled: "unanswered: sent again in 0 s",
    unknown: "unanswered: a report is awaited for 3600 s",
  },
  "repeated, after one lost answer": {
    accepted: "charged",
    "rejected by this vendor": "unanswered: a report is awaited for 3600 s",
    "rejected by all": "unanswered: a report is awaited for 3600 s",
    throttled: "unanswered: sent again in 0 s",
    unknown: "unanswered: sent again in 3 s",
  },
};

for (const [name, before] of Object.entries(ORDERS))
  test(`what each answer makes of a message whose attempt is ${name}`, () => {
    assert.equal(attemptState(before), name.split(",")[0]);
    const row = Object.entries(ANSWERS).map(([answer, verdict]) => [answer, told(answered(before, verdict))]);
    assert.deepEqual(Object.fromEntries(row), EXPECTED[name as keyof typeof ORDERS]);
  });

test("a message that is certainly not sent ends with its money back when no vendor is left", () =>
  assert.equal(told(answered(ORDERS.new, ANSWERS["rejected by this vendor"], false)), "money back"));

test("a message of which a part was taken and another refused is charged, and over", () => {
  const taken = order({ pieces: [{ status: "taken", reference: "their-1" }, { status: "refused" }] });
  const { after, money } = answered(taken, { kind: "part_refused", detail: "" });
  assert.deepEqual([attemptState(after), after.state, money], ["settled", "lost", "post"]);
});
