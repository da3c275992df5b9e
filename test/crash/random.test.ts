import assert from "node:assert/strict";
import { test } from "node:test";
import { runsOf } from "../../src/testing/test-length.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { startCluster } from "./cluster.ts";
import { sendMany, wasAccepted } from "./load.ts";

/** At least one of each victim. */
const KILLS = runsOf({ short: 5, long: 200 });
const WINDOW = 50;
const CALLERS = 12;

const cluster = await startCluster({ window: WINDOW });
let gateway = await cluster.startNode("a");

const gatewayDies = async () => {
  gateway.signal("SIGKILL");
  await gateway.ended;
};

/** What dies, and comes back. The gateway more often than the rest: it is the one that must not forget. */
const VICTIMS: readonly { readonly name: string; readonly dies: () => Promise<void> }[] = [
  {
    name: "the gateway",
    async dies() {
      await gatewayDies();
      gateway = await cluster.startNode("a");
    },
  },
  {
    name: "the gateway",
    async dies() {
      await gatewayDies();
      gateway = await cluster.startNode("a");
    },
  },
  {
    name: "the SMSC",
    async dies() {
      await cluster.killSmsc();
      await cluster.restartSmsc();
    },
  },
  {
    name: "the database server",
    async dies() {
      await cluster.postgres.kill();
      await cluster.postgres.restart();
    },
  },
  {
    name: "everything at once",
    async dies() {
      await Promise.all([gatewayDies(), cluster.killSmsc(), cluster.postgres.kill()]);
      await Promise.all([cluster.restartSmsc(), cluster.postgres.restart()]);
      gateway = await cluster.startNode("a");
    },
  },
];

test(`${KILLS} kills at random moments under load: nothing accepted is lost, charged twice, or sent twice with \`fail\``, async (t) => {
  let isOver = false;
  let accepted = 0;
  const sending = sendMany({
    signal: t.signal,
    node: () => gateway,
    messages: 1_000_000,
    callers: CALLERS,
    isOver: () => isOver,
    onAccepted: (count) => (accepted = count),
  });
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = VICTIMS[kill % VICTIMS.length]!;
    // A number of further messages, not a time: whatever the machine's speed, the kill hits a working gateway.
    const until = accepted + 1 + Math.floor(Math.random() * 150);
    await waitFor(`message ${until} before ${victim.name} dies`, () => accepted >= until);
    await victim.dies();
  }
  isOver = true;
  const sent = await sending;
  assert.ok(sent.every(wasAccepted));
  const orders = await cluster.provesItself({ repeatsMax: KILLS * WINDOW });
  assert.equal(orders.length, sent.length, "one order for each reference, however often it was asked for");
  const notDelivered = orders.filter((order) => order.ambiguity === "retry" && order.state !== "delivered");
  t.diagnostic(`${orders.length} messages, ${notDelivered.length} of those with retry were not delivered`);
});
