import assert from "node:assert/strict";
import { test } from "node:test";
import { SECOND_MS } from "../kernel/duration.ts";
import { decodeId, newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeWebhooksRig } from "../testing/webhooks-rig.ts";
import { insertPing, readDue, replayFailed } from "./deliveries.repo.ts";

const db = (await makeTestDatabase()).open();

test("pings come first, then what was tried least often, so that events that fail always hide no others", async () => {
  const rig = await makeWebhooksRig(db);
  const endpointId = decodeId("whe", (await rig.create("http://localhost:3000")).id)!;
  const now = new Date();
  const [past, later] = [-1, 60].map((seconds) => new Date(now.getTime() + seconds * SECOND_MS));
  const insert = (position: number, attempts: number, dueAt = past) =>
    db.query(
      `insert into webhook_deliveries (endpoint_id, event_id, type, position, subject_id, holds, attempts, due_at)
       values ($1, $2, 'parcel.sent', $3, $4, true, $5, $6)`,
      [endpointId, newUuid(), position, newUuid(), attempts, dueAt],
    );
  for (const [position, attempts] of [
    [1, 9],
    [2, 8],
    [3, 0],
    [4, 1],
  ] as const)
    await insert(position, attempts);
  await insert(5, 0, later);
  await insertPing(db, { endpointId, eventId: newUuid(), body: "{}", at: now });
  const due = await readDue(db, { endpointId, now: new Date(), pings: false, limit: 3 });
  assert.deepEqual(
    due.map(({ position }) => position),
    [null, 3n, 4n],
  );
});

test("what failed is found page by page, each once, also where it fails again meanwhile", async () => {
  const rig = await makeWebhooksRig(db);
  const endpointId = decodeId("whe", (await rig.create("http://localhost:3000")).id)!;
  const at = new Date();
  await db.query(
    `insert into webhook_deliveries (endpoint_id, event_id, type, position, subject_id, holds, due_at, failed_at, given_up_at)
     select $1, uuidv7_now(), 'parcel.sent', n, uuidv7_now(), false, null, $2, $2 from generate_series(1, 5) n`,
    [endpointId, at],
  );
  const pages: [count: number, last: bigint | undefined][] = [];
  let after: bigint | undefined;
  do {
    const { count, last } = await replayFailed(db, { endpointId, since: at, after, limit: 2, at });
    pages.push([count, last]);
    after = last;
  } while (after !== undefined);
  assert.deepEqual(pages, [
    [2, 2n],
    [2, 4n],
    [1, 5n],
    [0, undefined],
  ]);
});
