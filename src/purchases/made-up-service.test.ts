import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConfigFile } from "../config/operator-file.ts";
import { newUuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { ok } from "../kernel/result.ts";
import { openLedgerAccounts, postTransfer } from "../ledger/ledger.repo.ts";
import { lookUp } from "../orders/look-up.repo.ts";
import { makeOrders } from "../orders/orders.ts";
import type { CustomerMessage } from "../ports/customer-message.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { REAL_CLOCK } from "../testing/engine.ts";
import { makeRig } from "../testing/http-rig.ts";
import { PARKING, PARKING_LINE, PARKING_TAG, type ParkingFacts, parkingRoutes } from "../testing/parking.ts";
import { PRODUCT_LINES } from "../testing/product-lines.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makePurchasesPart } from "./index.ts";

/** A service that nothing outside its own file knows is sold beside those of the product. */

const CODE = "PKX7Q2M9TR4W";
const WHOLE = "PKX7-Q2M9-TR4W";
const MASKED = "••••-••••-TR4W";
const UNTIL = "2026-11-27T18:00:00.000Z";
const PRICE_KOBO = kobo(50_000);

const database = await makeTestDatabase();
const db = database.open();
const vendor = new ScriptedProvider("vendor");
const facts: ParkingFacts = {
  tokens: [{ kind: "barrier", value: CODE, gate: "north" }],
  valid_until: UNTIL,
  receipt_number: `R ${CODE}`,
};
vendor.answers(() => ({ kind: "done", providerReference: `${CODE}/1`, facts: { ...facts } }));
const orders = makeOrders({
  db,
  node: newUuid(),
  role: "all",
  clock: REAL_CLOCK,
  log: SILENT,
  services: [PARKING],
  routes: [
    {
      provider: vendor,
      settings: { name: "vendor", queues: ["parking:test"], weight: 1, window: 50, ratePerSecond: 1_000 },
    },
  ],
  isSuspended: async () => false,
  leaseSeconds: 30,
  inboxMax: 100,
  waitingMax: 100,
  answerMs: 5_000,
});
const messages: CustomerMessage[] = [];
const purchases = makePurchasesPart({
  db,
  clock: REAL_CLOCK,
  log: SILENT,
  file: { vatBasisPoints: 750 } as ConfigFile,
  sellerLogo: undefined,
  secret: "a secret of the tests, long enough for it",
  orders,
  wallet: { availableOf: async () => kobo(1_000_000) },
  async send(message) {
    messages.push(message);
    const { id, to } = message;
    return ok({ id, to, status: "queued", priceKobo: kobo(400), taxKobo: kobo(28), replayed: false });
  },
});
for (const one of PRODUCT_LINES) purchases.hooksFor(one);
orders.attach([{ definition: PARKING, ...purchases.hooksFor(PARKING_LINE) }]);

const accountId = newUuid();
await openLedgerAccounts(db, accountId, "test", ["wallet", "funding", "refunds", "loss", "sales:parking"]);
await postTransfer(db, {
  accountId,
  id: newUuid(),
  mode: "test",
  kind: "credit",
  debit: "funding",
  credit: "wallet",
  amountKobo: kobo(1_000_000),
  reason: "what the test begins with",
  at: new Date(),
});
const record = { accountId, scopes: ["read", "vend"], subscriptions: { parking: { plan: "free" } } };
const { app, key, setRecord } = await makeRig({
  key: record,
  options: { serviceTags: [PARKING_TAG], refusals: [purchases.refusals] },
});
parkingRoutes(app, purchases, PRICE_KOBO);
await orders.start([]);
test.after(() => orders.stop());

const headers = { "x-api-key": key };
const buy = (plate: string, more: object = {}) =>
  app.inject({
    method: "POST",
    url: "/parking/purchase",
    headers,
    payload: { plate_number: plate, to: "2348031234567", reference: newUuid(), ...more },
  });
const get = (url: string, accept = "application/json") => app.inject({ url, headers: { ...headers, accept } });
/** As a key without the scope `vend` sees it. */
async function asReader<T>(look: () => Promise<T>): Promise<T> {
  setRecord({ scopes: ["read"] });
  try {
    return await look();
  } finally {
    setRecord({});
  }
}

const SUBJECT = { to: "+2348031234567", plate_number: "KJA123AA", zone: "A1", customer: { name: "ADA OBI" } };
const token = (value: string) => [{ kind: "barrier", value, gate: "north" }];

const bought = await buy(SUBJECT.plate_number, { notify: { channel: "sms" } });
const { id } = bought.json();

test("a purchase shows what its line says of it, and nothing is missing from the answer", async () => {
  assert.equal(bought.statusCode, 201);
  const { id: _id, created_at, completed_at, notify, reference, ...purchase } = bought.json();
  const money = (amount: string) => ({ amount, currency: "NGN" });
  assert.deepEqual(purchase, {
    object: "parking",
    mode: "test",
    status: "successful",
    ...SUBJECT,
    amount: money("500.00"),
    price: { ...money("500.00"), tax: "34.88" },
    discount: money("0.00"),
    charge: "charged",
    tokens: token(WHOLE),
    valid_until: UNTIL,
    vendor_receipt_number: "R **** TR4W",
  });
});

test("its code is masked for a key that may not vend, in the status, the list and the receipt", async () => {
  await asReader(async () => {
    const [status, list, receipt] = await Promise.all(
      [`status/${id}`, "purchases?plate_number=KJA123AA", `receipt/${id}`].map((path) => get(`/parking/${path}`)),
    );
    assert.deepEqual(status?.json().tokens, token(MASKED));
    assert.deepEqual(
      list?.json().data.map((one: { tokens: unknown }) => one.tokens),
      [token(MASKED)],
    );
    assert.deepEqual(receipt?.json().tokens, token(MASKED));
  });
});

test("its receipt has its code in all three forms", async () => {
  const receipt = await get(`/parking/receipt/${id}`);
  assert.partialDeepStrictEqual(receipt.json(), {
    product: "parking",
    plate_number: SUBJECT.plate_number,
    tokens: token(WHOLE),
  });
  const page = await get(`/parking/receipt/${id}`, "text/html");
  assert.match(page.body, /<dt>Barrier code<\/dt><dd>PKX7-Q2M9-TR4W<\/dd>/);
  assert.match(page.body, /<dt>Plate<\/dt><dd>KJA123AA<\/dd>/);
  const pdf = await get(`/parking/receipt/${id}`, "application/pdf");
  assert.match(pdf.body.slice(0, 5), /^%PDF-/);
});

test("its customer is told the code in its own form, and what is stored of the message has it masked", async () => {
  const message = await waitFor("the notice", async () => messages[0]);
  assert.deepEqual(
    [message.to, message.text, message.shownAs],
    ["2348031234567", `Plate KJA123AA: ${WHOLE}. Paid: NGN 500.00.`, `Plate KJA123AA: ${MASKED}. Paid: NGN 500.00.`],
  );
});

test("its code stands in no row of the database", async () => {
  const { rows } = await db.query<{ row: string }>(
    "select o::text as row from orders o union all select e::text from events e union all select r::text from provider_references r",
  );
  assert.ok(rows.length > 0);
  assert.deepEqual(
    rows.filter(({ row }) => row.includes(CODE)),
    [],
  );
});

test("the same again is a possible duplicate by the service's own rule", async () => {
  const again = await buy(SUBJECT.plate_number);
  assert.deepEqual([again.statusCode, again.json().code, again.json().order_id], [409, "possible_duplicate", id]);
  assert.equal((await buy("ABC123XY", { validate_only: true })).statusCode, 200);
});

test("a check shows what would be bought, by its own product", async () => {
  const check = await buy("ABC123XY", { validate_only: true });
  assert.partialDeepStrictEqual(check.json(), {
    ...SUBJECT,
    object: "purchase_check",
    product: "parking",
    plate_number: "ABC123XY",
  });
});

test("it is found by its customer's phone", async () => {
  const found = await lookUp(db, { customer: "2348031234567", limit: 10 });
  assert.deepEqual(
    found.map(({ order }) => order.recipient),
    [SUBJECT.plate_number],
  );
});

test("the document has its product, members and token beside those of the other services", async () => {
  const { schemas } = (await app.inject("/openapi.json")).json().components;
  assert.deepEqual(schemas.Product.enum, [
    ...PRODUCT_LINES.flatMap(({ products }) => Object.keys(products)),
    "parking",
  ]);
  const { properties, required } = schemas.Purchase;
  for (const name of ["plate_number", "zone", "valid_until", "network", "meter_number", "units_kwh"])
    assert.ok(properties[name] && !required.includes(name), name);
  assert.deepEqual(properties.customer.anyOf, [
    { $ref: "#/components/schemas/TvSubscriber" },
    { $ref: "#/components/schemas/Customer" },
    { $ref: "#/components/schemas/Driver" },
  ]);
  assert.deepEqual(
    ["barrier", "credit"].filter((kind) => schemas.Token.properties.kind.enum.includes(kind)),
    ["barrier", "credit"],
  );
  assert.ok(schemas.Token.properties.gate && schemas.Token.properties.units_kwh);
  assert.match(schemas.Token.properties.value.description, /A barrier's code\. Masked for keys/);
});

test("while no vendor can deliver, it is refused by its own name", async (t) => {
  vendor.setReady(false);
  t.after(() => vendor.setReady(true));
  const refused = await buy("XYZ789AB");
  assert.equal(refused.statusCode, 503);
  assert.match(refused.json().detail, /^No vendor can deliver this parking space now/);
});
