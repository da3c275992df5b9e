import assert from "node:assert/strict";
import { after, test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { startCluster } from "./cluster.ts";
import { type Sending, sendMany, wasAccepted } from "./load.ts";
import { startDatabaseProxy } from "./proxy.ts";

const WINDOW = 100;
const cluster = await startCluster({ window: WINDOW });
const { postgres } = cluster;
const proxy = await startDatabaseProxy(postgres.connection);
after(() => proxy.stop());
const gateway = await cluster.startNode("a", { DATABASE_URL: proxy.url });
const node = () => gateway;

const wasTold = (sending: Sending, code: string) => sending.told.some((told) => told?.code === code);

const references = async () => new Set((await cluster.orders()).map((order) => order.reference));

/** What callers were told, held against what is stored. */
async function provesAnswers(sent: readonly Sending[]): Promise<void> {
  const stored = await references();
  for (const sending of sent) {
    if (wasAccepted(sending))
      assert.ok(stored.has(sending.reference), `202 without an order: ${JSON.stringify(sending)}`);
    if (wasTold(sending, "database_unavailable"))
      assert.ok(!stored.has(sending.reference), `database_unavailable with an order: ${JSON.stringify(sending)}`);
  }
}

test("an answer that is lost right after COMMIT is asked for again, and the caller is told 202, once for one order", async (t) => {
  proxy.loseAnswers("accept_orders", 5);
  const sent = await sendMany({ signal: t.signal, node, messages: 200, callers: 16, untilAccepted: false });
  assert.equal(proxy.lost, 5);
  assert.ok(sent.every(wasAccepted), JSON.stringify(sent.filter((sending) => !wasAccepted(sending)).slice(0, 3)));
  await provesAnswers(sent);
});

test("a lost answer of begin, record or report is made good, and nothing is charged or sent twice", async (t) => {
  const before = proxy.lost;
  proxy.loseAnswers("change_orders", 12);
  const sent = await sendMany({ signal: t.signal, node, messages: 300, callers: 16, untilAccepted: false });
  assert.ok(sent.every(wasAccepted));
  await waitFor("all twelve losses", () => proxy.lost === before + 12);
  await cluster.provesItself({ repeatsMax: 0 });
});

test("when the database does not come back in time the caller is told acceptance_unknown, and finds the order by its reference", async (t) => {
  const before = proxy.lost;
  proxy.loseAnswers("accept_orders", 1);
  proxy.closeAfterLoss();
  const sent = await sendMany({ signal: t.signal, node, messages: 8, callers: 8, untilAccepted: false });
  assert.equal(proxy.lost, before + 1);
  const unknown = sent.filter((sending) => wasTold(sending, "acceptance_unknown"));
  assert.ok(unknown.length > 0, JSON.stringify(sent));
  await provesAnswers(sent);
  const stored = await references();
  assert.ok(
    unknown.some(({ reference }) => stored.has(reference)),
    "one whose answer was lost after COMMIT is there; what was on its way as the connections broke may not be",
  );
  proxy.setClosed(false);
  await cluster.provesItself({ repeatsMax: 0 });
});

test("a database that is away is told as database_unavailable, and nothing was accepted", async (t) => {
  await waitFor("the gateway's readiness", async () => (await gateway.call("GET", "/readyz")).status === 200);
  proxy.setClosed(true);
  const sent = await sendMany({ signal: t.signal, node, messages: 8, callers: 8, untilAccepted: false });
  proxy.setClosed(false);
  assert.ok(
    sent.some((sending) => wasTold(sending, "database_unavailable")),
    JSON.stringify(sent),
  );
  assert.ok(!sent.some(wasAccepted));
  await provesAnswers(sent);
});

test("sessions killed amid accepting, under load: no 202 without an order, no database_unavailable with one", async (t) => {
  let isOver = false;
  const sending = sendMany({
    signal: t.signal,
    node,
    messages: 20_000,
    callers: 32,
    untilAccepted: false,
    isOver: () => isOver,
  });
  for (let kill = 0; kill < 8; kill++) await postgres.killSession("accept_orders");
  isOver = true;
  await provesAnswers(await sending);
});

test("the server killed under load and started again: no 202 without an order, no database_unavailable with one, and all end", async (t) => {
  let isOver = false;
  const sending = sendMany({
    signal: t.signal,
    node,
    messages: 20_000,
    callers: 32,
    untilAccepted: false,
    isOver: () => isOver,
  });
  const KILLS = 3;
  for (let kill = 0; kill < KILLS; kill++) {
    const { length } = await cluster.orders();
    await waitFor("some more orders", async () => (await cluster.orders()).length > length + 50);
    await postgres.kill();
    await postgres.restart();
  }
  isOver = true;
  // A restart may be quick enough for every caller to be told 202 after all: the answer is asked for again until it is known.
  await provesAnswers(await sending);
  // While the server is away leases run out; what was sent without its record may then go again with `retry`.
  await cluster.provesItself({ repeatsMax: KILLS * WINDOW });
});

test("a purchase whose acceptance has no answer is told as acceptance_unknown too, never as not bought, and goes on", async () => {
  await waitFor("the gateway's readiness", async () => (await gateway.call("GET", "/readyz")).status === 200);
  proxy.loseAnswers("accept_orders_and_begin", 1);
  proxy.closeAfterLoss();
  const body = { to: "08031234567", amount: 500 };
  const bought = await gateway.call("POST", "/airtime/topup", body, { "idempotency-key": "an answer that is lost" });
  proxy.setClosed(false);
  assert.deepEqual([bought.status, bought.body.code], [503, "acceptance_unknown"]);
  const held = await waitFor("the purchase, which is there and goes on", async () => {
    const found = await gateway.call("GET", `/airtime/status/${bought.body.order_id}`);
    const timeline = (found.body.timeline ?? []) as { detail?: string }[];
    return timeline.some(({ detail }) => detail?.startsWith("It did not leave")) && found.body.charge;
  });
  assert.equal(held, "held");
});
