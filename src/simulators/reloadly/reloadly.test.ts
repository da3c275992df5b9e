import assert from "node:assert/strict";
import { after, test } from "node:test";
import { testVendors } from "../vendors/rig.ts";

const teardown: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of teardown.reverse()) await end();
});
const time = { aheadMs: 0 };
const { ports, client } = await testVendors({ after: (end: () => void) => void teardown.push(end) }, { clock: time });

const MEDIA_TYPE = "application/com.reloadly.topups-v1+json";
const GRANT = {
  client_id: "simulated-client-id",
  client_secret: "simulated-client-secret",
  grant_type: "client_credentials",
  audience: "https://topups.reloadly.com",
};

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
async function call(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${ports.reloadly}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: MEDIA_TYPE, ...headers },
    ...(body === undefined ? {} : { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}
let token = "";
token = String((await call("/oauth/token", GRANT)).body.access_token);

const said = ({ status, body }: Answer) => [status, body.errorCode];

let topUps = 0;
const topUp = (more: object = {}) => ({
  operatorId: 341,
  amount: 500,
  useLocalAmount: true,
  customIdentifier: `topup-${++topUps}`,
  recipientPhone: { countryCode: "NG", number: `23480312${String(topUps).padStart(5, "0")}` },
  ...more,
});
const vendsOf = ({ customIdentifier }: { readonly customIdentifier: string }) =>
  client.vends("reloadly", { reference: customIdentifier });

test("a token is given for the right credentials and audience, and its life is told", async () => {
  const { status, body } = await call("/oauth/token", GRANT);
  assert.deepEqual([status, body.expires_in, body.token_type], [200, 86_400, "Bearer"]);
  for (const wrong of [{ client_secret: "x" }, { client_id: "x" }, { audience: "https://giftcards.reloadly.com" }])
    assert.deepEqual(said(await call("/oauth/token", { ...GRANT, ...wrong })), [401, "INVALID_CREDENTIALS"]);
  const refused = await call("/oauth/token", { ...GRANT, client_secret: "x" });
  assert.match(String(refused.body.timeStamp), /^\d{13}$/);
});

test("a token that is wrong, or old by the vendor's clock, buys nothing", async (t) => {
  t.after(() => {
    time.aheadMs = 0;
  });
  const wanted = topUp();
  assert.deepEqual(said(await call("/topups-async", wanted, { authorization: "Bearer x" })), [401, "INVALID_TOKEN"]);
  time.aheadMs = 86_400_000;
  assert.deepEqual(said(await call("/topups-async", wanted)), [401, "TOKEN_EXPIRED"]);
  assert.deepEqual(await vendsOf(wanted), []);
});

test("without the vendor's media type, and on paths that are none, its framework answers without a code", async () => {
  const { status, body } = await call("/accounts/balance", undefined, { accept: "application/json" });
  assert.deepEqual([status, body.status, body.errorCode], [406, 406, undefined]);
  assert.deepEqual((await call("/transactions")).body.error, "Not Found");
});

test("an asynchronous top-up is answered with its number alone, and found by number and by identifier", async () => {
  const wanted = topUp();
  const { body } = await call("/topups-async", wanted);
  assert.deepEqual(Object.keys(body), ["transactionId"]);
  const status = await call(`/topups/${body.transactionId}/status`);
  assert.equal(status.body.status, "SUCCESSFUL");
  const report = await call(`/topups/reports/transactions?customIdentifier=${wanted.customIdentifier}`);
  assert.deepEqual(report.body.content, [status.body.transaction]);
  assert.deepEqual((await call(`/topups/reports/transactions/${body.transactionId}`)).body, status.body.transaction);
});

test("a synchronous top-up is answered with the whole transaction", async () => {
  const wanted = topUp();
  const { body } = await call("/topups", wanted);
  assert.deepEqual([body.status, body.customIdentifier, body.operatorId], ["SUCCESSFUL", wanted.customIdentifier, 341]);
});

test("fifty calls at once with one identifier are one top-up, and the others learn nothing of it", async () => {
  const wanted = topUp();
  const answers = await Promise.all(Array.from({ length: 50 }, () => call("/topups-async", wanted)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assert.deepEqual(said(answer), [400, "CUSTOM_IDENTIFIER_ALREADY_USED"]);
    assert.equal(answer.body.transactionId, undefined);
  }
  assert.equal((await client.phone(wanted.recipientPhone.number)).airtime.length, 1);
});

const REFUSED: readonly (readonly [name: string, change: object, code: string])[] = [
  ["an operator that is none", { operatorId: 1 }, "OPERATOR_NOT_FOUND"],
  ["an amount below the minimum", { amount: 49.99 }, "INVALID_AMOUNT_FOR_OPERATOR"],
  ["an amount that is not among the fixed ones", { operatorId: 345, amount: 501 }, "INVALID_AMOUNT_FOR_OPERATOR"],
  ["no amount", { amount: "many" }, "INVALID_INPUT_PROVIDED"],
  ["no identifier", { customIdentifier: "" }, "INVALID_INPUT_PROVIDED"],
  [
    "a phone of another country",
    { recipientPhone: { countryCode: "GH", number: "233201234567" } },
    "INVALID_RECIPIENT_PHONE",
  ],
  ["a phone that is none", { recipientPhone: { countryCode: "NG", number: "2341" } }, "INVALID_RECIPIENT_PHONE"],
];
for (const [name, change, code] of REFUSED)
  test(`${name}: ${code}`, async () => {
    const wanted = topUp(change);
    assert.equal((await call("/topups-async", wanted)).body.errorCode, code);
    assert.deepEqual(await vendsOf(wanted), []);
  });

test("a body that is no JSON is told as such", async () =>
  assert.deepEqual(said(await call("/topups-async", "{")), [400, "JSON_SYNTAX_ERROR"]));

test("lists hold numbers, maps have formatted decimals as keys, and an amount is taken in either spelling", async () => {
  const { body } = await call("/operators/345");
  assert.ok((body.fixedAmounts as number[]).includes(750.5));
  assert.equal((body.fixedAmountsDescriptions as Record<string, string>)["750.50"], "1.5GB 30 Days");
  for (const amount of [750.5, "750.50", "750.5"])
    assert.equal((await call("/topups-async", topUp({ operatorId: 345, amount }))).status, 200);
});

test("flags leave kinds of operators out", async () => {
  const count = async (query: string) =>
    ((await call(`/operators/countries/NG?${query}`)).body as unknown as unknown[]).length;
  assert.deepEqual(
    [await count(""), await count("includePin=false"), await count("includePin=false&includeData=false")],
    [9, 8, 4],
  );
});

test("each sale debits the float, and one that is too low sells nothing", async (t) => {
  t.after(() => client.settings("reloadly", { balanceKobo: "100000000000" }));
  await client.settings("reloadly", { balanceKobo: "60000" });
  assert.equal((await call("/topups-async", topUp())).status, 200);
  assert.equal((await call("/accounts/balance")).body.balance, 115.00345);
  const wanted = topUp();
  assert.deepEqual(said(await call("/topups-async", wanted)), [400, "INSUFFICIENT_BALANCE"]);
  assert.deepEqual(await vendsOf(wanted), []);
});

test("a phone is topped up once within the window, which is off until it is set", async (t) => {
  t.after(() => client.settings("reloadly", { rechargeWindowMs: 0 }));
  const { recipientPhone, customIdentifier } = topUp();
  const again = () => topUp({ recipientPhone });
  assert.equal((await call("/topups-async", { ...topUp({ recipientPhone }), customIdentifier })).status, 200);
  assert.equal((await call("/topups-async", again())).status, 200);
  await client.settings("reloadly", { rechargeWindowMs: 120_000 });
  assert.deepEqual(said(await call("/topups-async", again())), [400, "PHONE_RECENTLY_RECHARGED"]);
});

test("a top-up that is given twice is two transactions of one identifier", async () => {
  const wanted = topUp();
  await client.scenario("reloadly", "delivered_twice", { recipient: wanted.recipientPhone.number });
  await call("/topups-async", wanted);
  const { body } = await call(`/topups/reports/transactions?customIdentifier=${wanted.customIdentifier}`);
  const ids = (body.content as { transactionId: number }[]).map(({ transactionId }) => transactionId);
  assert.equal(new Set(ids).size, 2);
});

test("without an identifier the report is of all transactions, in pages, the newest first", async () => {
  const wanted = topUp();
  const { transactionId } = (await call("/topups-async", wanted)).body;
  const { body } = await call("/topups/reports/transactions?size=2&page=1");
  const content = body.content as { transactionId: number }[];
  assert.deepEqual([content.length, content[0]?.transactionId, body.first, body.last], [2, transactionId, true, false]);
});

test("forgetting everything makes tokens void, too", async () => {
  await client.reset();
  assert.deepEqual(said(await call("/accounts/balance")), [401, "INVALID_TOKEN"]);
});
