import assert from "node:assert/strict";
import { after, test } from "node:test";
import { SECOND_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeWebhooksRig } from "../testing/webhooks-rig.ts";

const nodes: { stop(): Promise<void> }[] = [];
// Before the database's own hook.
after(() => Promise.all(nodes.map((node) => node.stop())));
const db = (await makeTestDatabase()).open();
const rig = await makeWebhooksRig(db);

/** Soon enough for an endpoint that is not slow. */
const ANSWER_MS = 1_000;

test("an endpoint that always has something under way makes room for one that waits for its turn", async () => {
  nodes.push(await rig.startNode({ seats: { sound: 1, turnMs: SECOND_MS } }));
  const busy = await rig.subscribe({ types: ["parcel.*"] });
  const other = await rig.subscribe({ types: ["wallet.*"] });
  busy.receiver.answer = (received, response) => {
    setTimeout(() => {
      busy.receiver.taken.push(received);
      response.writeHead(204).end();
    }, ANSWER_MS);
    return undefined;
  };
  await rig.write(newUuid());
  await waitFor("an attempt", () => busy.receiver.all.length > 1);
  await rig.write(newUuid(), 1, 1, "wallet.low");
  const startedMs = performance.now();
  await waitFor("the other's event", async () => {
    if (other.receiver.events.length > 0) return true;
    assert.ok(performance.now() - startedMs < 20 * SECOND_MS, "kept waiting");
    await rig.write(newUuid());
    return false;
  });
  const written = await waitFor("all of the busy one", () => {
    const { all, events } = busy.receiver;
    return all.length - 1 === events.length && events.length;
  });
  assert.ok(written > 1);
});
