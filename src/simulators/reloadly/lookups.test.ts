import assert from "node:assert/strict";
import { after, test } from "node:test";
import { testVendors } from "../vendors/rig.ts";

const teardown: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of teardown.reverse()) await end();
});
const { ports } = await testVendors({ after: (end: () => void) => void teardown.push(end) });

/** What clients look up before they buy, and what they leave out when they do. */
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

test("operators are listed by pages, and those of a country that nothing is sold in are none", async () => {
  const { body } = await call("/operators?size=4&page=2");
  assert.deepEqual([(body.content as unknown[]).length, body.number, body.totalPages, body.first], [4, 2, 3, false]);
  const all = await call("/operators?includeData=false&includePin=false");
  assert.equal(all.body.totalElements, 4);
  assert.deepEqual((await call("/operators/countries/ng")).body, (await call("/operators/countries/NG")).body);
  assert.deepEqual((await call("/operators/countries/GH")).body, []);
});

for (const [phone, operatorId] of [
  ["2348031234567", 341],
  ["+2348021234567", 342],
  ["%2B2348051234567", 344],
  ["08091234567", 340],
] as const) {
  test(`the operator of ${phone} is found`, async () => {
    for (const path of ["auto-detect", "mnp-lookup"]) {
      const { status, body } = await call(`/operators/${path}/phone/${phone}/countries/NG?suggestedAmountsMap=true`);
      assert.deepEqual([status, body.operatorId], [200, operatorId]);
    }
    const asked = await call("/mnp-lookup/operators", { phone: decodeURIComponent(phone), countryCode: "NG" });
    assert.equal(asked.body.operatorId, operatorId);
  });
}

test("a phone of no network, or of another country, has no operator", async () => {
  for (const path of ["08041234567/countries/NG", "abc/countries/NG", "2348031234567/countries/GH"])
    assert.deepEqual(said(await call(`/operators/auto-detect/phone/${path}`)), [404, "COULD_NOT_AUTO_DETECT_OPERATOR"]);
});

test("countries, rates, discounts and promotions may be looked up", async () => {
  const { body: countries } = await call("/countries");
  const [country] = countries as unknown as readonly object[];
  assert.deepEqual((await call("/countries/NG")).body, country);
  assert.equal((await call("/countries/GH")).status, 404);
  const rate = await call("/operators/fx-rate", { operatorId: 341, amount: 500 });
  assert.deepEqual([rate.body.fxRate, rate.body.currencyCode], [500, "NGN"]);
  assert.deepEqual(said(await call("/operators/fx-rate", { operatorId: 1, amount: 500 })), [404, "OPERATOR_NOT_FOUND"]);
  assert.equal((await call("/operators/341/commissions")).body.percentage, 3);
  assert.equal((await call("/operators/commissions")).body.totalElements, 9);
  assert.equal((await call("/promotions")).body.totalElements, 0);
  assert.deepEqual((await call("/promotions/country-codes/NG")).body, []);
});

test("a top-up without an identifier is taken, and has none in the reports", async () => {
  const { customIdentifier: _, ...unnamed } = topUp();
  const { status, body } = await call("/topups", unnamed);
  assert.deepEqual([status, body.status, body.customIdentifier], [200, "SUCCESSFUL", null]);
  const report = await call(`/topups/reports/transactions/${body.transactionId}`);
  assert.deepEqual([report.body.transactionId, report.body.customIdentifier], [body.transactionId, null]);
  assert.equal((await call("/topups", { ...unnamed, customIdentifier: "" })).status, 400);
});

test("a token is given to a form as well", async () => {
  const response = await fetch(`http://127.0.0.1:${ports.reloadly}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(GRANT),
  });
  assert.equal(response.status, 200);
});
