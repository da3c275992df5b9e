import assert from "node:assert/strict";
import { test } from "node:test";
import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { SMS_ORDER as ORDER } from "../testing/sms-order.ts";
import { timelineView } from "./sms.timeline.ts";

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

test("a timeline begins with the acceptance, and a message that was not marked before its call gets its `sending`", () => {
  const rows = [
    row({ detail: { begun_at: after(4).toISOString(), route: "smsc-simulator" } }),
    row({ status: "delivered", previous_status: "sent", at: after(412), detail: { report: "delivered", piece: 0 } }),
  ];
  assert.deepEqual(timelineView({ ...ORDER, state: "delivered" }, rows), [
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
  const states = timelineView(ORDER, rows).map(({ status }) => status);
  assert.deepEqual(states, ["queued", "sending", "sent"]);
});

const DETAILS: readonly (readonly [detail: Record<string, unknown>, said: string | undefined])[] = [
  [{ report: "delivered", piece: 0 }, "report: delivered"],
  [{ report: "delivered", piece: 0, answer: "stat DELIVRD" }, "report: delivered; stat DELIVRD"],
  [{ answer: "No answer", lost_answers: 1 }, "No answer; trying again (1 lost)"],
  [{ until: "2026-11-28T07:00:00.000Z" }, "waits until 2026-11-28T07:00:00.000Z"],
  [{ route: "smsc-simulator", begun_at: AT.toISOString() }, undefined],
];
for (const [detail, said] of DETAILS) {
  test(`what the engine notes as ${JSON.stringify(detail)} is told as ${said ?? "nothing"}`, () => {
    const [, entry] = timelineView(ORDER, [row({ previous_status: "sending", detail })]);
    assert.equal(entry?.detail, said);
  });
}

/** The timeline after its acceptance, as `status: detail`. */
const told = (order: Order, rows: readonly TimelineRow[]) =>
  timelineView(order, rows)
    .slice(1)
    .map(({ status, detail }) => `${status}: ${detail ?? ""}`);

/** A word of the vendor that left the message as it was. */
const note = (status: string, detail: Record<string, unknown>) => row({ status, previous_status: status, detail });
const DELIVERED: Order = { ...ORDER, state: "delivered", endedAt: after(400) };
const delivered = row({
  status: "delivered",
  previous_status: "sent",
  detail: { report: "delivered", piece: 0, answer: "stat DELIVRD" },
});

test("a report that changed nothing says so, and a repeat of it, or of the one that did, is counted where it was told", () => {
  const late = (report: string, answer: string) => note("delivered", { report, piece: 0, answer, late: true });
  const rows = [
    delivered,
    late("sent", "stat ENROUTE"),
    late("delivered", "stat DELIVRD"),
    late("sent", "stat ENROUTE"),
  ];
  assert.deepEqual(told(DELIVERED, rows), [
    "delivered: report: delivered; stat DELIVRD; repeated once",
    "delivered: late report: sent; stat ENROUTE; nothing changed; repeated once",
  ]);
  const four = [...rows, late("sent", "stat ENROUTE"), late("undelivered", "stat UNDELIV")];
  assert.deepEqual(told(DELIVERED, four).slice(1), [
    "delivered: late report: sent; stat ENROUTE; nothing changed; repeated 2 times",
    "delivered: late report: undelivered; stat UNDELIV; nothing changed",
  ]);
});

test("a hundred identical receipts make one entry", () => {
  const repeats = Array.from({ length: 99 }, () => note("delivered", { ...delivered.detail, late: true }));
  assert.deepEqual(told(DELIVERED, [delivered, ...repeats]), [
    "delivered: report: delivered; stat DELIVRD; repeated 99 times",
  ]);
});

test("an answer that came after another holder's says that nothing changed", () => {
  assert.deepEqual(told(ORDER, [note("sent", { late_answer: "accepted", route: "smsc", attempt: 1 })]), [
    "sent: an earlier try was answered late: accepted; nothing changed",
  ]);
});

test("a report on one part of several is news about that part although the message stays as it is, once", () => {
  const order: Order = { ...DELIVERED, pieces: [{ status: "delivered" }, { status: "delivered" }] };
  const part = (piece: number, report: string) => note("sent", { report, piece });
  const last = row({ status: "delivered", previous_status: "sent", detail: { report: "delivered", piece: 1 } });
  assert.deepEqual(
    told(order, [
      part(0, "sent"),
      part(0, "delivered"),
      part(0, "delivered"),
      last,
      note("delivered", { report: "undelivered", piece: 0, late: true }),
    ]),
    [
      "sent: part 1; report: sent; nothing changed",
      "sent: part 1; report: delivered; repeated once",
      "delivered: part 2; report: delivered",
      "delivered: part 1; late report: undelivered; nothing changed",
    ],
  );
});

test("an end that no vendor spoke of is told by its failure", () => {
  const failure = { code: "outcome_unknown", detail: "The vendor's answer was lost and no report came in time." };
  const order: Order = { ...ORDER, state: "failed", facts: { failure }, endedAt: after(400) };
  const rows = [
    row({ status: "unknown", previous_status: "queued", detail: { answer: "No answer" } }),
    row({ status: "failed", previous_status: "unknown" }),
  ];
  assert.deepEqual(told(order, rows), ["unknown: No answer", `failed: ${failure.detail}`]);
});

test("one that was throttled again and again is told of it once, and of its last `sending`", () => {
  const throttled = row({
    status: "queued",
    previous_status: "sending",
    at: after(9),
    detail: {
      begun_at: after(4).toISOString(),
      answer: "RMSGQFUL (0x0014)",
      times: 12,
      last_at: after(60_000).toISOString(),
    },
  });
  const rows = [
    row({ status: "sending", previous_status: "queued", at: after(4) }),
    throttled,
    row({ previous_status: "sending", at: after(90_010), detail: { begun_at: after(90_000).toISOString() } }),
  ];
  assert.deepEqual(told(ORDER, rows), [
    "sending: ",
    "queued: RMSGQFUL (0x0014); 12 times, the last at 2026-11-27T09:01:00.000Z",
    "sending: ",
    "sent: ",
  ]);
});
