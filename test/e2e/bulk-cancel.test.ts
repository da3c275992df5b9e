import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { kobo, parseKobo } from "../../src/kernel/kobo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type Bulk, type BulkSummary, type Money, type Page, phone, startRig } from "./rig.ts";

/** Slow enough for a cancel to come in mid-flight. */
const RATE_PER_SECOND = 200;
const RECIPIENTS = 1_000;
const PRICE_KOBO = parseKobo("3.20");

const rig = await startRig((config) => ({
  ...config,
  routes: config.routes.map((route) => ({ ...route, window: 20, ratePerSecond: RATE_PER_SECOND })),
}));
const { db, local } = rig;

interface Cancelled {
  readonly cancelled: number;
  readonly too_late: number;
  readonly returned: Money;
}

const summaryOf = async (id: string) => (await local.get<BulkSummary>(`/sms/bulk/${id}`)).body;

test("a bulk cancelled in mid-flight returns what had not left, charges what had, and completes once", async () => {
  const before = await local.wallet();
  const to = Array.from({ length: RECIPIENTS }, (_, index) => phone(index));
  const { body: bulk } = await local.post<Bulk>("/sms/bulk", { to, message: "Sale on Friday" });
  assert.equal(bulk.accepted, RECIPIENTS);
  await waitFor("some are delivered", async () => ((await summaryOf(bulk.id)).counts.delivered ?? 0) >= 20);

  const { status, body } = await local.post<Cancelled>(`/sms/bulk/${bulk.id}/cancel`);
  assert.equal(status, 200);
  assert.equal(body.cancelled + body.too_late, RECIPIENTS);
  assert.ok(body.cancelled > 0 && body.too_late >= 20, JSON.stringify(body));
  const returned = kobo(PRICE_KOBO * BigInt(body.cancelled));
  assert.equal(parseKobo(body.returned.amount), returned);

  const summary = await waitFor("the bulk is complete", async () => {
    const seen = await summaryOf(bulk.id);
    return seen.completed_at === undefined ? undefined : seen;
  });
  assert.deepEqual(summary.counts, { cancelled: body.cancelled, delivered: body.too_late });
  const taken = kobo(PRICE_KOBO * BigInt(body.too_late));
  assert.equal(parseKobo(summary.amounts.returned.amount), returned);
  assert.equal(parseKobo(summary.amounts.charged.amount), taken);
  assert.equal(summary.amounts.held.amount, "0.00");
  const wallet = await local.wallet();
  assert.deepEqual([before.balance - wallet.balance, wallet.held], [taken, 0n]);

  const { rows } = await db.query<{ events: bigint }>(
    "select count(*) as events from events where order_id = $1 and type = 'bulk.completed'",
    [decodeId("blk", bulk.id)],
  );
  assert.equal(rows[0]?.events, 1n);

  // The wire agrees: what was cancelled never left, what was too late left once.
  const submits = await rig.submits(bulk.messages.map(({ id }) => id));
  assert.equal(submits.length, body.too_late);
  const { body: page } = await local.get<Page>(`/sms/messages?bulk_id=${bulk.id}&status=cancelled&limit=100`);
  const left = new Set(submits.map((submit) => submit.trace?.orderId));
  for (const message of page.data) assert.ok(!left.has(decodeId("msg", message.id)), message.id);

  const again = await local.post<Cancelled>(`/sms/bulk/${bulk.id}/cancel`);
  assert.deepEqual(again.body, {
    object: "bulk_cancellation",
    bulk_id: bulk.id,
    cancelled: 0,
    too_late: RECIPIENTS,
    returned: { amount: "0.00", currency: "NGN" },
  });
  assert.deepEqual(summary.price, bulk.price);
});

test("a bulk of scheduled messages is cancelled whole, and nothing of it leaves", async () => {
  const before = await local.wallet();
  const to = Array.from({ length: 50 }, (_, index) => phone(5_000 + index));
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const { body: bulk } = await local.post<Bulk>("/sms/bulk", { to, message: "Tomorrow", send_at: sendAt });
  assert.deepEqual(new Set(bulk.messages.map(({ status }) => status)), new Set(["scheduled"]));
  const { body } = await local.post<Cancelled>(`/sms/bulk/${bulk.id}/cancel`);
  assert.deepEqual(body, {
    object: "bulk_cancellation",
    bulk_id: bulk.id,
    cancelled: 50,
    too_late: 0,
    returned: { amount: "160.00", currency: "NGN" },
  });
  assert.deepEqual(await local.wallet(), before);
  assert.notEqual((await summaryOf(bulk.id)).completed_at, undefined);
});

rig.provesItsLedger();
