import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { startCluster } from "./cluster.ts";
import { sendMany, wasAccepted } from "./load.ts";

const cluster = await startCluster({ window: 100 });
const gateway = await cluster.startNode("a");

const cutLinks = async () => {
  await cluster.smsc.setFaults({ bindsRefused: true });
  await cluster.smsc.hangUp();
  await waitFor("the end of both links", async () => (await cluster.smsc.stats()).sessions === 0);
};

test("with both links dead messages are accepted and wait; when the links are back all go, once", async (t) => {
  await cutLinks();
  const { submits } = await cluster.smsc.stats();
  const sent = await sendMany({
    signal: t.signal,
    node: () => gateway,
    messages: 800,
    callers: 16,
    untilAccepted: false,
  });
  assert.ok(sent.every(wasAccepted));
  assert.equal((await cluster.smsc.stats()).submits, submits);
  assert.ok((await cluster.orders()).every((order) => order.state === "queued"));
  await cluster.smsc.setFaults({ bindsRefused: false });
  const orders = await cluster.provesItself({ repeatsMax: 0 });
  assert.ok(orders.every((order) => order.state === "delivered"));
});

test("messages whose validity runs out while both links are dead expire unsent, and their money returns", async (t) => {
  await cutLinks();
  const { submits } = await cluster.smsc.stats();
  const wallet = async () => {
    const { body } = await gateway.call<Record<"available" | "held", { amount: string }>>("GET", "/wallet");
    return { available: body.available.amount, held: body.held.amount };
  };
  const before = await wallet();
  const sent = await sendMany({
    signal: t.signal,
    node: () => gateway,
    messages: 100,
    callers: 16,
    untilAccepted: false,
  });
  assert.notEqual((await wallet()).available, before.available);
  // The shortest validity is a minute; here that minute is over.
  await cluster.postgres.query("update orders set expires_at = now() where ended_at is null");
  const orders = await cluster.provesItself({ repeatsMax: 0 });
  const ours = new Set(sent.map(({ reference }) => reference));
  assert.deepEqual(
    new Set(orders.filter((order) => ours.has(order.reference ?? "")).map((order) => order.state)),
    new Set(["expired"]),
  );
  assert.equal((await cluster.smsc.stats()).submits, submits);
  const after = await wallet();
  assert.deepEqual([after.available, after.held], [before.available, before.held]);
  await cluster.smsc.setFaults({ bindsRefused: false });
});

test("both links cut again and again amid a load: every message ends, nothing goes twice with `fail`", async (t) => {
  let cuts = 0;
  let isOver = false;
  const sending = sendMany({
    signal: t.signal,
    node: () => gateway,
    messages: 20_000,
    callers: 16,
    isOver: () => isOver,
  });
  while (cuts < 4) {
    const { taken } = await cluster.smsc.stats();
    await waitFor("messages under way", async () => (await cluster.smsc.stats()).taken > taken + 50);
    await cutLinks();
    cuts += 1;
    await cluster.smsc.setFaults({ bindsRefused: false });
  }
  isOver = true;
  assert.ok((await sending).every(wasAccepted));
  await cluster.provesItself({ repeatsMax: cuts * 100 });
});
