import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FAILURES } from "../kernel/failures.ts";
import type { Order } from "../orders/order.ts";
import { SMS_ORDER, STORED_SMS } from "../testing/sms-order.ts";
import { SMS, type StoredSms } from "./sms.definition.ts";

const { join, final, failure } = SMS.reports;

const JOINED: readonly (readonly [pieces: readonly string[], word: string | undefined])[] = [
  [["taken"], "sent"],
  [["delivered"], "delivered"],
  [["delivered", "taken"], "sent"],
  [["delivered", "delivered"], "delivered"],
  [["delivered", "undelivered"], "undelivered"],
  [["expired", "taken"], "expired"],
  [["taken", "rejected", "delivered"], "rejected"],
  [["delivered", "open"], undefined],
  [["delivered", "unanswered"], undefined],
  [["undelivered", "open"], "undelivered"],
];
for (const [pieces, word] of JOINED) {
  test(`a message whose parts are ${pieces.join(", ")} is ${word ?? "undecided"}`, () => {
    assert.equal(join(pieces), word);
  });
}

test("a message is delivered when all of its parts are, and only then", () => {
  const words = fc.constantFrom("open", "unanswered", "taken", "delivered", "undelivered", "expired", "rejected");
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 10 }), (pieces) => {
      assert.equal(
        join(pieces) === "delivered",
        pieces.every((piece) => piece === "delivered"),
      );
    }),
  );
});

test("every word that ends a message badly names a documented failure; a good one names none", () => {
  for (const word of final) {
    const code = failure(word);
    if (word === "delivered") assert.equal(code, undefined);
    else assert.ok(code && code in FAILURES, word);
  }
});

/** 27 November 2026, by the clock in Lagos. */
const lagos = (time: string) => new Date(`2026-11-27T${time}+01:00`);

const orderOf = (payload: Partial<StoredSms>): Order => ({
  ...SMS_ORDER,
  payload: { ...STORED_SMS, route: "promotional", ...payload },
});

const OPENS = new Date("2026-11-28T08:00:00+01:00");
const MOMENTS: readonly (readonly [time: string, deferUntil: Date | undefined])[] = [
  ["07:59:59.999", lagos("08:00:00")],
  ["08:00:00.000", undefined],
  ["12:00:00.000", undefined],
  ["19:59:59.999", undefined],
  ["20:00:00.000", OPENS],
  ["23:30:00.000", OPENS],
];
for (const [time, deferUntil] of MOMENTS) {
  test(`a promotional message whose time comes at ${time} in Lagos ${deferUntil ? "waits for 08:00" : "leaves"}`, () => {
    assert.deepEqual(SMS.beforeSend?.(orderOf({}), lagos(time)), deferUntil && { deferUntil });
  });

  test(`a promotional message that may not wait ${deferUntil ? "fails" : "leaves"} at ${time} in Lagos`, () => {
    const answer = SMS.beforeSend?.(orderOf({ quiet_hours: "fail" }), lagos(time));
    assert.equal(answer && "fail" in answer ? answer.fail : answer, deferUntil && "quiet_hours");
  });
}

test("a transactional message leaves at any hour", () => {
  for (const [time] of MOMENTS)
    assert.equal(SMS.beforeSend?.(orderOf({ route: "transactional", quiet_hours: "fail" }), lagos(time)), undefined);
});

test("a lost answer waits for a report until an hour after the validity, in test mode ten seconds", () => {
  const now = lagos("12:00:00");
  const order = { ...orderOf({}), expiresAt: lagos("15:00:00") };
  assert.equal(SMS.messageWaits?.("live")?.unknownMs(order, now), 4 * 3_600_000);
  assert.equal(SMS.messageWaits?.("live")?.unknownMs({ ...order, expiresAt: lagos("11:00:00") }, now), 3_600_000);
  assert.equal(SMS.messageWaits?.("test")?.unknownMs(order, now), 10_000);
  assert.equal(SMS.messageWaits?.("live")?.retriesMax, 2);
});

test("a message is routed by its network, as guessed, and by its kind", () => {
  assert.deepEqual(SMS.labels?.(orderOf({})), { channel: "sms", network: "mtn", route: "promotional" });
  assert.deepEqual(SMS.labels?.(orderOf({ network_guess: null })), {
    channel: "sms",
    network: undefined,
    route: "promotional",
  });
});
