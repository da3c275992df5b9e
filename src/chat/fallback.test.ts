import assert from "node:assert/strict";
import { test } from "node:test";
import type { Price } from "../http/schemas.ts";
import { decideReport } from "../orders/decide-report.ts";
import { factsAfterFallback } from "../orders/fallback.ts";
import { guessAmbiguous } from "../orders/match-report.ts";
import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { decideResolved, provableEnds } from "../orders/resolve.ts";
import type { Answer } from "../orders/steps.ts";
import { SMS_ORDER, STORED_SMS } from "../testing/sms-order.ts";
import { CHAT, type StoredChat } from "./chat.definition.ts";
import { timelineView } from "./chat.timeline.ts";
import { asSent, type StoredFallback, viaOf } from "./fallback.ts";

/** What a fallback makes of an order, without a database. */

const AT = new Date("2026-11-27T09:00:00.000Z");
const naira = (amount: string): Price => ({ amount, currency: "NGN", tax: "0.00" });

const BY_SMS: StoredFallback = {
  via: "sms",
  sms: { ...STORED_SMS, route: "transactional" },
  price: naira("4.00"),
  message_price: naira("1.00"),
};
const BY_TEMPLATE: StoredFallback = {
  via: "chat",
  content: { type: "template", name: "order_update", language: "en_US", body: ["Ada"] },
  price: naira("10.00"),
  message_price: naira("1.00"),
};

const stored = (fallback?: StoredFallback): StoredChat => ({
  from: "2347000000001",
  provider: "whatsapp-cloud",
  content: { type: "text", body: "Hello", preview_url: false },
  category: "service",
  needs_window: true,
  ...(fallback && { fallback }),
});

const order = (fallback?: StoredFallback, more: Partial<Order> = {}): Order => ({
  ...SMS_ORDER,
  service: "chat",
  queue: "chat:live",
  mode: "live",
  state: "sending",
  payload: stored(fallback),
  ...more,
});

/** The same order once it goes by its fallback. */
const fallenBack = (fallback: StoredFallback, more: Partial<Order> = {}): Order => {
  const first = order(fallback);
  return { ...first, attempt: 2, pieces: [{ status: "taken" }], facts: factsAfterFallback(first, AT), ...more };
};

const WAYS: readonly (readonly [answer: Answer, more: Partial<Order>, fallsBack: boolean])[] = [
  ["rejected", {}, true],
  ["exhausted", {}, true],
  ["report:failed", { state: "sent" }, true],
  ["timed_out", { state: "unknown", ambiguity: "retry" }, true],
  ["timed_out", { state: "unknown", ambiguity: "fail" }, false],
  ["timed_out", { state: "sent", ambiguity: "retry" }, false],
  ["expired", { state: "queued" }, true],
  ["suspended", { state: "queued" }, false],
];
for (const [answer, more, fallsBack] of WAYS)
  test(`${answer} in ${more.state ?? "sending"} (${more.ambiguity ?? "any"}) ${fallsBack ? "falls back" : "ends the order"}, and never twice`, () => {
    assert.equal(CHAT.fallsBack?.(order(BY_SMS, more), answer, AT), fallsBack);
    assert.equal(CHAT.fallsBack?.(order(undefined, more), answer, AT), false);
    assert.equal(CHAT.fallsBack?.(fallenBack(BY_SMS, more), answer, AT), false);
    assert.equal(CHAT.fallsBack?.(order({ ...BY_SMS, at_once: true }, more), answer, AT), false);
  });

test("what fails days later is no news any more, and falls back no more", () => {
  const days = (count: number) => new Date(order().createdAt.getTime() + count * 86_400_000);
  assert.equal(CHAT.fallsBack?.(order(BY_SMS, { state: "sent" }), "report:failed", days(2)), true);
  assert.equal(CHAT.fallsBack?.(order(BY_SMS, { state: "sent" }), "report:failed", days(3)), false);
});

test("what an operator resolves as failed has failed: no fallback is sent behind their back", () => {
  const resolved = decideResolved(CHAT, order(BY_SMS, { state: "unknown" }), { as: "failed", proof: "by phone" }, AT);
  assert.ok(resolved.ok);
  assert.deepEqual([resolved.value.after.state, resolved.value.money], ["failed", "void"]);
});

test("an operator may settle that it was delivered, whether or not it was read", () => {
  const unknown = order(BY_SMS, { state: "unknown" });
  assert.deepEqual([...provableEnds(CHAT, unknown).keys()], ["delivered", "read", "failed"]);
});

test("what is charged is the price of what is sent", () => {
  assert.equal(CHAT.taken?.(order(BY_SMS)), 100n);
  assert.equal(CHAT.taken?.(fallenBack(BY_SMS)), 400n);
  assert.equal(CHAT.taken?.(order({ ...BY_TEMPLATE, at_once: true })), 1_000n);
  assert.equal(CHAT.taken?.(order()), SMS_ORDER.priceKobo);
});

test("an SMS goes over routes of SMS and as their payload; a template over the number's own vendor", () => {
  const sms = fallenBack(BY_SMS);
  assert.deepEqual(CHAT.labels?.(sms), { channel: "sms", network: "mtn", route: "transactional" });
  assert.equal(CHAT.boundTo?.(sms), undefined);
  assert.deepEqual([asSent(sms).service, asSent(sms).payload], ["sms", BY_SMS.sms]);
  for (const chat of [order(BY_SMS), fallenBack(BY_TEMPLATE)]) {
    assert.deepEqual(CHAT.labels?.(chat), { channel: "chat" });
    assert.equal(CHAT.boundTo?.(chat), "whatsapp-cloud");
    assert.equal(viaOf(chat), "chat");
  }
  assert.deepEqual(asSent(fallenBack(BY_TEMPLATE)).payload, { from: "2347000000001", content: BY_TEMPLATE.content });
  assert.deepEqual(asSent(order(BY_TEMPLATE)).payload, stored(BY_TEMPLATE));
});

test("a fallback has a day of its own, however late the message has failed", () => {
  const late = order(BY_SMS, { expiresAt: AT });
  assert.deepEqual(CHAT.validUntil?.(late), AT);
  const since = new Date(AT.getTime() + 7 * 86_400_000);
  const gone = { ...late, facts: factsAfterFallback(late, since) };
  assert.deepEqual(CHAT.validUntil?.(gone), new Date(since.getTime() + 86_400_000));
});

test("an SMS in the place of marketing waits for 08:00 in Lagos; the chat message does not, nor any other SMS", () => {
  const night = new Date("2026-11-27T22:00:00.000Z");
  const marketing: StoredFallback = { ...BY_SMS, sms: { ...BY_SMS.sms, route: "promotional" } };
  assert.deepEqual(CHAT.beforeSend?.(fallenBack(marketing), night), {
    deferUntil: new Date("2026-11-28T07:00:00.000Z"),
  });
  assert.equal(CHAT.beforeSend?.(fallenBack(marketing), AT), undefined);
  assert.equal(CHAT.beforeSend?.(order(marketing), night), undefined);
  assert.equal(CHAT.beforeSend?.(fallenBack(BY_SMS), night), undefined);
});

/** A vendor's word on the first try by chat, of an order that has gone on to its SMS. */
const onFirst = (word: string, state: string) => {
  const first = order(BY_SMS, { pieces: [{ status: "failed", reference: "wamid.1" }] });
  const gone = { ...first, state, attempt: 2, pieces: null, facts: factsAfterFallback(first, AT) };
  return decideReport(CHAT, gone, { status: word, at: AT }, { attempt: 1, piece: 0 }, AT);
};

for (const word of ["delivered", "read"])
  test(`a message that is reported failed and then ${word} ends so, at its own price, and its fallback is not sent`, () => {
    const change = onFirst(word, "queued");
    assert.deepEqual([change?.after.state, change?.money, change?.takenKobo], [word, "post", 100n]);
  });

test("that a message has failed once more, or is sent, changes nothing of its fallback", () => {
  for (const word of ["failed", "sent"]) {
    const change = onFirst(word, "queued");
    assert.deepEqual([change?.after.state, change?.money], ["queued", undefined]);
  }
});

test("while an earlier try may yet arrive, that the present one failed ends nothing: it is unknown until its time is over", () => {
  const second = { state: "sent", ambiguity: "retry", ambiguousAt: AT, tries: 1, attempt: 2 } as const;
  const report = (word: string, of: Order) =>
    decideReport(CHAT, of, { status: word, at: AT }, { attempt: of.attempt, piece: 0 }, AT);
  const change = report("failed", order(BY_SMS, { ...second, pieces: [{ status: "sent", reference: "2" }] }));
  assert.deepEqual([change?.after.state, change?.money], ["unknown", undefined]);
  assert.ok(change?.dueAt && change.dueAt > AT);
  const arrived = decideReport(CHAT, change.after, { status: "delivered", at: AT }, { attempt: 1, piece: 0 }, AT);
  assert.deepEqual([arrived?.after.state, arrived?.money, arrived?.takenKobo], ["delivered", "post", 100n]);

  const only = { ...second, attempt: 1, pieces: [{ status: "unanswered" }] };
  assert.equal(report("failed", order(undefined, only))?.after.state, "failed");
});

test("a receipt of the fallback SMS is matched by the sender that the recipient saw", () => {
  const sms = fallenBack(BY_SMS, { route: "smsc", tries: 1, pieces: [{ status: "unanswered" }] });
  const report = { status: "delivered", recipient: sms.recipient, sender: BY_SMS.sms.from, at: AT };
  const found = guessAmbiguous({ route: "smsc", report }, [sms], AT, (one) => CHAT.senderOf?.(one));
  assert.equal(found?.order.id, sms.id);
  assert.equal(CHAT.senderOf?.(order(BY_SMS)), "2347000000001");
});

const PARTS: readonly (readonly [statuses: readonly string[], word: string | undefined])[] = [
  [["delivered", "delivered"], "delivered"],
  [["delivered", "taken"], "sent"],
  [["delivered", "unanswered"], undefined],
  [["delivered", "undelivered"], "undelivered"],
  [["expired"], "expired"],
  [["read"], "read"],
  [["sent"], "sent"],
  [["unheard of"], undefined],
];
for (const [statuses, word] of PARTS)
  test(`an order whose parts are ${statuses.join(" and ")} is ${word ?? "undecided"}`, () =>
    assert.equal(CHAT.reports.join(statuses), word));

for (const [word, code] of [
  ["undelivered", "not_delivered"],
  ["expired", "validity_expired"],
  ["rejected", "rejected_by_network"],
] as const)
  test(`an SMS that is ${word} ends the order failed, with its money back`, () => {
    const change = decideReport(CHAT, fallenBack(BY_SMS), { status: word, at: AT }, { attempt: 2, piece: 0 }, AT);
    assert.deepEqual(
      [change?.after.state, change?.money, (change?.after.facts?.failure as { code: string } | undefined)?.code],
      ["failed", "void", code],
    );
  });

const row = (status: string, previous: string, detail: TimelineRow["detail"] = null): TimelineRow => ({
  version: 1,
  status,
  previous_status: previous,
  type: null,
  sequence: null,
  at: AT,
  detail,
});

test("the timeline says of each entry what it is about, and where the fallback began", () => {
  const entries = timelineView(fallenBack(BY_SMS), [
    row("sending", "queued"),
    row("queued", "sending", { answer: "not on the network", instead: true }),
    row("sending", "queued"),
    row("sending", "sending", { report: "sent", first_way: true }),
    row("delivered", "sending", { report: "delivered", first_way: true }),
    row("read", "delivered", { report: "read" }),
  ]);
  assert.deepEqual(
    entries.map(({ status, via, detail }) => [status, via, detail]),
    [
      ["queued", "chat", undefined],
      ["sending", "chat", undefined],
      ["queued", "chat", "not on the network; the fallback is sent"],
      ["sending", "sms", undefined],
      ["sending", "chat", "report: sent; nothing changed"],
      ["delivered", "chat", "report: delivered"],
      ["read", "chat", "report: read"],
    ],
  );
  const atOnce = timelineView(order({ ...BY_SMS, at_once: true }), [row("sending", "queued")]);
  assert.deepEqual(
    atOnce.map(({ via, detail }) => [via, detail]),
    [
      ["sms", "the window was closed; the fallback is sent"],
      ["sms", undefined],
    ],
  );
  const without = timelineView(order(), [row("sending", "queued")]);
  assert.ok(without.every((entry) => !("via" in entry)));
});
