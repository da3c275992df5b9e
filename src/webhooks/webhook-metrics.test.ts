import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { MemoryMetrics } from "../observability/metrics.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeWebhooksRig } from "../testing/webhooks-rig.ts";
import { watchWebhooks } from "./webhook-metrics.ts";

const db = (await makeTestDatabase()).open();
const rig = await makeWebhooksRig(db);

/** The values of a metric, by its labels. */
async function read(metrics: MemoryMetrics, name: string): Promise<Readonly<Record<string, number>>> {
  const lines = await metrics.all.find((one) => one.name === name)!.read();
  return Object.fromEntries(lines.map(({ labels, value }) => [Object.values(labels).join(" "), value]));
}
const standing = (name: string) => {
  const metrics = new MemoryMetrics();
  watchWebhooks(metrics, { db, clock: rig.clock });
  return read(metrics, name);
};

test("attempts are counted by their outcome, and a failing endpoint with what waits for it", async (t) => {
  const metrics = new MemoryMetrics();
  const node = await rig.startNode({ metrics });
  t.after(() => node.stop());
  t.after(() => rig.clear());
  const { receiver } = await rig.subscribe();
  const { receiver: broken } = await rig.subscribe();
  broken.answer = () => 500;
  await rig.write(newUuid());
  await waitFor("both attempts", () => receiver.events.length === 1 && broken.all.length === 2);
  const failing = await waitFor("the stored failure", async () => {
    const waiting = await standing("afara_webhook_waiting_deliveries");
    return waiting["test failing"] === undefined ? undefined : waiting;
  });
  assert.deepEqual(failing, { "test active": 0, "test failing": 1 });
  assert.deepEqual(await standing("afara_webhook_endpoints"), { "test active": 1, "test failing": 1 });
  // Two pings and the event.
  assert.deepEqual(await read(metrics, "afara_webhook_attempts_total"), { "test delivered": 3, "test http_error": 1 });
});

test("the lag is the age of the oldest event that was not sent, of active endpoints only", async (t) => {
  const node = await rig.startNode();
  t.after(() => rig.clear());
  await rig.subscribe();
  await rig.subscribe({ types: ["wallet.low"] });
  const { endpoint: paused } = await rig.subscribe();
  await rig.call("PATCH", `/webhooks/${paused.id}`, { status: "paused" });
  await waitFor("everything sent", async () => (await standing("afara_webhook_lag_seconds"))["test active"] === 0);
  await node.stop();
  await rig.write(newUuid());
  rig.clock.advance(90_000);
  const { "test active": lag, ...others } = await standing("afara_webhook_lag_seconds");
  assert.ok(lag !== undefined && lag >= 90 && lag < 100, `${lag}`);
  assert.deepEqual(others, {});
});
