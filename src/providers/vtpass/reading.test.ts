import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newUuid, type Uuid } from "../../kernel/ids.ts";
import { RecordingSink } from "../../testing/purchase-task.ts";
import { takeCallback } from "./callback.ts";
import { readPlans, readServices } from "./plans.ts";
import { readMeter } from "./products/meter.ts";
import { isRequestId, makeRequestId } from "./reference.ts";

test("a request_id is the minute in Lagos and sixteen letters and digits, and each attempt has its own", () => {
  const orderId = newUuid();
  const at = new Date("2026-10-03T23:07:59.999Z");
  const ids = [1, 2, 3].map((attempt) => makeRequestId({ orderId, attempt }, at));
  for (const id of ids) {
    assert.match(id, /^202610040007[0-9a-z]{16}$/);
    assert.ok(isRequestId(id));
  }
  assert.equal(new Set(ids).size, 3);
  assert.equal(makeRequestId({ orderId, attempt: 1 }, at), ids[0]);
});

test("request_ids of a hundred thousand orders of one minute differ", () => {
  const at = new Date("2026-10-03T13:07:00Z");
  const ids = Array.from({ length: 100_000 }, (_, index) =>
    makeRequestId({ orderId: `0199a0b0-0000-7000-8000-${String(index).padStart(12, "0")}` as Uuid, attempt: 1 }, at),
  );
  assert.equal(new Set(ids).size, ids.length);
});

const QUERY = { disco: "ikeja-electric", meterNumber: "10000000001", meterType: "prepaid" } as const;
const found = (content: object, code = "000") => JSON.stringify({ code, content });

const METERS: readonly (readonly [name: string, text: string, kind: string])[] = [
  ["a name", found({ Customer_Name: "TEST" }), "found"],
  ["020, as the table has it", found({ Customer_Name: "TEST" }, "020"), "found"],
  ["WrongBillersCode", found({ WrongBillersCode: true, Customer_Name: "TEST" }), "not_found"],
  ["WrongBillersCode as a text", found({ WrongBillersCode: "true" }), "not_found"],
  ["an error text and no name", found({ error: "Not found" }), "not_found"],
  ["012", found({}, "012"), "not_found"],
  ["011", found({}, "011"), "not_found"],
  ["030", found({}, "030"), "unavailable"],
  ["no name and no error", found({}), "unavailable"],
  ["a name, but no vending", found({ Customer_Name: "TEST", Can_Vend: "no" }), "unavailable"],
  ["a code that is not listed", found({ Customer_Name: "TEST" }, "077"), "unavailable"],
  ["a page", "<html>", "unavailable"],
  ["a name that nobody can see", found({ Customer_Name: "\u202e\u200b" }), "unavailable"],
  ["a name twice", '{"code":"000","content":{"Customer_Name":"A","Customer_Name":"B"}}', "unavailable"],
];
for (const [name, text, kind] of METERS)
  test(`a verification with ${name} is ${kind}`, () => {
    assert.equal(readMeter(QUERY, 200, text).kind, kind);
  });

test("amounts of a verification are read whatever their spelling, and zero or “N/A” are as good as missing", () => {
  const content = {
    Customer_Name: "TEST",
    Customer_Arrears: "0.00",
    Min_Purchase_Amount: 1000.5,
    MAX_Purchase_Amount: "N/A",
  };
  assert.deepEqual(readMeter(QUERY, 200, found(content)), {
    kind: "found",
    meterType: "prepaid",
    customer: { name: "TEST", address: null },
    minimumKobo: 100_050n,
  });
});

const plan = { variation_code: "a", name: "1GB", variation_amount: "500.00", fixedPrice: "Yes" };
const PLAN = { code: "mtn-data:a", group: "mtn", name: "1GB", costKobo: 50_000n };
const LISTS: readonly (readonly [name: string, body: object, plans: readonly object[] | undefined])[] = [
  ["the newer key", { response_description: "000", content: { variations: [plan] } }, [PLAN]],
  ["the older key", { response_description: "000", content: { varations: [plan] } }, [PLAN]],
  ["both keys", { response_description: "000", content: { variations: [plan], varations: [] } }, [PLAN]],
  [
    "a plan without a price",
    { response_description: "000", content: { variations: [{ ...plan, variation_amount: "0" }] } },
    [],
  ],
  [
    "a plan twice at one price",
    { response_description: "000", content: { variations: [plan, { ...plan, variation_amount: 500 }] } },
    [PLAN],
  ],
  [
    "a code at two prices, and another plan",
    {
      response_description: "000",
      content: { variations: [plan, { ...plan, variation_amount: "5.00" }, { ...plan, variation_code: "b" }] },
    },
    [{ ...PLAN, code: "mtn-data:b" }],
  ],
  ["no list", { response_description: "000", content: {} }, undefined],
  ["another code", { response_description: "012", content: { variations: [plan] } }, undefined],
];
for (const [name, body, plans] of LISTS)
  test(`a price list with ${name} is read right`, () => {
    assert.deepEqual(readPlans("mtn-data", "mtn", 200, JSON.stringify(body)), plans);
  });

test("a price list that failed is no empty one", () => {
  assert.equal(readPlans("mtn-data", "mtn", 502, "<html>"), undefined);
  assert.equal(readServices(200, '{"response_description":"000","content":{}}'), undefined);
});

const callback = (body: unknown, path = "/secret") => ({
  method: "POST",
  path,
  headers: {},
  body: Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});
const ID = "202610031407abcdefghij012345";
const update = {
  type: "transaction-update",
  data: { requestId: ID, content: { transactions: { status: "delivered" } } },
};

test("a webhook about a purchase is a hint, and is answered as the vendor wants it only after it is stored", async () => {
  const sink = new RecordingSink();
  const answer = await takeCallback(callback(update), "secret", sink);
  assert.deepEqual(sink.hints, [ID]);
  assert.deepEqual([answer.status, JSON.parse(answer.body)], [200, { response: "success" }]);
  const broken = { hint: () => Promise.reject(new Error("no database")), plansChanged: () => undefined };
  await assert.rejects(takeCallback(callback(update), "secret", broken));
});

test("a webhook about plans makes the catalogue due", async () => {
  const sink = new RecordingSink();
  await takeCallback(callback({ type: "variations-update", data: {} }), "", sink);
  assert.equal(sink.planChanges, 1);
});

test("a webhook without the secret in its path is not there, and changes nothing", async () => {
  const sink = new RecordingSink();
  for (const path of ["/", "/secre", "/secrets", "/wrong?secret"])
    assert.equal((await takeCallback(callback(update, path), "secret", sink)).status, 404);
  assert.deepEqual(sink.hints, []);
});

test("a webhook that can't be read, is too long, or names nothing of ours is taken and changes nothing", async () => {
  const sink = new RecordingSink();
  const tooLong = Buffer.alloc(300_000, JSON.stringify(update));
  for (const body of ["", "{", "[]", tooLong, { ...update, data: { requestId: "'; drop" } }, { ...update, data: null }])
    assert.equal((await takeCallback(callback(body), "secret", sink)).status, 200);
  assert.deepEqual([sink.hints, sink.planChanges], [[], 0]);
});

test("no webhook makes the reading throw", async () => {
  const sink = new RecordingSink();
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (text) => {
      assert.equal((await takeCallback(callback(text), "", sink)).status, 200);
    }),
  );
});
