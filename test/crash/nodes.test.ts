import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { LEASE_SECONDS, startCluster } from "./cluster.ts";
import { sendMany, wasAccepted } from "./load.ts";

/** Slow, so that nodes hold orders in memory whenever something happens to them. */
const WINDOW = 20;
const cluster = await startCluster({ window: WINDOW, ratePerSecond: 150 });
const monotonicMs = () => performance.now();

test("a node frozen for longer than its lease and woken sends nothing that it had not begun under its own live lease", async (t) => {
  const frozen = await cluster.startNode("a");
  const other = await cluster.startNode("b");
  const FREEZES = 2;
  let isOver = false;
  // The frozen node's callers would wait with it: what it holds was sent to it before, the rest goes to the other.
  let target = frozen;
  const sending = sendMany({
    signal: t.signal,
    node: () => target,
    messages: 5_000,
    callers: 24,
    isOver: () => isOver,
  });
  for (let freeze = 0; freeze < FREEZES; freeze++) {
    target = frozen;
    const { submits } = await cluster.smsc.stats();
    await waitFor("messages from both nodes", async () => (await cluster.smsc.stats()).submits > submits + 200, 30_000);
    target = other;
    frozen.signal("SIGSTOP");
    const frozenAtMs = monotonicMs();
    // The other node must have taken over what the frozen one held: only then could anything go out twice.
    await waitFor(
      "the other node's hold on what the frozen one held",
      async () => {
        const [row] = await cluster.postgres.query<{ left: bigint }>(
          "select count(*) as left from orders where leased_until < clock_timestamp() and ended_at is null and due_at <= now()",
        );
        return monotonicMs() - frozenAtMs > LEASE_SECONDS * 2_000 && Number(row?.left) === 0;
      },
      30_000,
    );
    frozen.signal("SIGCONT");
    await waitFor("the woken node's answer", async () => (await frozen.call("GET", "/readyz")).status === 200);
  }
  isOver = true;
  const sent = await sending;
  assert.ok(sent.every(wasAccepted));
  // At each freeze a window of `retry` messages may have been on the wire without their record.
  const orders = await cluster.provesItself({ repeatsMax: FREEZES * WINDOW });
  assert.equal(orders.length, sent.length);
  assert.match(frozen.output(), /this process was frozen/);
});

test("two nodes restarted in turn under load: every request is answered, and every message ends", async (t) => {
  const nodes = [await cluster.startNode("c"), await cluster.startNode("d")];
  const before = (await cluster.orders()).length;
  let isOver = false;
  let serving = 0; // what a load balancer knows
  const sending = sendMany({
    signal: t.signal,
    node: () => nodes[serving]!,
    messages: 5_000,
    callers: 16,
    untilAccepted: false,
    isOver: () => isOver,
  });
  for (const [index, name] of ["c", "d"].entries()) {
    serving = 1 - index;
    const taken = (await cluster.smsc.stats()).taken;
    await waitFor("messages under way", async () => (await cluster.smsc.stats()).taken > taken + 100, 30_000);
    assert.equal(await nodes[index]!.stop(), 0);
    nodes[index] = await cluster.startNode(name);
  }
  isOver = true;
  const sent = await sending;
  assert.deepEqual(
    sent.filter((one) => !wasAccepted(one)),
    [],
  );
  const orders = await cluster.provesItself({ repeatsMax: 2 * WINDOW });
  assert.equal(orders.length, before + sent.length);
  // Stopped in order, a node leaves nothing in mid-air: all of these are delivered.
  const ours = new Set(sent.map(({ reference }) => reference));
  assert.deepEqual(
    orders.filter(({ reference, state }) => ours.has(reference ?? "") && state !== "delivered"),
    [],
  );
});
