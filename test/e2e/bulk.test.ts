import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { kobo, parseKobo } from "../../src/kernel/kobo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { assertProblem, type Bulk, type BulkSummary, type Page, type Problem, phone, startRig } from "./rig.ts";

const rig = await startRig();
const { db, local, smsc } = rig;

const PRICE_KOBO = parseKobo("3.20");

const summaryOf = async (id: string) => (await local.get<BulkSummary>(`/sms/bulk/${id}`)).body;
const completed = (id: string) =>
  waitFor(`${id} is complete`, async () => {
    const summary = await summaryOf(id);
    return summary.completed_at === undefined ? undefined : summary;
  });

/** How often subscribers are told that the bulk is complete. */
async function completionEvents(id: string): Promise<number> {
  const { rows } = await db.query<{ events: bigint }>(
    "select count(*) as events from events where order_id = $1 and type = 'bulk.completed'",
    [decodeId("blk", id)],
  );
  return Number(rows[0]?.events);
}

const RECIPIENTS = 10_000;
/** By index: what makes that recipient unacceptable. */
const FAULTY: ReadonlyMap<number, readonly [to: string, code: string]> = new Map([
  [0, ["0803", "invalid_phone_number"]],
  [17, ["+447911123456", "destination_not_supported"]],
  [4_999, ["+2342012345678", "destination_not_supported"]],
  [5_000, ["not a number", "invalid_phone_number"]],
  [9_999, ["080312345678", "invalid_phone_number"]],
  [1_000, [phone(999), "repeated_recipient"]],
  [7_000, [phone(6).replace("+234", "0"), "repeated_recipient"]],
  [9_998, [phone(9_997), "repeated_recipient"]],
]);

test("of 10,000 recipients the 5 bad and 3 repeated are named, all others are accepted in one transaction and delivered once", async () => {
  // Without a connection nothing leaves, so that the rows can be looked at as they were accepted.
  await smsc.setFaults({ bindsRefused: true });
  await smsc.hangUp();
  await waitFor("the gateway has no bind", async () => (await smsc.stats()).sessions === 0);

  const before = await local.wallet();
  const to = Array.from({ length: RECIPIENTS }, (_, index) => FAULTY.get(index)?.[0] ?? phone(index));
  const answer = await local.post<Bulk>("/sms/bulk", { to, message: "We open at nine", metadata: { shop: "Ikeja" } });
  assert.equal(answer.status, 202, JSON.stringify(answer.body).slice(0, 500));
  const bulk = answer.body;
  assert.deepEqual(
    bulk.rejected.map(({ index, to: number, code }) => [index, number, code]),
    [...FAULTY].sort(([a], [b]) => a - b).map(([index, [number, code]]) => [index, number, code]),
  );
  const accepted = RECIPIENTS - FAULTY.size;
  assert.equal(bulk.accepted, accepted);
  assert.equal(bulk.messages.length, accepted);
  const total = kobo(PRICE_KOBO * BigInt(accepted));
  assert.equal(parseKobo(bulk.price.amount), total);

  // Every row was written by the same transaction, which is what `xmin` says.
  for (const table of ["orders", "transfers"]) {
    const { rows } = await db.query<{ rows: bigint; transactions: bigint }>(
      `select count(*) as rows, count(distinct xmin::text) as transactions from ${table}
        where id = any($1::uuid[])`,
      [bulk.messages.map(({ id }) => decodeId("msg", id))],
    );
    assert.deepEqual([table, rows[0]?.rows, rows[0]?.transactions], [table, BigInt(accepted), 1n]);
  }
  assert.equal((await local.wallet()).held - before.held, total);
  assert.deepEqual((await summaryOf(bulk.id)).counts, { queued: accepted });

  await smsc.setFaults({ bindsRefused: false });
  const summary = await completed(bulk.id);
  assert.deepEqual(summary.counts, { delivered: accepted });
  assert.equal(parseKobo(summary.amounts.charged.amount), total);
  assert.deepEqual([summary.amounts.held.amount, summary.amounts.returned.amount], ["0.00", "0.00"]);
  const wallet = await local.wallet();
  assert.deepEqual([before.balance - wallet.balance, wallet.held], [total, 0n]);
  assert.equal(await completionEvents(bulk.id), 1);

  const submits = await rig.submits(bulk.messages.map(({ id }) => id));
  assert.equal(submits.length, accepted);
  assert.deepEqual(
    new Set(submits.map((submit) => submit.destination.replace(/^\+?/, "+"))),
    new Set(bulk.messages.map((message) => message.to)),
  );
});

test("a bulk with a text each sends each its own, and its messages are listed under its id", async () => {
  const messages = Array.from({ length: 5 }, (_, index) => ({
    to: phone(20_000 + index),
    message: `Number ${index}`,
    reference: `own-${index}`,
  }));
  const { body: bulk } = await local.post<Bulk>("/sms/bulk", { messages, from: "Shop", reference: "whole" });
  assert.deepEqual([bulk.accepted, bulk.reference], [5, "whole"]);
  assert.equal((await completed(bulk.id)).reference, "whole");
  const { body: page } = await local.get<Page>(`/sms/messages?bulk_id=${bulk.id}`);
  assert.deepEqual(
    page.data.map(({ to, message, reference, from, bulk_id: id }) => [to, message, reference, from, id]).reverse(),
    messages.map(({ to, message, reference }) => [to, message, reference, "Shop", bulk.id]),
  );
  for (const { to, message } of messages)
    assert.deepEqual(
      (await local.handset(to)).map(({ text }) => text),
      [message],
    );
});

test("a bulk that the wallet can't pay for is refused whole: 402, no order, no hold, its key not spent", async () => {
  const subscriber = await rig.subscriber({ balance: "9.59" });
  const headers = { "idempotency-key": randomUUID() };
  const body = { to: [phone(30_000), phone(30_001), phone(30_002)], message: "Three cost 9.60" };
  const answer = await subscriber.post<Problem>("/sms/bulk", body, headers);
  assertProblem(answer);
  assert.deepEqual([answer.status, answer.body.code], [402, "insufficient_balance"]);
  assert.match(answer.body.detail, /₦9\.60.*₦9\.59/);
  assert.deepEqual(await subscriber.wallet(), { balance: 959n, held: 0n, available: 959n });
  assert.deepEqual((await subscriber.get<Page>("/sms/messages")).body.data, []);
  const smaller = await subscriber.post<Bulk>("/sms/bulk", { ...body, to: body.to.slice(1) }, headers);
  assert.equal(smaller.status, 202);
  for (const { id } of smaller.body.messages) await subscriber.reached(id, "delivered");
  assert.equal((await subscriber.wallet()).balance, 959n - 640n);
});

test("a bulk without one acceptable recipient is refused with 422, each fault at its place", async () => {
  const answer = await local.post<Problem>("/sms/bulk", { to: ["0803", "+447911123456"], message: "x" });
  assertProblem(answer);
  assert.deepEqual([answer.status, answer.body.code], [422, "no_acceptable_recipient"]);
  assert.deepEqual(
    answer.body.errors?.map(({ pointer, code }) => [pointer, code]),
    [
      ["/to/0", "invalid_phone_number"],
      ["/to/1", "destination_not_supported"],
    ],
  );
});

const WRONG: readonly (readonly [what: string, body: object, status: number, code: string])[] = [
  [
    "both `to` and `messages`",
    { to: [phone(1)], message: "x", messages: [{ to: phone(1), message: "x" }] },
    400,
    "validation_failed",
  ],
  ["`to` without `message`", { to: [phone(1)] }, 400, "validation_failed"],
  ["neither", { from: "Shop" }, 400, "validation_failed"],
  ["no recipient", { to: [], message: "x" }, 400, "validation_failed"],
  [
    "10,001 recipients",
    { to: Array.from({ length: 10_001 }, (_, index) => phone(index)), message: "x" },
    400,
    "validation_failed",
  ],
  ["a sender that can't be", { to: [phone(1)], message: "x", from: "A Very Long Sender" }, 400, "validation_failed"],
];
for (const [what, body, status, code] of WRONG) {
  test(`a bulk with ${what} is refused with ${status} ${code}`, async () => {
    const answer = await local.post<Problem>("/sms/bulk", body);
    assertProblem(answer);
    assert.deepEqual([answer.status, answer.body.code], [status, code]);
  });
}

rig.provesItsLedger();
