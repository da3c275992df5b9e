import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, test } from "node:test";
import { SECOND_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { orderFaults, type Received } from "../testing/receiver.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeWebhooksRig } from "../testing/webhooks-rig.ts";

const nodes: { stop(): Promise<void> }[] = [];
// Before the database's own hook.
after(() => Promise.all(nodes.map((node) => node.stop())));
const db = (await makeTestDatabase()).open();
const rig = await makeWebhooksRig(db);
const startNode = async () => {
  const node = await rig.startNode();
  nodes.push(node);
  return node;
};
const [, second] = [await startNode(), await startNode()];

/** A third of the attempts, by chance and yet the same in every run of one. */
const fails = ({ id }: Received, attempt: number): boolean =>
  createHash("sha256").update(`${id} ${attempt}`).digest().readUInt32BE() % 3 === 0;

test("with two nodes and a receiver that fails a third of the time, every event arrives, in order, and again under its id only", async () => {
  const { receiver } = await rig.subscribe();
  const tries = new Map<string, number>();
  receiver.answer = (received, response) => {
    const attempt = (tries.get(received.id) ?? 0) + 1;
    tries.set(received.id, attempt);
    if (!fails(received, attempt) || attempt > 8) return 204;
    // Some are reset, and some of those after the receiver has taken the event.
    if (attempt % 2 === 1) return 500;
    if (attempt % 4 === 0) receiver.taken.push(received);
    response.socket?.destroy();
    return undefined;
  };
  const subjects = Array.from({ length: 200 }, newUuid);
  const written = new Set<string>();
  for (let sequence = 1; sequence <= 4; sequence++)
    for (const subject of subjects) {
      for (const id of await rig.write(subject, 1, sequence)) written.add(id);
      if (written.size === 500) await second.stop();
    }
  const distinct = () => new Set(receiver.events.map(({ id }) => id)).size;
  await rig.passTime("all events", SECOND_MS / 10, () => distinct() === written.size);
  assert.deepEqual(orderFaults(receiver.events), []);
  assert.deepEqual(new Set(receiver.events.map(({ id }) => id)), written);
});

test("what a dead node held is delivered by another: at once where its death is certain, after its lease otherwise", async () => {
  for (const isCertain of [true, false]) {
    const { receiver, endpoint } = await rig.subscribe();
    await waitFor("an endpoint that nobody holds", async () => (await leaseOf(endpoint.id)) === null);
    const dead = newUuid();
    await db.query(
      "update webhook_endpoints set leased_by = $2, leased_until = clock_timestamp() + interval '1 hour' where account_id = $1 and leased_by is null",
      [rig.owner.accountId, dead],
    );
    await rig.write(newUuid(), 2);
    if (isCertain) nodes.push(await rig.startNode({}, [dead]));
    else await db.query("update webhook_endpoints set leased_until = clock_timestamp() where leased_by = $1", [dead]);
    await waitFor("both events", () => receiver.events.length === 2);
  }
});

async function leaseOf(id: string): Promise<string | null> {
  assert.ok(id);
  const { rows } = await db.query<{ leased_by: string | null }>(
    "select leased_by from webhook_endpoints where account_id = $1 order by leased_by nulls last limit 1",
    [rig.owner.accountId],
  );
  return rows[0]!.leased_by;
}
