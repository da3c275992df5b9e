import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { decideDue } from "../orders/decide-due.ts";
import { decideReport } from "../orders/decide-report.ts";
import type { Order } from "../orders/order.ts";
import { faultsOf } from "../orders/steps.ts";
import { transition } from "../orders/transition.ts";
import type { ProviderReport } from "../ports/provider.ts";
import { CHAT } from "./chat.definition.ts";
import { STATUS_MEANINGS } from "./chat.descriptions.ts";
import { CHAT_STEPS } from "./chat.steps.ts";

const AT = new Date("2026-11-27T09:00:00.000Z");

const order = (more: Partial<Order> = {}): Order => ({
  accountId: newUuid(),
  id: newUuid(),
  mode: "live",
  service: "chat",
  queue: "chat:live",
  state: "sending",
  version: 3,
  priority: 0,
  leaseEpoch: 1,
  ambiguity: "retry",
  attempt: 1,
  route: "whatsapp-cloud",
  attemptReference: "ours",
  begunAt: null,
  ambiguousAt: null,
  tries: 0,
  notFoundAt: null,
  failedAt: null,
  tried: [],
  pieces: [{ status: "taken", reference: "wamid.1" }],
  priceKobo: kobo(200),
  taxKobo: kobo(14),
  recipient: "2348031234567",
  groupId: null,
  reference: null,
  metadata: null,
  payload: {},
  facts: null,
  sendAt: null,
  expiresAt: null,
  createdAt: AT,
  updatedAt: AT,
  endedAt: null,
  dueAt: null,
  leasedUntil: null,
  ...more,
});

const failureOf = ({ facts }: Order) => (facts?.failure as { code: string } | undefined)?.code;

const report = (status: string): ProviderReport => ({ providerReference: "wamid.1", status, at: AT });

/** The life of a message by these reports, with what became of its money. */
function live(...words: readonly string[]): { readonly order: Order; readonly money: readonly string[] } {
  const money: string[] = [];
  let now = order();
  for (const word of words) {
    const change = decideReport(CHAT, now, report(word), { attempt: 1, piece: 0 }, AT);
    assert.ok(change);
    if (change.money) money.push(change.money);
    now = change.after;
  }
  return { order: now, money };
}

test("the table of chat's steps has no fault", () => {
  assert.deepEqual(faultsOf(CHAT_STEPS), []);
});

test("the reference explains every status, and no other", () => {
  assert.deepEqual(Object.keys(STATUS_MEANINGS).sort(), Object.keys(CHAT_STEPS.states).sort());
});

const LIVES: readonly (readonly [words: readonly string[], state: string, money: readonly string[]])[] = [
  [["sent"], "sent", []],
  [["sent", "delivered"], "delivered", ["post"]],
  [["sent", "delivered", "read"], "read", ["post"]],
  [["read"], "read", ["post"]],
  [["read", "delivered", "sent"], "read", ["post"]],
  [["delivered", "sent", "delivered", "read", "read"], "read", ["post"]],
  [["sent", "failed"], "failed", ["void"]],
  [["failed"], "failed", ["void"]],
  [["failed", "delivered", "read"], "failed", ["void"]],
  [["delivered", "failed"], "delivered", ["post"]],
];
for (const [words, state, money] of LIVES) {
  test(`a message of which ${words.join(", ")} is reported is ${state}, and its money was decided once: ${money.join() || "not yet"}`, () => {
    const lived = live(...words);
    assert.equal(lived.order.state, state);
    assert.deepEqual(lived.money, money);
  });
}

test("a message has ended when it is delivered, and may be read after that", () => {
  const delivered = live("sent", "delivered").order;
  const read = live("sent", "delivered", "read").order;
  assert.deepEqual([delivered.endedAt, read.endedAt, read.state], [AT, AT, "read"]);
});

test("a vendor's acceptance leaves a message `sending`, and no money moves", () => {
  const change = transition(CHAT, order({ state: "queued" }), "accepted", { at: AT });
  assert.equal(change.after.state, "sending");
  assert.equal(change.money, undefined);
});

for (const state of ["sending", "sent"])
  test(`a message that stays ${state} without another word fails after 30 days as not delivered, and is not charged`, () => {
    const step = transition(CHAT, order({ state: "queued" }), state === "sent" ? "report:sent" : "accepted", {
      at: AT,
    });
    assert.deepEqual(step.dueAt, new Date(AT.getTime() + 30 * DAY_MS));
    const due = decideDue(CHAT, step.after, step.dueAt!);
    assert.ok(due.kind === "change");
    assert.equal(due.change.after.state, "failed");
    assert.equal(due.change.money, "void");
    assert.equal(failureOf(due.change.after), "not_delivered");
  });

test("a message whose node died while sending it is not given up on, but sent again or waited for", () => {
  const due = decideDue(CHAT, order({ begunAt: AT, pieces: [{ status: "open" }] }), new Date(AT.getTime() + 60_000));
  assert.ok(due.kind === "change");
  assert.equal(due.change.after.state, "queued");
});

test("a lost answer that stays lost ends the message as unknown outcome, unpaid", () => {
  const due = decideDue(CHAT, order({ state: "unknown", ambiguousAt: AT }), new Date(AT.getTime() + DAY_MS));
  assert.ok(due.kind === "change");
  assert.equal(failureOf(due.change.after), "outcome_unknown");
  assert.equal(due.change.money, "void");
});
