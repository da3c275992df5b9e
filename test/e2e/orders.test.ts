import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestKey } from "../../src/testing/account.ts";
import { chatReached, handsetWrites } from "./chats.ts";
import { buy, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { assertProblem, type Problem, phone, startRig } from "./rig.ts";

/** Orders of all services, in one list and by their ids. */
const rig = await startRig();

interface Order {
  readonly id: string;
  readonly object: string;
  readonly status: string;
  readonly reference?: string;
  readonly tokens?: readonly { readonly value: string }[];
  readonly timeline?: readonly unknown[];
}
interface Orders {
  readonly data: readonly Order[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

const METER = "13000000001";
const customer = await rig.subscriber({
  balance: "50000.00",
  also: { airtime: "scale", electricity: "scale", chat: "scale" },
});
/** The same account by another key. */
const withKey = async (options: Partial<Parameters<typeof makeTestKey>[1]>) =>
  rig.as(await makeTestKey(rig.db, { secret: rig.secret, accountId: customer.accountId, mode: "test", ...options }));
const list = async (query = "") => (await customer.get<Orders>(`/orders${query}`)).body;
const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);

/** One order of each service, the oldest first. */
const sms = await customer.send({ to: phone(1), message: "one", reference: "sms-1" });
await handsetWrites(customer, phone(2));
const { body: chat } = await customer.post<Order>("/chat/send/text", {
  to: phone(2),
  message: "two",
  reference: "chat-1",
});
const airtime = purchaseIn(
  await buy(customer, "/airtime/topup", { to: phone(1), amount: 500, reference: "airtime-1" }),
);
const electricity = purchaseIn(
  await buy(customer, "/electricity/purchase", {
    meter_number: METER,
    disco: "ikeja-electric",
    amount: 2_000,
    to: phone(2),
    reference: "electricity-1",
  }),
);
await customer.reached(sms.id, "delivered");
await chatReached(customer, chat.id, "read");
for (const purchase of [airtime, electricity]) await purchaseBecomes(customer, purchase, "successful");
const ids = [electricity.id, airtime.id, chat.id, sms.id];
/** Where each service shows its own. */
const own: Readonly<Record<string, readonly [status: string, list: string]>> = {
  sms: ["/sms/status", "/sms/messages"],
  chat: ["/chat/status", "/chat/messages?direction=outbound"],
  airtime: ["/airtime/status", "/airtime/purchases"],
  electricity: ["/electricity/status", "/electricity/purchases"],
};

test("the list has the orders of all services, newest first, each as in its own service's list", async () => {
  const { data } = await list();
  assert.deepEqual(
    data.map(({ id }) => id),
    ids,
  );
  for (const order of data) {
    const [, path] = own[order.object]!;
    assert.deepEqual(order, (await customer.get<Orders>(path)).body.data[0], order.object);
  }
});

test("any message or purchase is found by its id, as its own service shows it", async () => {
  for (const { id, object } of (await list()).data) {
    const [path] = own[object]!;
    const one = await customer.get<Order>(`/orders/${id}`);
    assert.deepEqual(one.body, (await customer.get<Order>(`${path}/${id}`)).body, object);
    assert.ok(one.body.timeline && one.body.timeline.length > 1, object);
  }
});

test("one cursor leads through all services", async () => {
  const seen: string[] = [];
  let after = "";
  do {
    const page = await list(`?limit=1${after}`);
    seen.push(...page.data.map(({ id }) => id));
    after = page.next_cursor === undefined ? "" : `&after=${page.next_cursor}`;
  } while (after !== "");
  assert.deepEqual(seen, ids);
});

test("a reference, a service, a status, a phone and a time each filter the list, also together", async () => {
  assert.deepEqual(await idsOf("?reference=airtime-1"), [airtime.id]);
  assert.deepEqual(await idsOf("?reference=airtime-1&service=sms"), []);
  assert.deepEqual(await idsOf("?reference=nobody"), []);
  for (const [service, id] of Object.entries({ sms: sms.id, chat: chat.id, electricity: electricity.id }))
    assert.deepEqual(await idsOf(`?service=${service}`), [id]);
  assert.deepEqual(await idsOf("?status=successful"), [electricity.id, airtime.id]);
  assert.deepEqual(await idsOf("?status=successful&service=airtime"), [airtime.id]);
  assert.deepEqual(await idsOf("?status=processing"), []);
  assert.deepEqual(await idsOf(`?to=${encodeURIComponent(phone(1))}`), [airtime.id, sms.id]);
  assert.deepEqual(
    await idsOf(`?to=0${phone(2).slice(4)}`),
    [electricity.id, chat.id],
    "a meter's customer is found by the phone",
  );
  const { body: bought } = await customer.get<Order & { created_at: string }>(`/orders/${airtime.id}`);
  assert.deepEqual(await idsOf(`?created_after=${bought.created_at}`), [electricity.id, airtime.id]);
  assert.deepEqual(await idsOf(`?created_before=${bought.created_at}`), [chat.id, sms.id]);
  const unknown = await customer.get<Problem>("/orders?status=lost");
  assertProblem(unknown);
  assert.equal(unknown.body.code, "validation_failed");
});

test("without the scope `vend` tokens are masked, in the list and alone", async () => {
  const reader = await withKey({ scopes: ["read"] });
  const whole = (await customer.get<Order>(`/orders/${electricity.id}`)).body.tokens?.[0]?.value ?? "";
  assert.match(whole, /^\d{4}( \d{4}){4}$/);
  for (const order of [
    (await reader.get<Order>(`/orders/${electricity.id}`)).body,
    (await reader.get<Orders>("/orders?service=electricity")).body.data[0],
  ])
    assert.match(order?.tokens?.[0]?.value ?? "", /^\*{4}.* \d{4}$/);
});

test("a key limited to services sees the orders of those alone", async () => {
  const limited = await withKey({ services: ["airtime"] });
  assert.deepEqual(
    (await limited.get<Orders>("/orders")).body.data.map(({ id }) => id),
    [airtime.id],
  );
  assert.equal((await limited.get<Order>(`/orders/${airtime.id}`)).status, 200);
  for (const path of [`/orders/${sms.id}`, "/orders?service=sms"]) {
    const refused = await limited.get<Problem>(path);
    assertProblem(refused);
    assert.equal(refused.body.code, "scope_missing");
  }
});

test("another account's order, one of the other mode, and no order at all are equally not there", async () => {
  const other = await rig.subscriber();
  const live = await withKey({ mode: "live" });
  assert.deepEqual((await other.get<Orders>("/orders")).body.data, []);
  assert.deepEqual((await live.get<Orders>("/orders")).body.data, []);
  const answers = [
    await other.get<Problem>(`/orders/${sms.id}`),
    await live.get<Problem>(`/orders/${sms.id}`),
    await customer.get<Problem>("/orders/msg_01kb3v9q4ze1xb8m6t2r5y7w0n"),
    await customer.get<Problem>(`/orders/${sms.id.replace("msg_", "pur_")}`),
    await customer.get<Problem>("/orders/nothing"),
  ];
  for (const answer of answers) {
    assertProblem(answer);
    assert.deepEqual([answer.status, answer.body.code], [404, "not_found"]);
  }
});

rig.provesItsLedger();
