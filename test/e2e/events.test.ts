import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestKey } from "../../src/testing/account.ts";
import { chat, handsetWrites, template } from "./chats.ts";
import { type FeedItem, type FeedPage, faultsOfOrder, feedPage, follow } from "./event-feed.ts";
import { buy, purchaseIn } from "./purchases.ts";
import { assertProblem, type Bulk, phone, startRig } from "./rig.ts";

const rig = await startRig();

const ALL_SERVICES = { airtime: "scale", electricity: "scale", chat: "scale" };
const METER = "11111111111";

const has =
  (...types: readonly string[]) =>
  (items: readonly FeedItem[]) =>
    types.every((type) => items.some((item) => item.type === type));
const typed = (items: readonly FeedItem[], type: string) => items.filter((item) => item.type === type);

test("a message's events have its view at that moment, the status before, and numbers from 1", async () => {
  const subscriber = await rig.subscriber();
  const { id } = await subscriber.send({
    to: phone(1),
    message: "Hello",
    reference: "order-1",
    metadata: { till: "7" },
  });
  const items = await follow(subscriber, has("sms.delivered"));
  assert.deepEqual(
    items.map(({ type, sequence, data }) => [type, sequence, data.object?.id, data.object?.status]),
    [
      ["sms.sent", 1, id, "sent"],
      ["sms.delivered", 2, id, "delivered"],
    ],
  );
  assert.match(items[0]!.data.previous_status!, /^(?:queued|sending)$/);
  assert.equal(items[1]!.data.previous_status, "sent");
  const { timeline: _, updated_at, ...message } = await subscriber.status(id);
  const { updated_at: at, ...object } = items[1]!.data.object!;
  assert.deepEqual(object, message);
  assert.deepEqual([at, items[1]!.timestamp], [updated_at, updated_at]);
  assert.match(items[1]!.id, /^evt_/);
  assert.equal(items[1]!.api_version, "2026-11-27");
});

test("a refused message's event says why", async () => {
  const subscriber = await rig.subscriber();
  await subscriber.send({ to: "+2348000000001", message: "Hello" });
  const [rejected] = typed(await follow(subscriber, has("sms.rejected")), "sms.rejected");
  const { code } = rejected!.data.object!.failure as { readonly code: string };
  assert.equal(code, "invalid_number");
});

test("every service's events tell what they are about in the form of its own endpoint", async () => {
  const subscriber = await rig.subscriber({ balance: "100000.00", also: ALL_SERVICES });
  const airtime = purchaseIn(await buy(subscriber, "/airtime/topup", { to: phone(2), amount: 100 }));
  const electricity = purchaseIn(
    await buy(subscriber, "/electricity/purchase", {
      meter_number: METER,
      disco: "ikeja-electric",
      amount: 5_000,
      to: phone(3),
    }),
  );
  const message = await chat(subscriber, "template", template(phone(4)));
  const bulk = (await subscriber.post<Bulk>("/sms/bulk", { to: [phone(5), phone(6)], message: "Both" })).body;
  await handsetWrites(subscriber, phone(7)); // of another phone: who answers has read what came before
  const topup = (await subscriber.post<{ id: string }>("/wallet/topups", { amount: "500.00", method: "link" })).body;

  const wanted = [
    "airtime.successful",
    "electricity.successful",
    "chat.delivered",
    "bulk.completed",
    "chat.received",
    "wallet.topped_up",
  ];
  const items = await follow(subscriber, has(...wanted));
  assert.deepEqual(faultsOfOrder(items), []);
  const object = (type: string) => typed(items, type)[0]!.data.object as { readonly [name: string]: unknown };
  const { timeline: _, ...shown } = (
    await subscriber.get<Record<string, unknown>>(`/electricity/status/${electricity.id}`)
  ).body;
  assert.deepEqual(object("electricity.successful"), shown);
  assert.equal(object("airtime.successful").id, airtime.id);
  assert.deepEqual([object("chat.delivered").id, object("chat.delivered").object], [message.id, "chat"]);
  assert.deepEqual(object("bulk.completed"), (await subscriber.get(`/sms/bulk/${bulk.id}`)).body);
  assert.deepEqual([object("chat.received").direction, object("chat.received").message], ["inbound", "Hello"]);
  assert.deepEqual(object("wallet.topped_up"), (await subscriber.get(`/wallet/topups/${topup.id}`)).body);

  const readOnly = rig.as(
    await makeTestKey(rig.db, { secret: rig.secret, accountId: subscriber.accountId, mode: "test", scopes: ["read"] }),
  );
  const masked = await feedPage(readOnly, { type: "electricity.*" });
  const tokens = (masked.data[0]!.data.object as unknown as { tokens: readonly { value: string }[] }).tokens;
  assert.match(tokens[0]!.value, /^(\*{4} ){4}\d{4}$/);

  const ofBulk = await feedPage(subscriber, { order: bulk.id });
  assert.deepEqual(
    ofBulk.data.map(({ type }) => type),
    ["bulk.completed"],
  );
  const some = await feedPage(subscriber, { type: "airtime.*,wallet.topped_up" });
  assert.deepEqual(new Set(some.data.map(({ type }) => type)), new Set(["airtime.successful", "wallet.topped_up"]));
});

test("a cursor is good in this account and mode alone, with any filter", async () => {
  const subscriber = await rig.subscriber();
  const { next_cursor: cursor } = await feedPage(subscriber);
  assert.deepEqual((await feedPage(subscriber, { after: cursor, type: "sms.*" })).data, []);
  const refusedWith = async (reader: typeof subscriber, after: string) => {
    const answer = await reader.get<FeedPage>(`/events?after=${after}`);
    assertProblem(answer as never);
    return [answer.status, (answer.body as unknown as { code: string }).code];
  };
  assert.deepEqual(await refusedWith(await rig.subscriber(), cursor), [400, "invalid_cursor"]);
  assert.deepEqual(await refusedWith(subscriber, `${cursor.slice(0, -1)}${cursor.endsWith("A") ? "Q" : "A"}`), [
    400,
    "invalid_cursor",
  ]);
  assert.deepEqual(await refusedWith(subscriber, "12"), [400, "invalid_cursor"]);
});

test("an account that has no events has a cursor all the same", async () => {
  const subscriber = await rig.subscriber();
  const page = await feedPage(subscriber);
  assert.deepEqual([page.data, page.has_more], [[], false]);
  const { id } = await subscriber.send({ to: phone(9), message: "Hello" });
  const [first] = await follow(subscriber, has("sms.sent"), { after: page.next_cursor });
  assert.equal(first?.data.object?.id, id);
});

test("queries that can't be meant are refused by name", async () => {
  const subscriber = await rig.subscriber();
  for (const query of ["type=sms", "type=sms.*.*", "type=SMS.sent", "type=", "order=123", "limit=101", "before=x"]) {
    const answer = await subscriber.get<{ code: string }>(`/events?${query}`);
    assert.deepEqual([query, answer.status, answer.body.code], [query, 400, "validation_failed"]);
  }
});

test("the events of an order by its id are all there are", async () => {
  const subscriber = await rig.subscriber();
  const { id } = await subscriber.send({ to: phone(10), message: "one" });
  const other = await subscriber.send({ to: phone(11), message: "two" });
  await follow(subscriber, (items) => typed(items, "sms.delivered").length === 2);
  const { data } = await feedPage(subscriber, { order: id });
  assert.deepEqual(
    data.map(({ type, data: { object } }) => [type, object?.id]),
    [
      ["sms.sent", id],
      ["sms.delivered", id],
    ],
  );
  const stranger = await rig.subscriber();
  assert.deepEqual((await feedPage(stranger, { order: other.id })).data, []);
});

test("a wallet that falls below its threshold says what it had then", async () => {
  const subscriber = await rig.subscriber({ balance: "10.00" });
  await rig.db.query("update accounts set low_balance_kobo = 900 where id = $1", [subscriber.accountId]);
  await subscriber.send({ to: phone(12), message: "Hello" });
  const [low] = typed(await follow(subscriber, has("wallet.low")), "wallet.low");
  assert.deepEqual(
    [low?.sequence, low?.data],
    [
      1,
      {
        object: {
          object: "wallet",
          mode: "test",
          available: { amount: "6.80", currency: "NGN" },
          threshold: { amount: "9.00", currency: "NGN" },
        },
        previous_status: null,
      },
    ],
  );
});

rig.provesItsLedger();
