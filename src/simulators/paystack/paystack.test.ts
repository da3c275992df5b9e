import assert from "node:assert/strict";
import { after, test } from "node:test";
import { PaystackSimulator } from "./server.ts";

/** What the vendor's clients send, npm's paystack, paystack-api and @alexasomba/paystack-node among them. */
const simulator = new PaystackSimulator({
  clock: { now: () => new Date(), monotonicMs: () => performance.now() },
  fetch,
  secretKey: "sk_test_simulator",
  callbackUrl: undefined,
});
const port = await simulator.start();
after(() => simulator.stop());

interface Answer {
  readonly http: number;
  readonly status: boolean;
  readonly message: string;
  readonly code?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a vendor's answer, looked at member by member.
  readonly data: any;
  readonly meta?: Readonly<Record<string, number>>;
}

async function call(method: string, path: string, body?: string | object, type?: string): Promise<Answer> {
  const isText = typeof body === "string";
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: "Bearer sk_test_simulator",
      "content-type": type ?? (isText ? "application/x-www-form-urlencoded" : "application/json"),
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  return { http: response.status, ...((await response.json()) as Omit<Answer, "http">) };
}

let payers = 0;
const email = (): string => `payer${++payers}@example.ng`;
const initialise = (body: string | object) => call("POST", "/transaction/initialize", body);

for (const amount of [20_000, "20000", " 20000 "]) {
  test(`an amount of ${JSON.stringify(amount)} is ₦200, and a reference is made where none is given`, async () => {
    const { data } = await initialise({ email: email(), amount });
    assert.match(data.reference, /^[a-z0-9]+$/);
    const verified = await call("GET", `/transaction/verify/${data.reference}`);
    assert.deepEqual([verified.data.amount, verified.data.status], [20_000, "abandoned"]);
  });
}

for (const amount of ["200.50", 200.5, "₦200", "", "99", -20_000, null, true, ["20000"], "1e5"]) {
  test(`an amount of ${JSON.stringify(amount)} is refused`, async () =>
    assert.deepEqual(await initialise({ email: email(), amount }).then(({ http, code }) => [http, code]), [
      400,
      "invalid_amount",
    ]));
}

test("a form is read like JSON, with its nested fields", async () => {
  const { data } = await initialise(
    `email=${email()}&amount=5000&reference=form-1&metadata[cart_id]=398&metadata[items][0][sku]=a&metadata[items][1][sku]=b&channels[]=card`,
  );
  assert.equal(data.reference, "form-1");
  const { data: seen } = await call("GET", "/transaction/verify/form-1");
  assert.deepEqual(seen.metadata, { cart_id: "398", items: [{ sku: "a" }, { sku: "b" }] });
});

test("JSON that calls itself a form, as curl sends it, is JSON; metadata may be a text of JSON", async () => {
  const { data } = await initialise(JSON.stringify({ email: email(), amount: 5_000, metadata: '{"cart_id":398}' }));
  const { data: seen } = await call("GET", `/transaction/verify/${data.reference}`);
  assert.deepEqual(seen.metadata, { cart_id: 398 });
});

test("a form of multipart/form-data is read as well", async () => {
  const form = new FormData();
  form.set("email", email());
  form.set("amount", "7000");
  const response = await fetch(`http://127.0.0.1:${port}/transaction/initialize`, {
    method: "POST",
    headers: { authorization: "Bearer sk_test_simulator" },
    body: form,
  });
  assert.equal(response.status, 200);
});

test("transactions are listed, the newest first, by pages and filters; one is read by id, with its timeline", async () => {
  const payer = email();
  for (const amount of [1_000, 2_000, 3_000]) await initialise({ email: payer, amount });
  const { data: customer } = await call("GET", `/customer/${payer}`);
  const all = await call("GET", `/transaction?customer=${customer.id}&perPage=2&page=1`);
  assert.equal(all.status, true);
  assert.deepEqual(
    all.data.map(({ amount }: { amount: number }) => amount),
    [3_000, 2_000],
  );
  assert.deepEqual(all.meta, { total: 3, skipped: 0, perPage: 2, page: 1, pageCount: 2 });
  const last = await call("GET", `/transaction?customer=${customer.id}&perPage=2&page=2`);
  assert.deepEqual([last.data.length, last.data[0].amount], [1, 1_000]);
  assert.equal((await call("GET", `/transaction?customer=${customer.id}&status=success`)).data.length, 0);
  assert.equal((await call("GET", `/transaction?customer=${customer.id}&amount=2000`)).data.length, 1);
  assert.equal((await call("GET", "/transaction?from=2050-01-01")).data.length, 0);

  const [{ id, reference }] = last.data;
  assert.equal((await call("GET", `/transaction/${id}`)).data.reference, reference);
  for (const name of [id, reference])
    assert.equal((await call("GET", `/transaction/timeline/${name}`)).data.success, false);
  assert.equal((await call("GET", "/transaction/totals")).data.total_transactions, 0);
  assert.equal((await call("GET", "/transaction/1")).http, 404);
});

test("customers are made, listed, read by any of their names, and changed", async () => {
  const payer = email();
  const { data: made } = await call("POST", "/customer", { email: payer, first_name: "Ada" });
  for (const name of [payer, made.customer_code, made.id])
    assert.equal((await call("GET", `/customer/${name}`)).data.first_name, "Ada");
  await call("PUT", `/customer/${made.customer_code}`, { last_name: "Obi" });
  const { data: all } = await call("GET", "/customer?perPage=1");
  assert.deepEqual([all[0].email, all[0].last_name], [payer, "Obi"]);
  assert.equal((await call("GET", "/customer/nobody@example.ng")).http, 404);
});

test("an account number is opened once for a customer, listed, read and given up", async () => {
  const { data: customer } = await call("POST", "/customer", { email: email(), first_name: "Ada" });
  const { data: opened } = await call("POST", "/dedicated_account", {
    customer: customer.id,
    preferred_bank: "test-bank",
  });
  assert.match(opened.account_number, /^9\d{9}$/);
  assert.equal((await call("POST", "/dedicated_account", { customer: customer.customer_code })).http, 400);
  const { data: listed } = await call("GET", "/dedicated_account");
  assert.ok(listed.some(({ id }: { id: number }) => id === opened.id));
  assert.equal((await call("GET", `/dedicated_account/${opened.id}`)).data.account_number, opened.account_number);
  assert.equal((await call("DELETE", `/dedicated_account/${opened.id}`)).status, true);
  assert.equal((await call("GET", `/dedicated_account/${opened.id}`)).http, 404);
  assert.equal((await call("GET", "/dedicated_account/available_providers")).data[0].provider_slug, "test-bank");
});

test("without the key nothing is told, and what the vendor has not is 404", async () => {
  const response = await fetch(`http://127.0.0.1:${port}/transaction`);
  assert.equal(response.status, 401);
  assert.equal((await call("GET", "/plan")).http, 404);
  assert.equal((await call("DELETE", "/transaction")).http, 404);
});
