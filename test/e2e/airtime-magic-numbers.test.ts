import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { arrivals, buy, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { LATE_MS, startRig } from "./rig.ts";

const rig = await startRig();

interface Row {
  /** Last two digits after +23480000000, or a whole number. */
  readonly number: string;
  /** What the POST is answered with, waiting as long as it may. */
  readonly answer: 201 | 422 | 503;
  readonly code?: string;
  readonly failure?: string;
  readonly end?: "successful" | "failed" | "reversed";
  /** How often the vendor took it. */
  readonly vends: number;
  readonly timeline?: RegExp;
}

/** The contract's table of test mode, for airtime and data. What it says of messages alone is ordinary here. */
const ROWS: readonly Row[] = [
  ...["+2348031234567", "02", "03", "06", "08", "09", "10", "20"].map(
    (number): Row => ({ number, answer: 201, end: "successful", vends: 1 }),
  ),
  { number: "01", answer: 422, code: "purchase_failed", failure: "invalid_number", end: "failed", vends: 0 },
  { number: "04", answer: 201, end: "successful", vends: 1, timeline: /no whole answer/ },
  { number: "05", answer: 422, code: "purchase_failed", failure: "vendor_failed", end: "failed", vends: 1 },
  { number: "07", answer: 201, end: "successful", vends: 1, timeline: /019/ },
  { number: "11", answer: 201, end: "reversed", vends: 1 },
  { number: "12", answer: 422, code: "wrong_network", failure: "wrong_network", end: "failed", vends: 0 },
  { number: "13", answer: 503, code: "provider_unavailable", vends: 0 },
];

const FULL = parseKobo("10000.00");
const PLAN_ID = "mtn-1gb-30d-6xaa0st1";
const PRODUCTS = {
  airtime: { path: "/airtime/topup", body: { amount: "500.00" }, price: parseKobo("485.00") },
  data: { path: "/airtime/data", body: { plan_id: PLAN_ID }, price: parseKobo("505.00") },
} as const;

await waitFor("the data plans", async () => {
  const { body } = await rig.local.get<{ data: readonly unknown[] }>("/airtime/data/plans?network=mtn");
  return body.data.length > 0;
});

/** All at once, each from an account of its own, so that a wallet shows one purchase's price. */
const ended = await Promise.all(
  (["airtime", "data"] as const).flatMap((product) =>
    ROWS.map(async (row, index) => {
      const subscriber = await rig.subscriber({ balance: "10000.00", also: { airtime: "scale" } });
      // An ordinary number for each: the vendor refuses what looks like a repeat. The magic ones are shared by both products.
      const to = row.number.startsWith("+")
        ? `+23480312345${index}${product === "data" ? 1 : 0}`
        : `+23480000000${row.number}`;
      const { path, body } = PRODUCTS[product];
      const answer = await buy(subscriber, path, { to, ...body });
      return { row, product, subscriber, to, answer };
    }),
  ),
);

for (const { row, product, subscriber, to, answer } of ended) {
  const { price } = PRODUCTS[product];
  const what = row.end ? `ends ${row.end}` : "makes no order";
  test(`${product} for ${to} ${what}, answered ${row.answer}, with wallet, handset and vendor agreeing`, async () => {
    assert.equal(answer.status, row.answer, JSON.stringify(answer.body));
    assert.equal(answer.body.code, row.code);
    if (!row.end) {
      const { body } = await subscriber.get<{ data: readonly Purchase[] }>("/airtime/purchases");
      assert.deepEqual(body.data, []);
      assert.deepEqual(await subscriber.wallet(), { balance: FULL, held: 0n, available: FULL });
      return;
    }
    const bought = purchaseIn(answer);
    assert.equal(bought.object, product);
    if (row.answer === 201) assert.equal(bought.status, "successful");
    const purchase = await purchaseBecomes(subscriber, bought, row.end);
    assert.equal(purchase.failure?.code, row.failure);
    if (row.timeline) assert.match(JSON.stringify(purchase.timeline), row.timeline);
    const lastAt = Date.parse(purchase.timeline?.at(-1)?.at ?? "");
    assert.ok(lastAt - Date.parse(purchase.created_at) < 30_000 + LATE_MS, "within half a minute");

    const charge = row.end === "successful" ? price : 0n;
    assert.deepEqual(await subscriber.wallet(), { balance: FULL - charge, held: 0n, available: FULL - charge });
    assert.equal(purchase.charge, { successful: "charged", failed: "returned", reversed: "refunded" }[row.end]);

    const arrived = (await arrivals(subscriber, to))[product];
    const delivered = row.end !== "failed";
    assert.deepEqual(
      arrived.map(({ purchase_id, reversed }) => [purchase_id, reversed]),
      delivered ? [[purchase.id, row.end === "reversed" ? true : undefined]] : [],
    );

    const { rows } = await rig.db.query<{ reference: string }>("select reference from attempts where order_id = $1", [
      decodeId("pur", purchase.id),
    ]);
    const vends = await Promise.all(rows.map(({ reference }) => rig.vendors.vends("vtpass", { reference })));
    assert.equal(vends.flat().length, row.vends);

    const events = await rig.db.query<{ type: string }>(
      "select type from events where order_id = $1 and type is not null order by sequence",
      [decodeId("pur", purchase.id)],
    );
    const states = row.end === "reversed" ? ["successful", "reversed"] : [row.end];
    assert.deepEqual(
      events.rows.map(({ type }) => type),
      states.map((state) => `${product}.${state}`),
    );
  });
}

rig.provesItsLedger();
