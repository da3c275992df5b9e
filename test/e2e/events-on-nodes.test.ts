import assert from "node:assert/strict";
import { after, test } from "node:test";
import { EventSource } from "eventsource";
import pg from "pg";
import { type Answer, makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { runsOf } from "../../src/testing/test-length.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { chat, handsetWrites, template } from "./chats.ts";
import { type FeedItem, faultsOfOrder, feedPage, follow } from "./event-feed.ts";
import { buy } from "./purchases.ts";
import { type Bulk, phone, startRig } from "./rig.ts";

/** The feed on two nodes of one database: one that sends, and one that only takes requests. */
const rig = await startRig();
const data = await makeDataDir();
const second = await startGateway({
  dataDir: data.dir,
  environment: { ...rig.environment, AFARA_DATA_DIR: data.dir, AFARA_ROLE: "api", AFARA_SECRET: rig.secret },
});
after(async () => {
  await second.stop();
  await data.remove();
});

/** The same key at the second node. */
const there = (key: string) => ({
  get: <Body>(path: string): Promise<Answer<Body>> => second.call<Body>("GET", path, undefined, { "x-api-key": key }),
});

/** Hears the stream of a node from its beginning on. */
function listen(base: string, key: string) {
  const heard: FeedItem[] = [];
  const source = new EventSource(`${base}/events/stream`, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, "x-api-key": key } }),
  });
  source.onmessage = ({ data: text }) => void heard.push(JSON.parse(text));
  after(() => source.close());
  return { heard, opened: waitFor("the stream", () => source.readyState === source.OPEN) };
}

test("a slow transaction on one of two nodes: a reader of the feed on the other misses nothing", async () => {
  const subscriber = await rig.subscriber({ balance: "10000.00", also: { chat: "scale" } });
  const reader = there(subscriber.key);
  const stream = listen(second.base, subscriber.key);
  await stream.opened;
  const start = (await feedPage(reader)).next_cursor;
  const sendAt = new Date(Date.now() + 2_000).toISOString();
  const message = await subscriber.send({ to: phone(1), message: "slow", send_at: sendAt });

  // Holds the first node's commit up after it has written the event: the wallet comes last in its transaction.
  const holder = new pg.Client(rig.environment.DATABASE_URL);
  await holder.connect();
  after(() => holder.end());
  await holder.query("begin");
  await holder.query("select from ledger_accounts where account_id = $1 for update", [subscriber.accountId]);
  const isHeldUp = async () =>
    (
      await rig.db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%change_orders%'`,
      )
    ).rowCount === 1;
  await waitFor("the transaction that waits", isHeldUp);
  await handsetWrites(subscriber, phone(2));
  const early = await follow(reader, (items) => items.length > 0, { after: start });
  assert.deepEqual(
    early.map(({ type }) => type),
    ["chat.received"],
  );
  const page = await feedPage(reader, { after: start });
  assert.ok(await isHeldUp(), "the event is written and not committed");
  await holder.query("commit");

  const late = await follow(reader, (items) => items.length === 2, { after: page.next_cursor });
  assert.deepEqual(
    late.map(({ type, sequence, data: { object } }) => [type, sequence, object?.id]),
    [
      ["sms.sent", 1, message.id],
      ["sms.delivered", 2, message.id],
    ],
  );
  await waitFor("the same in the stream", () => stream.heard.length === 3);
  assert.deepEqual(
    stream.heard.map(({ id }) => id),
    [...early, ...late].map(({ id }) => id),
  );
});

const ORDERS = runsOf({ short: 300, long: 5_000 });

test(`${ORDERS} orders of all services: every event once on both nodes, those of an order in sequence`, async () => {
  const subscriber = await rig.subscriber({
    balance: "1000000.00",
    also: { airtime: "scale", electricity: "scale", chat: "scale" },
  });
  const streams = [listen(rig.gateway.base, subscriber.key), listen(second.base, subscriber.key)];
  await Promise.all(streams.map(({ opened }) => opened));
  const share = (part: number) => Array.from({ length: Math.floor(ORDERS * part) }, (_, index) => index);
  const async = { prefer: "respond-async" };
  const made = await Promise.all([
    subscriber
      .post<Bulk>("/sms/bulk", { to: share(0.8).map(phone), message: "to many" })
      .then(({ body }) => body.accepted),
    ...share(0.05).map((index) => subscriber.send({ to: phone(index), message: `one ${index}` }).then(() => 1)),
    ...share(0.05).map((index) => chat(subscriber, "template", template(phone(index))).then(() => 1)),
    ...share(0.05).map(async (index) => {
      const { status } = await buy(subscriber, "/airtime/topup", { to: phone(index), amount: 50 }, async);
      return status === 202 || status === 201 ? 1 : 0;
    }),
    ...share(0.05).map(async (index) => {
      const body = {
        meter_number: `1${String(1_000_000_000 + index)}`,
        disco: "eko-electric",
        amount: 1_000,
        to: phone(index),
      };
      const { status } = await buy(subscriber, "/electricity/purchase", body, async);
      return status === 202 || status === 201 ? 1 : 0;
    }),
  ]);
  assert.equal(
    made.reduce((sum, count) => sum + count, 0),
    share(0.8).length + 4 * share(0.05).length,
  );
  const open = async () =>
    (
      await rig.db.query("select from orders where account_id = $1 and ended_at is null limit 1", [
        subscriber.accountId,
      ])
    ).rowCount;
  await waitFor("the end of every order", async () => (await open()) === 0);
  // Reports go on for a while: a message may be read after it has ended.
  const written = async () =>
    (
      await rig.db.query<{ count: number }>(
        "select count(*)::int as count from events where account_id = $1 and type is not null",
        [subscriber.accountId],
      )
    ).rows[0]!.count;
  const pages = await waitFor("all events in the feed", async () => {
    const items = await follow(there(subscriber.key), () => true);
    return items.length === (await written()) && items;
  });
  assert.ok(pages.length > ORDERS, `${pages.length} events`);
  assert.deepEqual(faultsOfOrder(pages), []);
  for (const { heard } of streams) {
    await waitFor("the stream", () => heard.length >= pages.length);
    assert.deepEqual(
      heard.slice(0, pages.length).map(({ id }) => id),
      pages.map(({ id }) => id),
    );
  }
});

rig.provesItsLedger();
