import assert from "node:assert/strict";
import { test } from "node:test";
import { Receiver } from "../../src/testing/receiver.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { signIn } from "./portal-session.ts";
import { buy, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { type Message, type Problem, phone, startRig } from "./rig.ts";

/** What the portal's pages ask about orders: found by whatever is known of them, as a file, sent again, and what was told of them. */
const rig = await startRig();

interface Listed {
  readonly data: readonly { readonly id: string }[];
  readonly next_cursor?: string;
}
interface View {
  readonly id: string;
  readonly name: string;
  readonly filters: object;
}

const METER = "13000000012";
const CARD = "1302000001";
const customer = await rig.subscriber({
  balance: "50000.00",
  also: { airtime: "scale", electricity: "scale", cable: "scale" },
});
const owner = await signIn(rig, customer.accountId, "owner");
const viewer = await signIn(rig, customer.accountId, "viewer");
const neighbour = await rig.subscriber();
const stranger = await signIn(rig, neighbour.accountId, "owner");

const receiver = await Receiver.start();
const { body: webhook } = await customer.post<{ id: string }>("/webhooks", { url: receiver.url });
await waitFor("an active webhook", async () => {
  const { body } = await customer.get<{ status: string }>(`/webhooks/${webhook.id}`);
  return body.status === "active";
});

const sms = await customer.send({ to: phone(1), message: "Your code is 482913", reference: "till-7" });
const { body: bulk } = await customer.post<{ id: string; messages: readonly { id: string }[] }>("/sms/bulk", {
  to: [phone(3), phone(4)],
  message: "Hello",
  reference: "campaign",
});
const electricity = purchaseIn(
  await buy(customer, "/electricity/purchase", {
    meter_number: METER,
    disco: "ikeja-electric",
    amount: 2_000,
    to: phone(2),
  }),
);
const cable = purchaseIn(
  await buy(customer, "/cable/purchase", { smartcard_number: CARD, provider: "dstv", kind: "renew", to: phone(2) }),
);
await customer.reached(sms.id, "delivered");
for (const purchase of [electricity, cable]) await purchaseBecomes(customer, purchase, "successful");

const find = async (query: Readonly<Record<string, string>>, by = owner): Promise<readonly string[]> => {
  const { status, body } = await by.ask<Listed>("GET", `/portal/api/orders?${new URLSearchParams(query)}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.map(({ id }) => id);
};
const bulkIds = bulk.messages.map(({ id }) => id).toReversed();

const KNOWN_BY: readonly (readonly [what: string, find: string, ids: readonly string[]])[] = [
  ["a phone as people write it", "0803 100 0001", [sms.id]],
  ["a phone with its country", phone(1), [sms.id]],
  ["the phone of a meter's customer", phone(2), [cable.id, electricity.id]],
  ["a meter", METER, [electricity.id]],
  ["a meter with spaces", "1300 0000 012", [electricity.id]],
  ["a smartcard", CARD, [cable.id]],
  ["an id", ` ${sms.id} `, [sms.id]],
  ["an id that a telephone has capitalised", sms.id.replace("msg", "Msg"), [sms.id]],
  ["a bulk", bulk.id, bulkIds],
  ["a reference", "till-7", [sms.id]],
  ["a bulk's reference", "campaign", bulkIds],
  ["a text that names nothing", "'; drop table orders; --", []],
];
for (const [what, text, ids] of KNOWN_BY)
  test(`an order is found by ${what}`, async () => {
    assert.deepEqual(await find({ find: text }), ids);
    assert.deepEqual(await find({ find: text }, stranger), [], "and by nobody else");
  });

test("messages and purchases are each one list, and filters hold together with what is searched for", async () => {
  assert.deepEqual(await find({ kind: "purchases" }), [cable.id, electricity.id]);
  assert.deepEqual(await find({ kind: "messages" }), [...bulkIds, sms.id]);
  assert.deepEqual(await find({ kind: "messages", find: phone(2) }), []);
  assert.deepEqual(await find({ find: phone(2), service: "cable" }), [cable.id]);
  assert.deepEqual(await find({ find: METER, status: "failed" }), []);
  const { body } = await customer.get<{ created_at: string }>(`/orders/${electricity.id}`);
  assert.deepEqual(await find({ find: phone(2), created_before: body.created_at }), []);
  assert.deepEqual(await find({ find: phone(2), created_after: body.created_at }), [cable.id, electricity.id]);
});

test("one cursor leads through all that is found, and through nothing else", async () => {
  const first = await owner.ask<Listed>("GET", `/portal/api/orders?find=${bulk.id}&limit=1`);
  const next = await owner.ask<Listed>(
    "GET",
    `/portal/api/orders?find=${bulk.id}&limit=1&after=${first.body.next_cursor}`,
  );
  assert.deepEqual(
    [...first.body.data, ...next.body.data].map(({ id }) => id),
    bulkIds,
  );
  const other = await owner.ask<Problem>("GET", `/portal/api/orders?find=x&after=${first.body.next_cursor}`);
  assert.deepEqual([other.status, other.body.code], [400, "invalid_cursor"]);
});

test("a search that can't be one is refused with what is wrong", async () => {
  for (const query of ["find=", "find=%20", "kind=orders", "status=lost", `find=${"x".repeat(171)}`, "to=1"]) {
    const { status, body } = await owner.ask<Problem>("GET", `/portal/api/orders?${query}`);
    assert.deepEqual([status, body.code], [400, "validation_failed"], query);
  }
});

test("a key of the account can't ask what is made for people", async () => {
  for (const path of ["/portal/api/orders", "/portal/api/orders.csv", "/portal/api/views?list=orders"])
    assert.equal((await customer.get<Problem>(path)).body.code, "session_ended", path);
});

test("the file for spreadsheets has what is filtered, runs nothing, and keeps numbers as they are written", async () => {
  const canary = await rig.subscriber({ also: { electricity: "scale" }, balance: "9000.00" });
  const by = await signIn(rig, canary.accountId, "viewer");
  const texts = [
    '=HYPERLINK("http://a","b")',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\tx",
    "＝1",
    'Paid, "thanks"\nBye',
    "007",
    "1-2",
    "₦500",
  ];
  for (const [index, message] of texts.entries())
    await canary.send({ to: phone(60 + index), message, reference: `0${index}` });
  const meter = purchaseIn(
    await buy(canary, "/electricity/purchase", {
      meter_number: METER,
      disco: "ikeja-electric",
      amount: 2_000,
      to: phone(2),
    }),
  );
  const { text, headers } = await by.text("/portal/api/orders.csv?kind=messages");
  assert.match(headers.get("content-disposition") ?? "", /filename="orders-TEST\.csv"/);
  assert.equal(headers.get("content-type"), "text/csv; charset=utf-8");
  assert.ok(text.startsWith("\ufeffid,service,mode,status,to,"), text.slice(0, 60));
  assert.equal(text.replaceAll("\r\n", "").includes("\r"), false);
  const cells = [
    '"\'=HYPERLINK(""http://a"",""b"")"',
    "'+1+1",
    "'-2+3",
    "'@SUM(A1)",
    "'\tx",
    "'＝1",
    '"Paid, ""thanks""\nBye"',
    "'007",
    "'1-2",
    "₦500",
  ];
  for (const cell of cells) assert.ok(text.includes(`,${cell},`), cell);
  assert.ok(text.includes(`,'${phone(60)},`) && text.includes(",'01,"), text);
  assert.equal(text.includes(meter.id), false);
  const purchases = (await by.text(`/portal/api/orders.csv?find=${METER}`)).text.split("\r\n");
  assert.equal(purchases.length, 3);
  assert.match(purchases[1] ?? "", new RegExp(`,'${METER},.*,2000.00,`));
  const live = await signIn(rig, canary.accountId, "owner", "live");
  const none = await live.text("/portal/api/orders.csv");
  assert.match(none.headers.get("content-disposition") ?? "", /filename="orders\.csv"/);
  assert.equal(none.text.split("\r\n").length, 2);
});

test("what was told of an order is seen by those who manage webhooks, and in no other account", async () => {
  interface Deliveries {
    readonly data: readonly {
      readonly type: string;
      readonly status: string;
      readonly webhook: { readonly url: string };
    }[];
  }
  const path = `/portal/api/deliveries?order=${sms.id}`;
  const told = await waitFor("both events", async () => {
    const { body } = await owner.ask<Deliveries>("GET", path);
    return body.data.length === 2 ? body.data : undefined;
  });
  assert.deepEqual(
    told.map(({ type, status, webhook: { url } }) => [type, status, url]),
    [
      ["sms.delivered", "succeeded", receiver.url],
      ["sms.sent", "succeeded", receiver.url],
    ],
  );
  assert.equal((await viewer.ask<Problem>("GET", path)).body.code, "scope_missing");
  assert.deepEqual((await stranger.ask<Deliveries>("GET", path)).body.data, []);
  const otherMode = await signIn(rig, customer.accountId, "owner", "live");
  assert.deepEqual((await otherMode.ask<Deliveries>("GET", path)).body.data, []);
  assert.equal((await owner.ask<Problem>("GET", "/portal/api/deliveries?order=x")).status, 400);
});

const again = (id: string, by = owner, method = "POST") =>
  by.ask<Message & Problem & { why_not?: string }>(method, `/portal/api/sms/${id}/again`);

test("a message that did not arrive is sent again once, with its content and a reference that says so", async () => {
  const lost = await customer.send({ to: "08000000002", message: "Come again", from: "Afara", route: "transactional" });
  await customer.ended(lost.id);
  const offered = await again(lost.id, viewer, "GET");
  assert.deepEqual([offered.body.why_not, offered.body.price], [undefined, lost.price]);
  assert.equal((await again(lost.id, viewer)).body.code, "scope_missing");
  assert.equal((await again(lost.id, stranger)).body.code, "not_found");
  const first = await again(lost.id);
  assert.equal(first.status, 202, JSON.stringify(first.body));
  assert.deepEqual(
    [first.body.to, first.body.message, first.body.from, first.body.reference],
    [lost.to, lost.message, lost.from, `again:${lost.id}`],
  );
  assert.equal((await again(lost.id)).body.id, first.body.id, "however often it is pressed");
});

test("a message that is sent again may arrive twice only if the first might, and is wanted for as long", async () => {
  for (const on_ambiguous of ["retry", "fail"]) {
    const lost = await customer.send({ to: "08000000002", message: "For an hour", validity_minutes: 60, on_ambiguous });
    await customer.ended(lost.id);
    const { body } = await again(lost.id);
    const { rows } = await rig.db.query<{ ambiguity: string; minutes: number }>(
      `select ambiguity, (extract(epoch from expires_at - created_at) / 60)::float8 as minutes
       from orders where account_id = $1 and reference = $2`,
      [customer.accountId, body.reference],
    );
    assert.deepEqual(rows, [{ ambiguity: on_ambiguous, minutes: 60 }]);
  }
});

test("nothing is sent again that arrived, may have arrived, or is on its way, and the reason is told", async () => {
  const unknown = await customer.send({ to: "08000000005", message: "Where is it" });
  await customer.reached(unknown.id, "unknown");
  const scheduled = await customer.send({
    to: phone(9),
    message: "Later",
    send_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  for (const [id, reason] of [
    [sms.id, /The phone has it/],
    [unknown.id, /may have arrived/],
    [scheduled.id, /waits for its time/],
  ] as const) {
    assert.match((await again(id, owner, "GET")).body.why_not ?? "", reason);
    const refused = await again(id);
    assert.deepEqual([refused.status, refused.body.code], [409, "invalid_state"]);
    assert.match(refused.body.detail, reason);
  }
  const ended = await customer.ended(unknown.id);
  if (ended.status !== "delivered") assert.match((await again(unknown.id)).body.detail, /may have arrived/);
});

test("views are each person's own, replaced by name, bounded, and end with the membership", async () => {
  const path = "/portal/api/views";
  const save = (by: typeof owner, name: string, filters: object = { status: "failed" }) =>
    by.ask<View & Problem>("POST", path, { list: "orders", name, filters });
  const list = async (by: typeof owner) =>
    (await by.ask<{ data: readonly View[] }>("GET", `${path}?list=orders`)).body.data;
  const saved = await save(owner, " Failed ");
  assert.equal(saved.status, 201, JSON.stringify(saved.body));
  await save(owner, "Failed", { status: "failed", kind: "purchases", from: "2026-11-01" });
  assert.deepEqual(
    (await list(owner)).map(({ id, name, filters }) => ({ id, name, filters })),
    [{ id: saved.body.id, name: "Failed", filters: { kind: "purchases", status: "failed", from: "2026-11-01" } }],
  );
  assert.deepEqual(await list(viewer), []);
  assert.deepEqual(await list(stranger), []);
  for (const by of [viewer, stranger]) assert.equal((await by.ask("DELETE", `${path}/${saved.body.id}`)).status, 404);
  assert.equal((await save(owner, "A number", { find: phone(1) })).status, 400, "numbers are not kept with a view");

  const all = await Promise.all(Array.from({ length: 25 }, (_, index) => save(viewer, `View ${index}`)));
  assert.equal(all.filter(({ status }) => status === 201).length, 20);
  assert.deepEqual(
    new Set(all.filter(({ status }) => status !== 201).map(({ body }) => body.code)),
    new Set(["invalid_state"]),
  );
  assert.equal((await owner.ask("DELETE", `${path}/${saved.body.id}`)).status, 204);
  assert.deepEqual(await list(owner), []);
  await rig.db.query("delete from account_members where account_id = $1 and role = 'viewer'", [customer.accountId]);
  const { rows } = await rig.db.query("select 1 from portal_views where account_id = $1", [customer.accountId]);
  assert.equal(rows.length, 0);
});

rig.provesItsLedger();
