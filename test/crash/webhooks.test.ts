import assert from "node:assert/strict";
import { test } from "node:test";
import type { Gateway } from "../../src/testing/gateway.ts";
import { orderFaults, Receiver } from "../../src/testing/receiver.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { startCluster } from "./cluster.ts";
import { sendMany, wasAccepted } from "./load.ts";

const cluster = await startCluster({ window: 100 });
const MESSAGES = 1_000;

/** Every event of SMS that was committed. */
const events = () =>
  cluster.postgres.query<{ order_id: string; sequence: number }>(
    "select order_id, sequence from events where type like 'sms.%' and type <> 'sms.received'",
  );

async function subscribe(gateway: Gateway): Promise<{ receiver: Receiver; id: string }> {
  const receiver = await Receiver.start();
  const { body, status } = await gateway.call<{ id: string }>("POST", "/webhooks", {
    url: receiver.url,
    types: ["sms.*"],
  });
  assert.equal(status, 201, JSON.stringify(body));
  await waitFor(
    "an active endpoint",
    async () => (await gateway.call("GET", `/webhooks/${body.id}`)).body.status === "active",
  );
  return { receiver, id: body.id };
}

/** All events of these messages arrive, in order, and again only under the same ID. */
async function provesItself(receiver: Receiver, before: number): Promise<void> {
  const distinct = () => new Set(receiver.events.map(({ id }) => id)).size;
  const isEnded = async () => (await cluster.orders()).every(({ ended }) => ended);
  await waitFor("the end of every message", isEnded);
  const expected = (await events()).length - before;
  await waitFor(`${expected} events`, () => distinct() >= expected);
  assert.equal(distinct(), expected);
  assert.deepEqual(orderFaults(receiver.events), []);
}

test("SIGKILL of the only node in mid-delivery: after the restart every event has arrived, in order", async (t) => {
  let gateway = await cluster.startNode("a");
  const { receiver, id } = await subscribe(gateway);
  const sending = sendMany({ signal: t.signal, node: () => gateway, messages: MESSAGES, callers: 64 });
  for (const taken of [200, 700]) {
    await waitFor(`${taken} events`, () => receiver.events.length >= taken);
    gateway.signal("SIGKILL");
    await gateway.ended;
    gateway = await cluster.startNode("a");
  }
  assert.ok((await sending).every(wasAccepted));
  await provesItself(receiver, 0);
  await gateway.call("DELETE", `/webhooks/${id}`);
  assert.equal(await gateway.stop(), 0);
});

test("SIGKILL of one of two nodes, and of the other: nothing is lost, and the order is kept", async (t) => {
  const nodes = [await cluster.startNode("b"), await cluster.startNode("c")];
  const before = (await events()).length;
  const { receiver } = await subscribe(nodes[0]!);
  let turn = 0;
  const sending = sendMany({ signal: t.signal, node: () => nodes[turn++ % 2]!, messages: MESSAGES, callers: 64 });
  for (const [victim, taken] of [
    [0, 300],
    [1, 900],
  ] as const) {
    await waitFor(`${taken} events`, () => receiver.events.length >= taken);
    nodes[victim]!.signal("SIGKILL");
    await nodes[victim]!.ended;
    nodes[victim] = await cluster.startNode(victim === 0 ? "b" : "c");
  }
  assert.ok((await sending).every(wasAccepted));
  await provesItself(receiver, before);
  for (const node of nodes) assert.equal(await node.stop(), 0);
});
