import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import type { Order } from "../orders/order.ts";
import type { HoldState } from "../orders/steps.ts";
import { SMS_ORDER as ORDER, STORED_SMS as PAYLOAD } from "../testing/sms-order.ts";
import { NO_HOLDS } from "./charge.ts";
import type { SmsRoute } from "./prices.ts";
import { acceptedView, messageInFull, messageView } from "./sms.view.ts";

const AT = ORDER.createdAt;
const after = (ms: number) => new Date(AT.getTime() + ms);

test("a message shows money in naira, numbers in E.164, and no field that it does not have", () => {
  const { id, ...view } = messageView(ORDER, NO_HOLDS);
  assert.match(id, /^msg_[0-7][0-9a-z]{25}$/);
  assert.deepEqual(view, {
    object: "sms",
    direction: "outbound",
    mode: "test",
    status: "sent",
    to: "+2348031234567",
    from: "Afara",
    message: "Your code is 4471",
    encoding: "gsm7",
    segments: 1,
    network_guess: "mtn",
    price: { amount: "4.00", currency: "NGN", tax: "0.28" },
    charge: "charged",
    created_at: "2026-11-27T09:00:00.000Z",
    updated_at: "2026-11-27T09:00:00.011Z",
  });
});

test("what a message has beyond that is shown: reference, metadata, bulk, time to send, network learned", () => {
  const view = messageView(
    {
      ...ORDER,
      reference: "r-1",
      metadata: { shop: "Ikeja" },
      groupId: newUuid(),
      sendAt: after(60_000),
      facts: { network: "glo" },
    },
    NO_HOLDS,
  );
  assert.deepEqual([view.reference, view.metadata, view.network], ["r-1", { shop: "Ikeja" }, "glo"]);
  assert.equal(view.send_at, "2026-11-27T09:01:00.000Z");
  assert.match(view.bulk_id ?? "", /^blk_/);
});

const SENDERS: readonly (readonly [stored: string, shown: string])[] = [
  ["Afara", "Afara"],
  ["32811", "32811"],
  ["2348031234567", "+2348031234567"],
];
for (const [stored, shown] of SENDERS) {
  test(`a sender stored as ${stored} is shown as ${shown}`, () => {
    assert.equal(messageView({ ...ORDER, payload: { ...PAYLOAD, from: stored } }, NO_HOLDS).from, shown);
  });
}

test("a repeated request gets the message as it was accepted, whatever has become of it", () => {
  const delivered = { ...ORDER, state: "delivered", updatedAt: after(500) };
  const view = acceptedView(delivered);
  assert.deepEqual([view.status, view.updated_at], ["queued", view.created_at]);
  const scheduled = acceptedView({ ...delivered, payload: { ...PAYLOAD, scheduled: true } });
  assert.equal(scheduled.status, "scheduled");
});

test("parts are shown from two on, in words of the message's own states", () => {
  const pieces = ["open", "unanswered", "taken", "refused", "delivered"].map((status) => ({ status }));
  assert.deepEqual(messageInFull({ ...ORDER, pieces }, NO_HOLDS, [], AT).parts, [
    { index: 1, status: "queued" },
    { index: 2, status: "unknown" },
    { index: 3, status: "sent" },
    { index: 4, status: "rejected" },
    { index: 5, status: "delivered" },
  ]);
  assert.equal(messageInFull(ORDER, NO_HOLDS, [], AT).parts, undefined);
});

test("a report is overdue once the validity of a message that is still `sent` has run out", () => {
  const at = after(86_400_000);
  assert.equal(messageInFull(ORDER, NO_HOLDS, [], at).report_overdue, undefined);
  assert.equal(messageInFull(ORDER, NO_HOLDS, [], new Date(at.getTime() + 1)).report_overdue, true);
  const delivered = messageInFull({ ...ORDER, state: "delivered" }, NO_HOLDS, [], new Date(at.getTime() + 1));
  assert.equal(delivered.report_overdue, undefined);
});

const CHARGES: readonly (readonly [state: string, hold: HoldState | undefined, charge: string])[] = [
  ["scheduled", undefined, "held"],
  ["queued", undefined, "held"],
  ["sending", undefined, "held"],
  ["unknown", undefined, "held"],
  ["sent", undefined, "charged"],
  ["delivered", undefined, "charged"],
  ["undelivered", undefined, "charged"],
  ["failed", undefined, "returned"],
  ["cancelled", undefined, "returned"],
  ["expired", "posted", "charged"],
  ["expired", "voided", "returned"],
  ["rejected", "posted", "charged"],
  ["rejected", "voided", "returned"],
  ["rejected", undefined, "returned"],
];
for (const [state, hold, charge] of CHARGES) {
  test(`the money of a message that is ${state} (hold: ${hold ?? "not asked for, or none"}) is ${charge}`, () => {
    const holds = new Map(hold ? [[ORDER.id, hold]] : []);
    assert.equal(messageView({ ...ORDER, state }, holds).charge, charge);
  });
}

test("a repeated request is told that the price is held, and nothing that was learned later", () => {
  const first = acceptedView({ ...ORDER, state: "queued", updatedAt: ORDER.createdAt });
  assert.equal(first.charge, "held");
  assert.deepEqual(acceptedView({ ...ORDER, state: "delivered", facts: { network: "glo" } }), first);
});

/** 27 November 2026 in Lagos, where promotional messages leave between 08:00 and 20:00. */
const lagos = (day: number, time: string) => new Date(`2026-11-${day}T${time}+01:00`);
const LEAVES: readonly (readonly [what: string, scheduled: Partial<Order>, route: SmsRoute, leavesAt: Date])[] = [
  ["for later", { sendAt: lagos(28, "22:30:00") }, "transactional", lagos(28, "22:30:00")],
  ["for an hour by day", { sendAt: lagos(28, "12:00:00") }, "promotional", lagos(28, "12:00:00")],
  ["for an hour by night", { sendAt: lagos(28, "22:30:00") }, "promotional", lagos(29, "08:00:00")],
  ["by night", { updatedAt: lagos(27, "21:00:00") }, "promotional", lagos(28, "08:00:00")],
  [
    "and put off when its hour had passed",
    { sendAt: lagos(27, "19:59:00"), updatedAt: lagos(27, "20:00:01") },
    "promotional",
    lagos(28, "08:00:00"),
  ],
];
for (const [what, scheduled, route, leavesAt] of LEAVES) {
  test(`a ${route} message scheduled ${what} says that it leaves at ${leavesAt.toISOString()}`, () => {
    const order: Order = { ...ORDER, state: "scheduled", ...scheduled, payload: { ...PAYLOAD, route } };
    assert.equal(messageView(order, NO_HOLDS).leaves_at, leavesAt.toISOString());
    assert.equal(messageView({ ...order, state: "queued" }, NO_HOLDS).leaves_at, undefined);
  });
}

test("a failure is shown with its code and detail", () => {
  const failure = { code: "dnd", detail: "Do-Not-Disturb" };
  assert.deepEqual(
    messageInFull({ ...ORDER, state: "rejected", facts: { failure } }, NO_HOLDS, [], AT).failure,
    failure,
  );
});
