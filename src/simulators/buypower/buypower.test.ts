import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, test } from "node:test";
import { waitFor } from "../../testing/wait-for.ts";
import { testVendors } from "../vendors/rig.ts";

const teardown: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of teardown.reverse()) await end();
});
const { ports, client } = await testVendors({ after: (end: () => void) => void teardown.push(end) });

const TOKEN = "simulated-buypower-token";

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly signature: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(path: string, body?: object, token = TOKEN): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${ports.buypower}/v2/${path}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const signature = response.headers.get("x-buypower-signature");
  return { status: response.status, text, signature, body: JSON.parse(text) as Answer["body"] };
}

let orders = 0;
const order = (more: object = {}) => ({
  orderId: `order-${++orders}`,
  meter: `1${String(orders).padStart(10, "0")}`,
  disco: "IKEJA",
  phone: "08031234567",
  paymentType: "B2B",
  vendType: "PREPAID",
  amount: "2000",
  ...more,
});
const codes = ({ status, body }: Answer) => [status, body.responseCode];

test("every answer is signed with the SHA-512 of its bytes and the token", async () => {
  for (const answer of [
    await call("discos/status"),
    await call("vend?strict=0", order()),
    await call("transaction/none"),
    await call("wallet/balance", undefined, "wrong"),
  ])
    assert.equal(answer.signature, createHash("sha512").update(answer.text).update(TOKEN).digest("hex"));
});

test("without the token nothing is told and nothing is sold", async () => {
  const { meter, ...rest } = order();
  assert.deepEqual(codes(await call("vend", { meter, ...rest }, "wrong")), [401, 401]);
  assert.deepEqual(codes(await call("transaction/x", undefined, "")), [401, 401]);
  assert.deepEqual(await client.vends("buypower", { recipient: meter }), []);
});

test("fifty calls at once with one orderId are one sale, and the others are told that it was received", async () => {
  const body = order();
  const answers = await Promise.all(Array.from({ length: 50 }, () => call("vend?strict=0", body)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) assert.deepEqual(codes(answer), [409, 201]);
  assert.equal((await client.tokens(body.meter)).length, 1);
});

test("one code means three things: under way, failed and wallet too low", async (t) => {
  t.after(() => client.settings("buypower", { balanceKobo: "100000000000" }));
  const slow = order();
  await client.scenario("buypower", "pending_then_failed", { recipient: slow.meter, afterMs: 100 });
  const underWay = await call("vend?strict=0", slow);
  assert.deepEqual([...codes(underWay), underWay.body.delay], [202, 202, [1, 1, 1, 1, 1, 1]]);
  const failed = await waitFor("the vend to fail", async () => {
    const answer = await call(`transaction/${slow.orderId}`);
    if (answer.body.responseCode === 201) return undefined;
    return answer;
  });
  assert.deepEqual(codes(failed), [400, 202]);
  await client.settings("buypower", { balanceKobo: "199999" });
  assert.deepEqual(codes(await call("vend?strict=0", order())), [422, 202]);
});

test("a vend has numbers, and its requery, wrapped once more, has the same as texts", async () => {
  const body = order();
  const { data } = (await call("vend?strict=0", body)).body as { data: Record<string, unknown> };
  const asked = (await call(`transaction/${body.orderId}`)).body as { result: { data: Record<string, unknown> } };
  assert.deepEqual([data.amountGenerated, data.tax, data.debtAmount], [1860.47, 139.53, 0]);
  const { amountGenerated, tax, debtAmount, token } = asked.result.data;
  assert.deepEqual([amountGenerated, tax, debtAmount], ["1860.47", "139.53", "0.00"]);
  assert.equal(token, data.token);
  assert.match(String(token), /^\d{4}(?:-\d{4}){4}$/);
});

test("what is sold is taken from the wallet, what fails is not", async () => {
  const balance = async () => (await call("wallet/balance")).body.balance as number;
  const before = await balance();
  await call("vend?strict=0", order({ amount: "2500" }));
  const lost = order();
  await client.scenario("buypower", "pending_then_failed", { recipient: lost.meter });
  await call("vend?strict=0", lost);
  assert.equal(before - (await balance()), 2_500);
});

const REFUSED: readonly (readonly [name: string, changes: object])[] = [
  ["without an orderId", { orderId: undefined }],
  ["for a disco that there is not", { disco: "BENIN" }],
  ["for a meter that there is not", { meter: "30000000003" }],
  ["of tokens for a postpaid meter", { meter: "20000000002" }],
  ["below the meter's minimum", { amount: "999.99" }],
  ["of no amount", { amount: "2e3" }],
  ["without a phone", { phone: "" }],
];
for (const [name, changes] of REFUSED)
  test(`a vend ${name} is refused as not valid, and the vendor knows nothing of it`, async () => {
    const body = order(changes);
    assert.equal((await call("vend?strict=0", body)).status, 400);
    assert.deepEqual(codes(await call(`transaction/${body.orderId}`)), [404, 20]);
  });

test("a postpaid meter is sold without a token", async () => {
  const body = order({ meter: "20000000002", vendType: "POSTPAID" });
  const { data } = (await call("vend?strict=0", body)).body as { data: Record<string, unknown> };
  assert.deepEqual([data.token, data.parcels, data.units], ["", [], ""]);
});

test("a disco that is down neither verifies nor sells, and the map says so", async (t) => {
  t.after(() => client.settings("buypower", { discosDown: [] }));
  await client.settings("buypower", { discosDown: ["IKEJA"] });
  const body = order();
  const { EKO, IKEJA } = (await call("discos/status")).body;
  assert.deepEqual([EKO, IKEJA], [true, false]);
  assert.deepEqual(codes(await call("vend?strict=0", body)), [503, 502]);
  assert.deepEqual(codes(await call(`check/meter?meter=${body.meter}&disco=IKEJA&vendType=PREPAID`)), [503, 502]);
});
