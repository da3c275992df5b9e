import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, test } from "node:test";
import type pg from "pg";
import { Webhook } from "standardwebhooks";
import type { Database } from "../db/database.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { type Received, Receiver } from "../testing/receiver.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeWebhooksRig } from "../testing/webhooks-rig.ts";

const nodes: { stop(): Promise<void> }[] = [];
// Before the database's own hook.
after(() => Promise.all(nodes.map((node) => node.stop())));
const db = (await makeTestDatabase()).open();
const rig = await makeWebhooksRig(db);

/** Looks of the node for changes of the endpoints that it delivers to: begun ones, and the last that is over. */
let [begun, over] = [0, 0];
const watched: Database = {
  ...db,
  async query<Row extends pg.QueryResultRow>(query: Parameters<Database["query"]>[0], values?: readonly unknown[]) {
    if (typeof query !== "object" || query.name !== "webhooks_changed") return db.query<Row>(query, values);
    begun += 1;
    const look = begun;
    const found = await db.query<Row>(query, values);
    over = look;
    return found;
  },
};
nodes.push(await rig.startNode({ db: watched }));

/** The node holds the endpoint, because a receiver takes its time with an answer. */
async function heldEndpoint() {
  const { receiver, endpoint } = await rig.subscribe();
  const slow: ServerResponse[] = [];
  receiver.answer = (received, response) => {
    if (slow.length > 0) {
      receiver.taken.push(received);
      response.writeHead(204).end();
    } else slow.push(response);
    return undefined;
  };
  await rig.write(newUuid());
  const [first] = await waitFor("a slow answer", () => slow.length > 0 && slow);
  return { receiver, endpoint, answer: (status = 204) => first!.writeHead(status).end() };
}

async function nextLook(): Promise<void> {
  const before = begun;
  await waitFor("a look for changes", () => over > before);
}

const isSigned = (secret: string, { body, headers }: Received): boolean => {
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

test("after a rotation without overlap the old secret signs nothing more, also at a node that holds the endpoint", async () => {
  const { receiver, endpoint, answer } = await heldEndpoint();
  const rotated = await rig.call("POST", `/webhooks/${endpoint.id}/rotate`, { overlap_hours: 0 });
  await nextLook();
  const [id] = await rig.write(newUuid());
  answer();
  const event = await waitFor("the event", () => receiver.events.find((received) => received.id === id));
  assert.deepEqual([isSigned(rotated.body.secret!, event), isSigned(endpoint.secret, event)], [true, false]);
});

test("after a change of the address nothing more goes to the old one", async () => {
  const { receiver, endpoint, answer } = await heldEndpoint();
  const other = await Receiver.start();
  await rig.call("PATCH", `/webhooks/${endpoint.id}`, { url: other.url });
  await rig.reach(endpoint.id, "active");
  const [id] = await rig.write(newUuid());
  answer();
  await waitFor("the event at the new address", () => other.events.some((received) => received.id === id));
  assert.ok(!receiver.all.some((received) => received.id === id));
});

test("what the old address answers after its change disables nothing", async () => {
  const { endpoint, answer } = await heldEndpoint();
  const other = await Receiver.start();
  await rig.call("PATCH", `/webhooks/${endpoint.id}`, { url: other.url });
  answer(410);
  await rig.reach(endpoint.id, "active");
  const [id] = await rig.write(newUuid());
  await waitFor("the event at the new address", () => other.events.some((received) => received.id === id));
  assert.equal((await rig.find(endpoint.id)).status, "active");
});

for (const act of ["pause", "deletion"])
  test(`after a ${act} nothing more is sent`, async () => {
    const { receiver, endpoint, answer } = await heldEndpoint();
    const path = `/webhooks/${endpoint.id}`;
    if (act === "pause") await rig.call("PATCH", path, { status: "paused" });
    else await rig.call("DELETE", path);
    await nextLook();
    const [id] = await rig.write(newUuid());
    answer();
    const { receiver: witness } = await rig.subscribe();
    const [later] = await rig.write(newUuid());
    await waitFor("a later event elsewhere", () => witness.events.some((received) => received.id === later));
    assert.ok(!receiver.all.some((received) => received.id === id));
  });

test("an endpoint whose keys can't be opened keeps no other waiting, and gets its events after a rotation", async () => {
  await rig.clear();
  const [broken, sound] = [await rig.subscribe(), await rig.subscribe()];
  await waitFor("endpoints that nobody holds", async () => {
    const { rowCount } = await db.query("select 1 from webhook_endpoints where leased_until is not null");
    return rowCount === 0;
  });
  const { id: brokenId, public_key: publicKey } = broken.endpoint;
  await db.query("update webhook_keys set secret = 'x' || secret where public_key = $1", [publicKey]);
  const [id] = await rig.write(newUuid());
  await waitFor("the sound one's event", () => sound.receiver.events.some((received) => received.id === id));
  assert.equal(broken.receiver.events.length, 0);
  const rotated = await rig.call("POST", `/webhooks/${brokenId}/rotate`, { overlap_hours: 0 });
  await db.query("update webhook_endpoints set leased_until = clock_timestamp() where leased_until is not null");
  const event = await waitFor("the event", () => broken.receiver.events.find((received) => received.id === id));
  assert.ok(isSigned(rotated.body.secret!, event));
});
