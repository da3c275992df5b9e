import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { SMS_ORDER as ORDER, STORED_SMS as PAYLOAD } from "../testing/sms-order.ts";
import { acceptedView, messageInFull, messageView } from "./sms.view.ts";

const AT = ORDER.createdAt;
const after = (ms: number) => new Date(AT.getTime() + ms);

const row = (entry: Partial<TimelineRow>): TimelineRow => ({
  version: 2,
  status: "sent",
  previous_status: "queued",
  type: null,
  sequence: null,
  at: after(11),
  detail: null,
  ...entry,
});

test("a message shows money in naira, numbers in E.164, and no field that it does not have", () => {
  const { id, ...view } = messageView(ORDER);
  assert.match(id, /^msg_[0-7][0-9a-z]{25}$/);
  assert.deepEqual(view, {
    object: "sms",
    mode: "test",
    status: "sent",
    to: "+2348031234567",
    from: "Afara",
    message: "Your code is 4471",
    encoding: "gsm7",
    segments: 1,
    network_guess: "mtn",
    price: { amount: "4.00", currency: "NGN", tax: "0.28" },
    created_at: "2026-11-27T09:00:00.000Z",
    updated_at: "2026-11-27T09:00:00.011Z",
  });
});

test("what a message has beyond that is shown: reference, metadata, bulk, time to send, network learned", () => {
  const view = messageView({
    ...ORDER,
    reference: "r-1",
    metadata: { shop: "Ikeja" },
    groupId: newUuid(),
    sendAt: after(60_000),
    facts: { network: "glo" },
  });
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
    assert.equal(messageView({ ...ORDER, payload: { ...PAYLOAD, from: stored } }).from, shown);
  });
}

test("a repeated request gets the message as it was accepted, whatever has become of it", () => {
  const delivered = { ...ORDER, state: "delivered", updatedAt: after(500) };
  const view = acceptedView(delivered);
  assert.deepEqual([view.status, view.updated_at], ["queued", view.created_at]);
  const scheduled = acceptedView({ ...delivered, payload: { ...PAYLOAD, scheduled: true } });
  assert.equal(scheduled.status, "scheduled");
});

test("a timeline begins with the acceptance, and a message that was not marked before its call gets its `sending`", () => {
  const rows = [
    row({ detail: { begun_at: after(4).toISOString(), route: "smsc-simulator" } }),
    row({ status: "delivered", previous_status: "sent", at: after(412), detail: { report: "delivered", piece: 0 } }),
  ];
  assert.deepEqual(messageInFull({ ...ORDER, state: "delivered" }, rows, AT).timeline, [
    { status: "queued", at: "2026-11-27T09:00:00.000Z" },
    { status: "sending", at: "2026-11-27T09:00:00.004Z" },
    { status: "sent", at: "2026-11-27T09:00:00.011Z" },
    { status: "delivered", at: "2026-11-27T09:00:00.412Z", detail: "report: delivered" },
  ]);
});

test("a message that was marked before its call has its `sending` once", () => {
  const rows = [
    row({ status: "sending", previous_status: "queued", at: after(4) }),
    row({ previous_status: "sending", detail: { begun_at: after(4).toISOString() } }),
  ];
  const states = messageInFull(ORDER, rows, AT).timeline.map(({ status }) => status);
  assert.deepEqual(states, ["queued", "sending", "sent"]);
});

const DETAILS: readonly (readonly [detail: Record<string, unknown>, said: string | undefined])[] = [
  [{ report: "delivered", piece: 0 }, "report: delivered"],
  [{ report: "undelivered", piece: 1, answer: "absent" }, "part 2; report: undelivered; absent"],
  [{ report: "sent", late: true }, "late report: sent"],
  [{ answer: "No answer", lost_answers: 1 }, "No answer; trying again (1 lost)"],
  [{ until: "2026-11-28T07:00:00.000Z" }, "waits until 2026-11-28T07:00:00.000Z"],
  [{ route: "smsc-simulator", begun_at: AT.toISOString() }, undefined],
];
for (const [detail, said] of DETAILS) {
  test(`what the engine notes as ${JSON.stringify(detail)} is told as ${said ?? "nothing"}`, () => {
    const [, entry] = messageInFull(ORDER, [row({ previous_status: "sending", detail })], AT).timeline;
    assert.equal(entry?.detail, said);
  });
}

test("parts are shown from two on, in words of the message's own states", () => {
  const pieces = ["open", "unanswered", "taken", "refused", "delivered"].map((status) => ({ status }));
  assert.deepEqual(messageInFull({ ...ORDER, pieces }, [], AT).parts, [
    { index: 1, status: "queued" },
    { index: 2, status: "unknown" },
    { index: 3, status: "sent" },
    { index: 4, status: "rejected" },
    { index: 5, status: "delivered" },
  ]);
  assert.equal(messageInFull(ORDER, [], AT).parts, undefined);
});

test("a report is overdue once the validity of a message that is still `sent` has run out", () => {
  const at = after(86_400_000);
  assert.equal(messageInFull(ORDER, [], at).report_overdue, undefined);
  assert.equal(messageInFull(ORDER, [], new Date(at.getTime() + 1)).report_overdue, true);
  const delivered = messageInFull({ ...ORDER, state: "delivered" }, [], new Date(at.getTime() + 1));
  assert.equal(delivered.report_overdue, undefined);
});

test("a failure is shown with its code and detail", () => {
  const failure = { code: "dnd", detail: "Do-Not-Disturb" };
  assert.deepEqual(messageInFull({ ...ORDER, state: "rejected", facts: { failure } }, [], AT).failure, failure);
});
