import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { LEASE_SECONDS, startCluster } from "./cluster.ts";
import { sendMany, wasAccepted } from "./load.ts";

/** Slow, so that nodes hold orders in memory whenever something happens to them. */
const WINDOW = 20;
const cluster = await startCluster({ window: WINDOW, ratePerSecond: 50 });

test("a node frozen for longer than its lease and woken sends nothing that it had not begun under its own live lease", async (t) => {
  const frozen = await cluster.startNode("a");
  const other = await cluster.startNode("b");
  // All are accepted by the one that is frozen later, so that it holds as many as a node can hold; until then none is taken,
  // however slow the machine is at accepting.
  await cluster.smsc.setFaults({ throttledSubmits: Number.MAX_SAFE_INTEGER });
  const sent = await sendMany({ signal: t.signal, node: () => frozen, messages: 1_000, callers: 24 });
  await cluster.smsc.setFaults({ throttledSubmits: 0 });
  await waitFor("messages from both", async () => (await cluster.smsc.stats()).taken > 100);
  frozen.signal("SIGSTOP");
  const frozenAtMs = performance.now();
  await waitFor("twice the lease, and the other node's hold on what has lost its holder", async () => {
    const [row] = await cluster.postgres.query<{ lost: string }>(
      "select count(*) as lost from orders where ended_at is null and leased_until < clock_timestamp()",
    );
    return performance.now() - frozenAtMs > LEASE_SECONDS * 2_000 && row?.lost === "0";
  });
  frozen.signal("SIGCONT");
  await waitFor("the woken node's answer", async () => (await frozen.call("GET", "/readyz")).status === 200);

  // What was on the wire without its record when the node froze may go again with `retry`.
  const orders = await cluster.provesItself({ repeatsMax: WINDOW });
  assert.equal(orders.length, sent.length);
  assert.match(frozen.output(), /this process was frozen/);
  const [row] = await cluster.postgres.query<{ taken: string }>(
    "select count(*) as taken from orders where lease_epoch > 1",
  );
  assert.ok(Number(row?.taken) > 100, `${row?.taken} were taken over: enough for a mistake to show`);
  await Promise.all([frozen.stop(), other.stop()]);
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
    callers: 2,
    untilAccepted: false,
    isOver: () => isOver,
  });
  for (const [index, name] of ["c", "d"].entries()) {
    serving = 1 - index;
    const taken = (await cluster.smsc.stats()).taken;
    await waitFor("messages under way", async () => (await cluster.smsc.stats()).taken > taken + 100);
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
