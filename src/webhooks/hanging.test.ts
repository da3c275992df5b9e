import assert from "node:assert/strict";
import { after, test } from "node:test";
import { SECOND_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { writeEvent } from "../testing/events.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeWebhooksRig } from "../testing/webhooks-rig.ts";
import { ENDPOINTS_MAX } from "./endpoint.ts";

const nodes: { stop(): Promise<void> }[] = [];
// Before the database's own hook.
after(() => Promise.all(nodes.map((node) => node.stop())));
const db = (await makeTestDatabase()).open();
const rig = await makeWebhooksRig(db);
nodes.push(await rig.startNode());

test("endpoints that answered at once and then hang keep no other waiting", async () => {
  const { receiver } = await rig.subscribe({ types: ["wallet.*"] });
  // What each of them answers at once lets it have more attempts at once.
  let hung = 0;
  for (let count = 1; count < ENDPOINTS_MAX; count++) {
    const hog = await rig.subscribe({ types: ["parcel.*"] });
    hog.receiver.answer = () => {
      if (hog.receiver.taken.length <= 40) return 204;
      hung += 1;
      return undefined;
    };
  }
  for (let count = 0; count < 100; count++)
    await writeEvent(db, rig.owner, { subjectId: newUuid(), at: rig.clock.now() });
  await rig.hear();
  let last = -1;
  await waitFor("as many as may hang", () => {
    const isSettled = hung > 100 && hung === last;
    last = hung;
    return isSettled;
  });
  const startedMs = performance.now();
  await rig.write(newUuid(), 1, 1, "wallet.low");
  await waitFor("the event", () => receiver.events.length === 1);
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs < 5 * SECOND_MS, `${tookMs} ms`);
});
