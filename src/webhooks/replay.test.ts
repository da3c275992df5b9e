import assert from "node:assert/strict";
import { after, test } from "node:test";
import { SECOND_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { orderFaults } from "../testing/receiver.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeWebhooksRig } from "../testing/webhooks-rig.ts";
import { WAITING_MAX } from "./endpoint.ts";

const nodes: { stop(): Promise<void> }[] = [];
// Before the database's own hook.
after(() => Promise.all(nodes.map((node) => node.stop())));
const db = (await makeTestDatabase()).open();
const rig = await makeWebhooksRig(db);
nodes.push(await rig.startNode());

test("a replay of events that the endpoint has not reached brings them in their order, and once", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  const since = rig.clock.now().toISOString();
  receiver.answer = () => 503;
  const subjects = Array.from({ length: 300 }, newUuid);
  const ids: string[] = [];
  for (const subject of subjects) ids.push(...(await rig.write(subject, 2)));
  await waitFor("a rest", () => receiver.all.length > 1);
  const replayed = await rig.call("POST", `/webhooks/${endpoint.id}/replay`, { event_id: ids.at(-1) });
  assert.deepEqual([replayed.status, replayed.body], [202, { object: "webhook_replay", count: 1 }]);
  await rig.call("POST", `/webhooks/${endpoint.id}/replay`, { since });
  receiver.answer = () => 204;
  await rig.passTime("all events", SECOND_MS, () => new Set(receiver.events.map(({ id }) => id)).size === ids.length);
  assert.deepEqual(orderFaults(receiver.events), []);
  await waitFor("nothing that waits", async () => (await rig.find(endpoint.id)).waiting === 0);
});

test("an event that the endpoint's types leave out is sent, also before its place is reached", async () => {
  await rig.clear();
  const { receiver, endpoint } = await rig.subscribe({ types: ["parcel.delivered", "wallet.*"] });
  receiver.answer = () => 503;
  await rig.write(newUuid(), 1, 1, "wallet.low");
  await waitFor("a rest", () => receiver.all.length > 1);
  const [id] = await rig.write(newUuid());
  await rig.call("POST", `/webhooks/${endpoint.id}/replay`, { event_id: id });
  receiver.answer = () => 204;
  await rig.passTime("the event", SECOND_MS, () => receiver.events.some((received) => received.id === id));
});

test("an endpoint whose waiting events have left the feed goes on with the later ones", async () => {
  await rig.clear();
  const { receiver, endpoint } = await rig.subscribe();
  await waitFor("an endpoint that nobody holds", async () => {
    const { rowCount } = await db.query(
      "update webhook_endpoints set waiting = $1 where leased_until is null and next_at is null",
      [WAITING_MAX],
    );
    return rowCount === 1;
  });
  const [id] = await rig.write(newUuid());
  await waitFor("the event", () => receiver.events.some((received) => received.id === id));
  await waitFor("the right number", async () => (await rig.find(endpoint.id)).waiting === 0);
});
