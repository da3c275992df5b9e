import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeId, type Uuid } from "../../src/kernel/ids.ts";
import { findOrders } from "../../src/orders/orders.repo.ts";
import { makeReference } from "../../src/providers/whatsapp-cloud/wire/reference.ts";
import { signatureOf } from "../../src/providers/whatsapp-cloud/wire/signature.ts";
import { startStopwatch } from "../../src/testing/stopwatch.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { chat, chatStatus, received, template } from "./chats.ts";
import { SECRET, templatesListed } from "./meta.ts";
import { phone, startRig } from "./rig.ts";

/** The vendor's reports by hand: its simulator is told to keep silent. */
const rig = await startRig();
await templatesListed(rig);
const NEVER_MS = 3_600_000;
await rig.vendors.settings("whatsapp", { sentMs: NEVER_MS, deliveredMs: NEVER_MS, readMs: NEVER_MS });
const CALLBACK = `${rig.gateway.base}/callbacks/whatsapp-simulator`;

const post = (value: object, secret = SECRET): Promise<number> => {
  const body = JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "100000000000001", changes: [{ field: "messages", value }] }],
  });
  const headers = { "content-type": "application/json", "x-hub-signature-256": signatureOf(secret, body) };
  return fetch(CALLBACK, { method: "POST", body, headers }).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });
};

const status = (id: string, word: string, failed = 131_026) => ({
  messaging_product: "whatsapp",
  metadata: { display_phone_number: "2347000000001", phone_number_id: "200000000000001" },
  statuses: [
    {
      id,
      status: word,
      timestamp: String(Math.floor(Date.now() / 1_000)),
      recipient_id: "2348031234567",
      ...(word === "failed" && { errors: [{ code: failed, title: "failed" }] }),
    },
  ],
});

/** A test's own order of things, the same each time. */
function shuffled<T>(items: readonly T[]): T[] {
  let seed = 42;
  const order = [...items];
  for (let index = order.length - 1; index > 0; index--) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = seed % (index + 1);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order;
}

test("1,000 signed callbacks, repeated and in random order, leave every message right and every step taken once", async () => {
  const who = await rig.subscriber({ also: { chat: "scale" }, balance: "10000.00" });
  const sent = await Promise.all(
    Array.from({ length: 200 }, (_, index) => chat(who, "template", template(phone(index)))),
  );
  const keys = sent.map(({ id }) => ({ accountId: who.accountId, id: decodeId("msg", id) as Uuid }));
  const named = await waitFor("the vendor's references", async () => {
    const orders = [...(await findOrders(rig.db, keys)).values()];
    const all = orders.flatMap(({ id, pieces }) =>
      pieces?.[0]?.reference ? [[id, pieces[0].reference] as const] : [],
    );
    return all.length === sent.length ? all : undefined;
  });
  // Every fourth fails after it was sent; all others are read. Each word comes, and one of them twice.
  const failing = new Set(named.filter((_, index) => index % 4 === 0).map(([id]) => id));
  const words = named.flatMap(([id, wamid]) =>
    (failing.has(id)
      ? ["sent", "failed", "failed", "sent", "sent"]
      : ["sent", "delivered", "read", "delivered", "read"]
    ).map((word) => status(wamid, word)),
  );
  assert.equal(words.length, 1_000);
  const elapsedMs = startStopwatch();
  const answers = await Promise.all(shuffled(words).map((word) => post(word)));
  const tookMs = elapsedMs();
  assert.ok(answers.every((code) => code === 200));
  assert.ok(tookMs < 30_000, `they took ${Math.round(tookMs)} ms`);

  // What was answered is stored: nothing has to be waited for.
  const orders = await findOrders(rig.db, keys);
  for (const order of orders.values()) assert.equal(order.state, failing.has(order.id) ? "failed" : "read");
  const { rows: events } = await rig.db.query<{ order_id: string; type: string; times: bigint }>(
    "select order_id, type, count(*) as times from events where account_id = $1 and type is not null group by 1, 2",
    [who.accountId],
  );
  assert.ok(events.every(({ times }) => times === 1n));
  assert.equal(events.filter(({ type }) => type === "chat.read").length, 150);
  assert.equal(events.filter(({ type }) => type === "chat.failed").length, 50);
  const wallet = await who.wallet();
  assert.equal(wallet.held, 0n);
  assert.equal(wallet.balance, 1_000_000n - 150n * 1_000n);
});

test("a callback with a forged signature is answered 401, and nothing of it is recorded", async () => {
  const who = await rig.subscriber({ also: { chat: "scale" }, balance: "100.00" });
  const sent = await chat(who, "template", template(phone(500)));
  const key = { accountId: who.accountId, id: decodeId("msg", sent.id) as Uuid };
  const wamid = await waitFor("the vendor's reference", async () => {
    const order = (await findOrders(rig.db, [key])).get(key.id);
    return order?.pieces?.[0]?.reference;
  });
  assert.equal(await post(status(wamid, "read"), "not the secret"), 401);
  const inbound = {
    metadata: { display_phone_number: sent.from.slice(1), phone_number_id: "1" },
    contacts: [],
    messages: [{ from: phone(500).slice(1), id: "wamid.forged", timestamp: "1", type: "text", text: { body: "STOP" } }],
  };
  assert.equal(await post(inbound, "not the secret"), 401);
  const now = await chatStatus(who, sent.id);
  assert.equal(now.status, "sending");
  assert.deepEqual(await received(who, phone(500)), []);
  assert.equal(await post(status(wamid, "read")), 200);
  assert.equal((await chatStatus(who, sent.id)).status, "read");
});

test("messages of an unknown kind are kept and open nothing, an unknown status harms nobody, and the window goes by the vendor's time", async () => {
  const who = await rig.subscriber({ also: { chat: "scale" }, balance: "100.00" });
  const to = phone(501);
  const { from } = await chat(who, "template", template(to));
  const writtenAt = Math.floor(Date.now() / 1_000) - 7_200;
  const message = {
    from: to.slice(1),
    id: "wamid.odd",
    timestamp: String(writtenAt),
    type: "hologram",
    hologram: { a: 1 },
  };
  const value = {
    metadata: { display_phone_number: from.slice(1), phone_number_id: "1" },
    messages: [message, message],
    statuses: [{ id: "wamid.nobody", status: "teleported", timestamp: "1" }],
  };
  assert.equal(await post(value), 200);
  assert.equal(await post(value), 200);
  const kept = await received(who, to);
  assert.deepEqual(
    kept.map(({ type }) => type),
    ["hologram"],
  );
  const closesAt = async () => (await who.get<{ closes_at: string | null }>(`/chat/window/${to}`)).body.closes_at;
  assert.equal(await closesAt(), null);
  const text = { ...message, id: "wamid.text", type: "text", text: { body: "Hi" } };
  assert.equal(await post({ ...value, messages: [text] }), 200);
  assert.equal(await closesAt(), new Date((writtenAt + 86_400) * 1_000).toISOString());
});

test("a vendor's clock that runs ahead lengthens no window", async () => {
  const who = await rig.subscriber({ also: { chat: "scale" }, balance: "100.00" });
  const to = phone(503);
  const { from } = await chat(who, "template", template(to));
  const ahead = String(Math.floor(Date.now() / 1_000) + 86_400);
  const message = { from: to.slice(1), id: "wamid.ahead", timestamp: ahead, type: "text", text: { body: "Hello" } };
  assert.equal(await post({ metadata: { display_phone_number: from.slice(1) }, messages: [message] }), 200);
  const { body } = await who.get<{ closes_at: string }>(`/chat/window/${to}`);
  assert.ok(Date.parse(body.closes_at) <= Date.now() + 86_400_000, body.closes_at);
});

test("a status that comes after its answer was lost settles the message before it would be sent again", async () => {
  const who = await rig.subscriber({ also: { chat: "scale" }, balance: "100.00" });
  const to = phone(502);
  await rig.vendors.scenario("whatsapp", "timeout_then_delivered", { recipient: to.slice(1), afterMs: NEVER_MS });
  const sent = await chat(who, "template", template(to, ["Ada", "1"], { on_ambiguous: "retry" }));
  const key = { accountId: who.accountId, id: decodeId("msg", sent.id) as Uuid };
  const orderNow = async () => (await findOrders(rig.db, [key])).get(key.id);
  await waitFor("the answer to be lost", async () => (await orderNow())?.ambiguousAt ?? undefined);
  const report = status("wamid.lost", "sent");
  const [word] = report.statuses;
  const ours = makeReference(SECRET, { orderId: key.id, attempt: 1 });
  const statuses = [{ ...word, recipient_id: to.slice(1), biz_opaque_callback_data: ours }];
  assert.equal(await post({ ...report, statuses }), 200);
  const settled = await orderNow();
  assert.deepEqual([settled?.state, settled?.attempt], ["sent", 1]);
  const calls = (await rig.vendors.calls("whatsapp")).filter(({ body }) => body.includes(key.id));
  assert.equal(calls.length, 1);
});

rig.provesItsLedger();
