import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { waitFor } from "../../testing/wait-for.ts";
import { testVendors } from "../vendors/rig.ts";

const teardown: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of teardown.reverse()) await end();
});
const clock = { aheadMs: 0 };
const { ports, client } = await testVendors({ after: (end: () => void) => void teardown.push(end) }, { clock });

interface Answer {
  readonly code?: string;
  readonly response_description?: string;
  readonly content?: { readonly transactions?: Readonly<Record<string, unknown>> };
  readonly [key: string]: unknown;
}

const HEADERS = { "api-key": "simulated-api-key", "public-key": "PK_simulated", "secret-key": "SK_simulated" };

async function post(path: string, body: object, headers: Record<string, string> = HEADERS): Promise<Answer> {
  const url = `http://127.0.0.1:${ports.vtpass}/api/${path}`;
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
  const response = await fetch(url, { ...init, body: JSON.stringify(body) });
  return (await response.json()) as Answer;
}
const get = async (path: string, headers: Record<string, string> = HEADERS): Promise<Answer> =>
  (await (await fetch(`http://127.0.0.1:${ports.vtpass}/api/${path}`, { headers })).json()) as Answer;

/** The date and time in Lagos, to the minute. */
const lagos = (date = new Date(Date.now() + clock.aheadMs)): string =>
  new Date(date.getTime() + 3_600_000).toISOString().replaceAll(/[-T:]/g, "").slice(0, 12);
let ids = 0;
const requestId = (at?: Date): string => `${lagos(at)}test${++ids}`;
let phones = 0;
const nextPhone = (): string => `080312${String(++phones).padStart(5, "0")}`;

const airtime = (more: object = {}) => ({
  request_id: requestId(),
  serviceID: "mtn",
  amount: 500,
  phone: nextPhone(),
  ...more,
});

test("a request_id is sold once: the second call is 014, and the requery tells of the first", async () => {
  const body = airtime();
  assert.equal((await post("pay", body)).code, "000");
  assert.equal((await post("pay", { ...body, phone: nextPhone() })).code, "014");
  const answer = await post("requery", { request_id: body.request_id });
  assert.equal(answer.content?.transactions?.unique_element, `234${body.phone.slice(1)}`);
  assert.equal((await client.phone(body.phone)).airtime.length, 1);
});

test("fifty calls at once with one request_id are one sale", async () => {
  const body = airtime();
  const answers = await Promise.all(Array.from({ length: 50 }, () => post("pay", body)));
  assert.equal(answers.filter(({ code }) => code === "000").length, 1);
  assert.equal(answers.filter(({ code }) => code === "014").length, 49);
  assert.equal((await client.phone(body.phone)).airtime.length, 1);
});

test("the same service and phone again within the window is 019, after it or for another service it is sold", async (t) => {
  t.after(() => client.settings("vtpass", { duplicateWindowMs: 2_000 }));
  const { duplicateWindowMs } = await client.settings("vtpass", { duplicateWindowMs: 30_000 });
  assert.equal(duplicateWindowMs, 30_000);
  const phone = nextPhone();
  assert.equal((await post("pay", airtime({ phone }))).code, "000");
  assert.equal((await post("pay", airtime({ phone, amount: 700 }))).code, "019");
  assert.equal((await post("pay", airtime({ phone, serviceID: "glo" }))).code, "000");
  clock.aheadMs += 31_000;
  assert.equal((await post("pay", airtime({ phone }))).code, "000");
});

const REQUEST_IDS: readonly (readonly [name: string, id: () => unknown, code: string])[] = [
  ["a UUID", () => "0199a0b0-0000-7000-8000-000000000000", "085"],
  ["missing", () => undefined, "085"],
  ["without a date", () => "abcdefghijklmnop", "085"],
  ["of no month", () => "202613031407abcd", "086"],
  ["of yesterday", () => requestId(new Date(Date.now() + clock.aheadMs - 86_400_000)), "086"],
  ["in UTC", () => requestId(new Date(Date.now() + clock.aheadMs - 3_600_000)), "086"],
  ["with a dash", () => `${lagos()}-abc`, "086"],
  ["of three minutes ago", () => requestId(new Date(Date.now() + clock.aheadMs - 180_000)), "000"],
];
for (const [name, id, code] of REQUEST_IDS)
  test(`a request_id that is ${name} is ${code}`, async () => {
    assert.equal((await post("pay", airtime({ request_id: id() }))).code, code);
  });

test("midnight in Lagos is the new day's", async () => {
  const before = clock.aheadMs;
  const now = Date.now();
  // To 23:00:30 UTC, which is half a minute into the next day in Lagos.
  clock.aheadMs = Date.UTC(2027, 0, 31, 23, 0, 30) - now;
  const [good, bad] = [`202702010000next${++ids}`, `202701312300utc${++ids}`];
  assert.equal((await post("pay", airtime({ request_id: good }))).code, "000");
  assert.equal((await post("pay", airtime({ request_id: bad }))).code, "086");
  clock.aheadMs = before;
});

test("a request_id is asked about however old it is, and one that was never seen is 015", async () => {
  const body = airtime();
  await post("pay", body);
  clock.aheadMs += 86_400_000;
  assert.equal((await post("requery", { request_id: body.request_id })).code, "000");
  assert.equal((await post("requery", { request_id: requestId() })).code, "015");
});

const REFUSED: readonly (readonly [name: string, body: () => object, code: string])[] = [
  ["below the minimum", () => airtime({ amount: 49 }), "013"],
  ["above the maximum", () => airtime({ amount: 50_001 }), "017"],
  ["9mobile by that name", () => airtime({ serviceID: "9mobile" }), "012"],
  ["no amount", () => airtime({ amount: "lots" }), "011"],
  ["no phone", () => airtime({ phone: "12" }), "011"],
  [
    "a plan that is not sold",
    () => airtime({ serviceID: "mtn-data", billersCode: nextPhone(), variation_code: "x" }),
    "010",
  ],
  ["no meter", () => meterPay("30000000003"), "012"],
  ["below the meter's minimum", () => meterPay("10000000001", { amount: 999 }), "013"],
  ["less than the meter's debt and minimum", () => meterPay("50000000005", { amount: 1_499 }), "013"],
];
const meterPay = (billersCode: string, more: object = {}) =>
  airtime({ serviceID: "abuja-electric", billersCode, variation_code: "prepaid", amount: 5_000, ...more });
for (const [name, body, code] of REFUSED)
  test(`${name} is refused with ${code}, and the request_id is not known later`, async () => {
    const sent = body() as { request_id: string };
    assert.equal((await post("pay", sent)).code, code);
    assert.equal((await post("requery", { request_id: sent.request_id })).code, "015");
  });

test("the float is debited by the face value less the commission, and when it is too low nothing is sold", async (t) => {
  t.after(() => client.settings("vtpass", { balanceKobo: "100000000000" }));
  await client.settings("vtpass", { balanceKobo: "60000" });
  assert.equal((await post("pay", airtime())).code, "000");
  const { contents } = (await get("balance")) as { contents?: { balance?: number } };
  assert.ok(Math.abs((contents?.balance ?? 0) - 115) < 1e-6);
  const phone = nextPhone();
  assert.equal((await post("pay", airtime({ phone }))).code, "018");
  assert.deepEqual((await client.phone(phone)).airtime, []);
});

test("without the right keys every call is 087, and a locked account or a service that is off is told by its code", async (t) => {
  t.after(() => client.settings("vtpass", { accountCode: null, servicesOff: [] }));
  const { "secret-key": _secret, ...withoutSecret } = HEADERS;
  const { "public-key": _public, ...withoutPublic } = HEADERS;
  assert.equal((await post("pay", airtime(), withoutSecret)).code, "087");
  assert.equal((await get("balance", withoutPublic)).code, "087");
  await client.settings("vtpass", { servicesOff: ["mtn"] });
  assert.equal((await post("pay", airtime())).code, "028");
  await client.settings("vtpass", { accountCode: "027" });
  assert.equal((await post("pay", airtime())).code, "027");
});

test("the spellings of the lists are the vendor's", async () => {
  const services = await get("services?identifier=airtime");
  const [first] = services.content as unknown as Record<string, unknown>[];
  assert.deepEqual(
    [services.response_description, first?.minimium_amount, first?.convinience_fee],
    ["000", "50", "0 %"],
  );
  const keys = async (serviceId: string) =>
    Object.keys((await get(`service-variations?serviceID=${serviceId}`)).content ?? {}).filter((key) =>
      /^vari?ations$/.test(key),
    );
  assert.deepEqual(await keys("glo-data"), ["varations"]);
  assert.deepEqual(await keys("airtel-data"), ["variations"]);
  assert.deepEqual(await keys("mtn-data"), ["variations", "varations"]);
});

/** A receiver that says it has it from the `takenAt`-th call on. */
async function receiver(t: { after(end: () => void): void }, takenAt: number) {
  const got: Answer[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    got.push(JSON.parse(text) as Answer);
    response.end(got.length >= takenAt ? '{"response":"success"}' : '{"response":"what?"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await client.callbackUrl("vtpass", `http://127.0.0.1:${port}/`);
  return got;
}
const stateIn = (answer: Answer | undefined): unknown => {
  const data = answer?.data as Answer | undefined;
  return [answer?.type, data?.requestId, data?.content?.transactions?.status];
};

test("a webhook comes again until it is answered with success", async (t) => {
  const got = await receiver(t, 2);
  const body = airtime();
  await client.scenario("vtpass", "pending_then_delivered", { recipient: body.phone, afterMs: 50 });
  assert.equal((await post("pay", body)).code, "099");
  await waitFor("the second call", () => got.length === 2);
  assert.deepEqual(stateIn(got[1]), ["transaction-update", body.request_id, "delivered"]);
  assert.deepEqual(got[1], got[0]);
});

test("a reversal is told with 040 and the net that went back", async (t) => {
  const got = await receiver(t, 1);
  const body = airtime({ amount: 50 });
  await client.scenario("vtpass", "delivered_then_reversed", { recipient: body.phone, afterMs: 50 });
  assert.equal((await post("pay", body)).code, "000");
  await waitFor("the webhook", () => got.length === 1);
  const data = got[0]?.data as Answer;
  assert.deepEqual(
    [data.code, data.amount, stateIn(got[0])],
    ["040", 48.5, ["transaction-update", body.request_id, "reversed"]],
  );
  const [arrival] = (await client.phone(body.phone)).airtime;
  assert.equal(arrival?.reversed, true);
});

test("a forged webhook says the opposite of what comes true, and one out of order ends with pending", async (t) => {
  const got = await receiver(t, 1);
  for (const [scenario, words] of [
    ["callback_forged", ["failed", "delivered"]],
    ["callback_out_of_order", ["delivered", "pending"]],
    ["callback_twice", ["delivered", "delivered"]],
  ] as const) {
    got.length = 0;
    const body = airtime();
    await client.scenario("vtpass", scenario, { recipient: body.phone, afterMs: 400 });
    await post("pay", body);
    await waitFor(scenario, () => got.length === 2);
    assert.deepEqual(
      got.map((answer) => (answer.data as Answer).content?.transactions?.status),
      words,
    );
    assert.equal((await client.phone(body.phone)).airtime.length, 1);
  }
});

test("a queued scenario comes before the phone's own, and a phone that is thrice a duplicate is sold at the fourth call", async () => {
  const phone = "08000000007";
  await client.scenario("vtpass", "number_invalid", { recipient: phone });
  const codes: unknown[] = [];
  for (let call = 0; call < 5; call++) codes.push((await post("pay", airtime({ phone }))).code);
  assert.deepEqual(codes, ["016", "019", "019", "019", "000"]);
});

test("a webhook that nobody takes is made five times and no more", async (t) => {
  const got = await receiver(t, 99);
  const body = airtime();
  await client.scenario("vtpass", "pending_then_delivered", { recipient: body.phone, afterMs: 10 });
  await post("pay", body);
  for (let call = 1; call <= 5; call++) {
    await waitFor(`call ${call}`, () => got.length === call);
    clock.aheadMs += 1_000;
  }
  const next = await receiver(t, 1);
  const other = airtime();
  await client.scenario("vtpass", "pending_then_delivered", { recipient: other.phone, afterMs: 10 });
  await post("pay", other);
  await waitFor("the other's call", () => next.length === 1);
  assert.deepEqual([got.length, stateIn(next[0])], [5, ["transaction-update", other.request_id, "delivered"]]);
});

const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
});
const BASIC = basic("sandbox@vtpass.example", "simulated-password");

test("e-mail and password do instead of the keys, for every call", async () => {
  assert.equal((await post("pay", airtime(), BASIC)).code, "000");
  assert.equal((await get("balance", BASIC)).code, 1);
  assert.equal((await post("pay", airtime(), basic("sandbox@vtpass.example", "wrong"))).code, "087");
  assert.equal((await post("pay", airtime(), { authorization: "Basic" })).code, "087");
});

test("forms, numbers and texts are read alike, a phone that was a number with its 0", async () => {
  const body = airtime();
  const url = `http://127.0.0.1:${ports.vtpass}/api/pay`;
  const form = new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const sold = await fetch(url, { method: "POST", headers: HEADERS, body: form });
  assert.equal(((await sold.json()) as Answer).code, "000");
  const fields = new FormData();
  for (const [name, value] of Object.entries(airtime())) fields.set(name, String(value));
  const again = await fetch(url, { method: "POST", headers: HEADERS, body: fields });
  assert.equal(((await again.json()) as Answer).code, "000");
  const phone = nextPhone();
  const numbers = await post("pay", airtime({ phone: Number(phone), amount: "500" }));
  assert.equal(numbers.content?.transactions?.unique_element, `234${phone.slice(1)}`);
  const verified = await post("merchant-verify", {
    serviceID: "ikeja-electric",
    billersCode: 1_111_111_111_111,
    type: "prepaid",
  });
  assert.equal(verified.code, "000");
});

test("options are there for every service that is sold, though none has any", async () => {
  assert.deepEqual(await get("options?serviceID=mtn&name=any"), { response_description: "000", content: [] });
  assert.equal((await get("options?serviceID=nothing&name=any")).response_description, "012");
});

test("airtime abroad is found by country, kind and operator, and sold", async () => {
  const list = async (path: string) => (await get(path)).content as never;
  const { countries } = (await list("get-international-airtime-countries")) as {
    countries: { code: string; prefix: string }[];
  };
  assert.deepEqual([countries[0]?.code, countries[0]?.prefix], ["GH", "233"]);
  const types = (await list("get-international-airtime-product-types?code=GH")) as { product_type_id: number }[];
  const operators = (await list("get-international-airtime-operators?code=GH&product_type_id=1")) as {
    operator_id: string;
  }[];
  const query = `operator_id=${operators[0]?.operator_id}&product_type_id=${types[0]?.product_type_id}`;
  const { variations } = (await list(`service-variations?serviceID=foreign-airtime&${query}`)) as {
    variations: { variation_code: string }[];
  };
  const purchase = {
    request_id: requestId(),
    serviceID: "foreign-airtime",
    billersCode: "233540000001",
    variation_code: variations[0]?.variation_code,
    amount: 1_000,
    phone: "08031234567",
    operator_id: operators[0]?.operator_id,
    country_code: "GH",
    product_type_id: types[0]?.product_type_id,
    email: "payer@example.ng",
  };
  const sold = await post("pay", purchase);
  assert.deepEqual([sold.code, sold.content?.transactions?.unique_element], ["000", "233540000001"]);
  assert.equal((await post("pay", { ...purchase, request_id: requestId(), country_code: "KE" })).code, "010");
  assert.equal((await get("get-international-airtime-operators?code=XX")).response_description, "011");
});
