import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { writeEvent } from "../testing/events.ts";
import { type FeedOwner, feedsWithNews, placeEvents, readAfter, readHead } from "./feed.repo.ts";

const db = (await makeTestDatabase()).open();

const newOwner = (mode: FeedOwner["mode"] = "test"): FeedOwner => ({ accountId: newUuid(), mode });

async function write(owner: FeedOwner, ...types: readonly string[]): Promise<void> {
  for (const type of types) {
    await writeEvent(db, owner, { type });
    await placeEvents(db);
  }
}

const typesIn = async (owner: FeedOwner, types: readonly string[] | undefined, limit = 100) =>
  (await readAfter(db, { ...owner, after: 0n, types, limit })).events.map(({ type }) => type);

test("pages go on where the page before ended, and the last says that there is no more", async () => {
  const owner = newOwner();
  const types = ["parcel.a", "parcel.b", "parcel.c", "parcel.d", "parcel.e"];
  await write(owner, ...types);
  const first = await readAfter(db, { ...owner, after: 0n, limit: 2 });
  const second = await readAfter(db, { ...owner, after: first.reached, limit: 2 });
  const third = await readAfter(db, { ...owner, after: second.reached, limit: 2 });
  assert.deepEqual(
    [first, second, third].map(({ hasMore, events }) => [hasMore, ...events.map(({ type }) => type)]),
    [
      [true, "parcel.a", "parcel.b"],
      [true, "parcel.c", "parcel.d"],
      [false, "parcel.e"],
    ],
  );
});

test("a page that is exactly full has none behind it", async () => {
  const owner = newOwner();
  await write(owner, "parcel.a", "parcel.b");
  assert.equal((await readAfter(db, { ...owner, after: 0n, limit: 2 })).hasMore, false);
  assert.equal((await readAfter(db, { ...owner, after: 0n, types: ["*"], limit: 2 })).hasMore, false);
});

test("types are taken as they are written; only a star at the end stands for more", async () => {
  const owner = newOwner();
  await write(owner, "sms.sent", "sms.delivered", "smsx.sent", "data.token_pending", "data.tokenXpending");
  assert.deepEqual(await typesIn(owner, ["sms.*"]), ["sms.sent", "sms.delivered"]);
  assert.deepEqual(await typesIn(owner, ["data.token_pending", "smsx.*"]), ["smsx.sent", "data.token_pending"]);
  assert.equal((await typesIn(owner, ["*"])).length, 5);
  assert.deepEqual(await typesIn(owner, ["sms%", "%", "sms_sent", "sms\\"]), []);
});

test("a rare type among many is found in bounded steps, each of which says how far it looked", async () => {
  const owner = newOwner();
  await db.query(
    `insert into events (account_id, order_id, version, mode, id, type, sequence, status, at)
     select $1, uuidv7_now(), 1, 'test', uuidv7_now(), case n when 12000 then 'parcel.rare' else 'parcel.often' end, 1, 'sent',
            clock_timestamp() + n * interval '1 microsecond'
       from generate_series(1, 12000) n`,
    [owner.accountId],
  );
  await placeEvents(db);
  const found: string[] = [];
  let steps = 0;
  for (let after = 0n, hasMore = true; hasMore; steps += 1) {
    const slice = await readAfter(db, { ...owner, after, types: ["parcel.rare"], limit: 10 });
    found.push(...slice.events.map(({ type }) => type));
    assert.ok(slice.reached > after);
    after = slice.reached;
    hasMore = slice.hasMore;
  }
  assert.deepEqual([found, steps], [["parcel.rare"], 3]);
});

test("one subject's events are found among all others", async () => {
  const owner = newOwner();
  const subjectId = newUuid();
  await write(owner, "parcel.a");
  await writeEvent(db, owner, { subjectId, sequence: 1, type: "parcel.sent" });
  await write(owner, "parcel.b");
  await writeEvent(db, owner, { subjectId, sequence: 2, type: "parcel.done" });
  await placeEvents(db);
  const { events } = await readAfter(db, { ...owner, after: 0n, subjectId, limit: 10 });
  assert.deepEqual(
    events.map(({ type, sequence }) => [type, sequence]),
    [
      ["parcel.sent", 1],
      ["parcel.done", 2],
    ],
  );
});

test("an account sees its own events alone, those of live and of test apart", async () => {
  const owner = newOwner("live");
  await write(owner, "parcel.a");
  await write({ ...owner, mode: "test" }, "parcel.b");
  await write(newOwner("live"), "parcel.c");
  assert.deepEqual(await typesIn(owner, undefined), ["parcel.a"]);
  assert.deepEqual(await typesIn({ ...owner, mode: "test" }, undefined), ["parcel.b"]);
});

test("a reader without events keeps up with the feed, so that its cursor does not grow old", async () => {
  const owner = newOwner();
  await write(newOwner(), "parcel.a");
  const { reached, hasMore } = await readAfter(db, { ...owner, after: 0n, types: ["parcel.a"], limit: 10 });
  assert.deepEqual([reached, hasMore], [await readHead(db), false]);
  await write(owner, "parcel.a");
  const { events } = await readAfter(db, { ...owner, after: reached, limit: 10 });
  assert.equal(events.length, 1);
});

test("while nothing happens anywhere, the head still moves on", async () => {
  await placeEvents(db);
  const lastWeek = "feed_position(clock_timestamp() - interval '7 days')";
  await db.query(`update feed_progress set position = ${lastWeek}`);
  const { rows } = await db.query<{ before: bigint }>("select feed_position(clock_timestamp()) as before");
  const head = await placeEvents(db);
  assert.ok(head !== undefined && head >= rows[0]!.before);
  assert.equal(await placeEvents(db), head);
});

test("of many waiting readers those with news are named", async () => {
  const [busy, quiet] = [newOwner(), newOwner("live")];
  const after = await readHead(db);
  await write(busy, "parcel.a");
  const readers = [busy, quiet, { ...busy, mode: "live" as const }].map((owner) => ({ ...owner, after }));
  assert.deepEqual(await feedsWithNews(db, readers), [busy]);
  assert.deepEqual(await feedsWithNews(db, [{ ...busy, after: await readHead(db) }]), []);
});
