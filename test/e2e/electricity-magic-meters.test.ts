import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { parseKobo, taxContained } from "../../src/kernel/kobo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { buy, eventsOf, meterTokens, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { LATE_MS, phone, startRig } from "./rig.ts";

/** Everything that the gateway says, for the search at the end. */
const rig = await startRig(undefined, { AFARA_LOG_LEVEL: "debug" });

interface Row {
  readonly meter: string;
  /** What the POST is answered with, waiting as long as it may. */
  readonly answer: 201 | 422;
  readonly code?: string;
  readonly end?: "successful" | "reversed";
  readonly timeline?: RegExp;
  readonly events?: readonly string[];
}

/** The contract's table of test mode, for electricity. */
const ROWS: readonly Row[] = [
  { meter: "11111111111", answer: 201, end: "successful" },
  { meter: "19876543210", answer: 201, end: "successful" },
  { meter: "20000000002", answer: 422, code: "meter_is_postpaid" },
  { meter: "30000000003", answer: 422, code: "meter_not_found" },
  { meter: "40000000004", answer: 201, end: "successful", timeline: /no whole answer/ },
  { meter: "50000000005", answer: 201, end: "successful" },
  {
    meter: "60000000006",
    answer: 201,
    end: "successful",
    timeline: /token has not come yet/,
    events: ["electricity.token_pending", "electricity.successful"],
  },
  { meter: "70000000007", answer: 201, end: "reversed", events: ["electricity.successful", "electricity.reversed"] },
];

const FULL = parseKobo("10000.00");
/** ₦3,000 and the plan's fee. */
const PRICE = parseKobo("3020.00");
const MESSAGE = parseKobo("3.20");

/** All at once at each disco, each from an account of its own, so that a wallet shows one purchase's price. */
const ended = await Promise.all(
  ["ikeja-electric", "eko-electric"].flatMap((disco, discoIndex) =>
    ROWS.map(async (row, index) => {
      const subscriber = await rig.subscriber({ balance: "10000.00", also: { electricity: "scale" } });
      const to = phone(discoIndex * 100 + index);
      const body = { meter_number: row.meter, disco, amount: 3_000, to, notify: { channel: "sms" } };
      const answer = await buy(subscriber, "/electricity/purchase", body);
      return { row, disco, subscriber, to, answer };
    }),
  ),
);

/** What the vendors sold: none of it may stand anywhere in clear. */
const secrets: string[] = [];

for (const { row, disco, subscriber, to, answer } of ended) {
  const what = row.end ? `ends ${row.end}` : `is refused with ${row.code}`;
  test(`meter ${row.meter} at ${disco} ${what}, with wallet, meter, events and the customer's phone agreeing`, async () => {
    assert.equal(answer.status, row.answer, JSON.stringify(answer.body));
    assert.equal(answer.body.code, row.code);
    if (!row.end) {
      const { body } = await subscriber.get<{ data: readonly Purchase[] }>("/electricity/purchases");
      assert.deepEqual(body.data, []);
      assert.deepEqual(await subscriber.wallet(), { balance: FULL, held: 0n, available: FULL });
      return;
    }
    const bought = purchaseIn(answer);
    assert.equal(bought.status, "successful");
    const purchase = await purchaseBecomes(subscriber, bought, row.end);
    if (row.timeline) assert.match(JSON.stringify(purchase.timeline), row.timeline);
    const lastAt = Date.parse(purchase.timeline?.at(-1)?.at ?? "");
    assert.ok(lastAt - Date.parse(purchase.created_at) < 30_000 + LATE_MS, "within half a minute");
    assert.deepEqual(await eventsOf(rig.db, purchase), row.events ?? ["electricity.successful"]);

    const sold = await meterTokens(subscriber, row.meter);
    assert.deepEqual(
      sold.map(({ purchase_id, value }) => [purchase_id, value]),
      [[purchase.id, bought.tokens?.[0]?.value]],
    );
    assert.equal(purchase.tokens?.length, row.end === "successful" ? 1 : undefined, "no token whose money went back");
    secrets.push(sold[0]!.value);

    const [told, ...others] = await waitFor("the customer's message", async () => {
      const messages = await subscriber.handset(to);
      return messages.length > 0 ? messages : undefined;
    });
    assert.ok(told);
    assert.ok(told.text.includes(sold[0]!.value), told.text);
    assert.deepEqual(others, []);
    const charged = (row.end === "successful" ? PRICE : 0n) + MESSAGE;
    const message = await subscriber.ended(told.message_id);
    assert.equal(message.message, told.text.replace(/(\d{4} ){4}(?=\d{4})/, "**** **** **** **** "));
    assert.deepEqual(await subscriber.wallet(), { balance: FULL - charged, held: 0n, available: FULL - charged });
  });
}

test("what a meter owes is taken out of the amount, and told", async () => {
  const { answer } = ended.find(({ row }) => row.meter === "50000000005")!;
  const { breakdown, price, fee, charge } = purchaseIn(answer);
  assert.equal(charge, "charged");
  // To the kobo: each of the two is rounded by itself.
  const taxes = parseKobo(breakdown?.vat?.amount ?? "") + taxContained(parseKobo(fee?.amount ?? ""), 750);
  const apart = parseKobo(price.tax) - taxes;
  assert.ok(apart >= -1n && apart <= 1n, `${price.tax} and ${taxes} kobo: arrears bear no VAT`);
  assert.equal(breakdown?.arrears?.amount, "500.00");
  const parts = [breakdown?.energy, breakdown?.vat, breakdown?.arrears].map((part) => parseKobo(part?.amount ?? ""));
  assert.equal(
    parts.reduce<bigint>((sum, part) => sum + part, 0n),
    parseKobo("3000.00"),
  );
});

test("each of them was vended at most once", async () => {
  for (const { row, answer } of ended) {
    if (!row.end) continue;
    const { rows } = await rig.db.query<{ route: string; reference: string }>(
      "select route, reference from attempts where order_id = $1",
      [decodeId("pur", purchaseIn(answer).id)],
    );
    const vends = await Promise.all(
      rows.map(({ route, reference }) => rig.vendors.vends(route.replace("-simulator", ""), { reference })),
    );
    assert.equal(vends.flat().length, 1, row.meter);
  }
});

test("no token stands in any table or in the log, in groups or not", async () => {
  assert.ok(secrets.length >= 10);
  const texts = secrets.flatMap((token) => [token, token.replaceAll(" ", ""), token.replaceAll(" ", "-")]);
  const log = rig.gateway.output();
  assert.ok(log.includes('"level":'), "the log says something");
  for (const text of texts) assert.ok(!log.includes(text), "a token is in the log");
  const { rows: tables } = await rig.db.query<{ name: string }>(
    "select quote_ident(relname) as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
  );
  assert.ok(tables.length > 20);
  const patterns = texts.map((text) => `%${text}%`);
  for (const { name } of tables) {
    const { rows } = await rig.db.query(`select 1 from ${name} t where t::text like any($1)`, [patterns]);
    assert.deepEqual(rows, [], `a token is in ${name}`);
  }
});

rig.provesItsLedger();
