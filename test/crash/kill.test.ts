import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { startCluster } from "./cluster.ts";
import { sendMany, wasAccepted } from "./load.ts";

const WINDOW = 100;
const cluster = await startCluster({ window: WINDOW });

test("SIGKILL in the middle of 2,000 messages: after the restart every one ends, none is charged twice, the SMSC saw at most the window again with `retry` and nothing twice with `fail`", async (t) => {
  let gateway = await cluster.startNode("a");
  const sending = sendMany({ signal: t.signal, node: () => gateway, messages: 2_000, callers: 64 });
  await waitFor("700 messages at the SMSC", async () => (await cluster.smsc.stats()).taken >= 700);
  gateway.signal("SIGKILL");
  await gateway.ended;
  gateway = await cluster.startNode("a");

  const sent = await sending;
  assert.ok(sent.every(wasAccepted));
  assert.ok(
    sent.some(({ told }) => told.includes(null)),
    "the kill hit callers in mid-request",
  );
  const orders = await cluster.provesItself({ repeatsMax: WINDOW });
  assert.equal(orders.length, 2_000);
  const known = new Set(orders.map((order) => order.reference));
  assert.ok(sent.every(({ reference }) => known.has(reference)));
  const withRetry = orders.filter((order) => order.ambiguity === "retry");
  assert.ok(
    withRetry.every((order) => order.state === "delivered"),
    "a repeat makes up for what the crash cost",
  );
  const failed = orders.filter((order) => order.state !== "delivered");
  assert.ok(failed.length <= WINDOW, `${failed.length} of those not to be repeated were in mid-air`);
  assert.equal(await gateway.stop(), 0);
});

test("messages that had left when the node died, and whose answers nobody heard, are known by their receipts", async (t) => {
  const gateway = await cluster.startNode("a");
  const before = await cluster.smsc.stats();
  await cluster.smsc.setFaults({ unansweredSubmits: 40, unansweredAreTaken: true, receiptsPaused: true });
  const sent = await sendMany({
    signal: t.signal,
    node: () => gateway,
    messages: 40,
    callers: 40,
    untilAccepted: false,
  });
  assert.ok(sent.every(wasAccepted));
  await waitFor("all of them at the SMSC", async () => (await cluster.smsc.stats()).taken === before.taken + 40);
  gateway.signal("SIGKILL");
  await gateway.ended;
  await cluster.smsc.setFaults({ unansweredSubmits: 0 });
  await cluster.startNode("a");
  await cluster.smsc.setFaults({ receiptsPaused: false });
  const orders = await cluster.provesItself({ repeatsMax: WINDOW + 20 });
  const ours = new Set(sent.map(({ reference }) => reference));
  const states = orders.filter((order) => ours.has(order.reference ?? "")).map((order) => order.state);
  assert.deepEqual(states, Array(40).fill("delivered"));
});
