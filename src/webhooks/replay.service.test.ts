import assert from "node:assert/strict";
import { test } from "node:test";
import { positionAt } from "../events/position.ts";
import { decodeId, newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeWebhooksRig } from "../testing/webhooks-rig.ts";
import { REPLAY_MAX } from "./endpoint.ts";
import { makeReplay, type ReplayableEvent } from "./replay.service.ts";

const db = (await makeTestDatabase()).open();

test("a range of more than one replay is gone through without a gap, though events get their places in another order than their times", async () => {
  const rig = await makeWebhooksRig(db);
  const id = decodeId("whe", (await rig.create("http://localhost:3000")).id)!;
  await db.query("update webhook_endpoints set status = 'active' where id = $1", [id]);
  const begin = new Date("2026-11-27T09:00:00Z");
  const subjectId = newUuid();
  const events = Array.from({ length: REPLAY_MAX + 3 }, (_, index): ReplayableEvent => {
    const at = new Date(begin.getTime() + (index < REPLAY_MAX ? 1_000 : 1));
    return { eventId: newUuid(), type: "parcel.sent", subjectId, position: positionAt(begin) + BigInt(index + 1), at };
  });
  const replay = makeReplay({
    db,
    clock: rig.clock,
    findEvent: async () => undefined,
    async *readPlaced(_endpoint, after) {
      yield* events.filter(({ position }) => position > after);
    },
  });
  const caller = { ...rig.owner, actor: { kind: "system" }, mayVend: true } as const;
  const range = { since: begin, until: new Date(begin.getTime() + 10_000) };
  const first = await replay(caller, id, { ...range, after: undefined });
  assert.ok(first.ok);
  assert.deepEqual(first.value, { count: REPLAY_MAX, nextAfter: events[REPLAY_MAX - 1]!.position });
  const second = await replay(caller, id, { ...range, after: first.value.nextAfter });
  assert.ok(second.ok);
  assert.deepEqual(second.value, { count: 3, nextAfter: undefined });
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from webhook_deliveries where endpoint_id = $1 and body is null",
    [id],
  );
  assert.equal(rows[0]!.count, events.length);
});
