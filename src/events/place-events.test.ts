import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { DAY_MS, HOUR_MS } from "../kernel/duration.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { wholeFeed, writeEvent } from "../testing/events.ts";
import { dropOldFeed, type FeedOwner, placeEvents, readAfter } from "./feed.repo.ts";
import { placedAt, positionAt } from "./position.ts";

const database = await makeTestDatabase();
const db = database.open();

const newOwner = (): FeedOwner => ({ accountId: newUuid(), mode: "test" });
const idsOf = async (owner: FeedOwner) => (await wholeFeed(db, owner)).map(({ id }) => id);

/** A session of its own, whose transactions the test begins and ends. */
async function openSession() {
  const client = new pg.Client(database.connection);
  await client.connect();
  after(() => client.end());
  const query = (statement: string | { readonly text: string }, values: readonly unknown[] = []) =>
    client.query(typeof statement === "string" ? statement : statement.text, [...values]);
  return { query } as unknown as typeof db;
}

test("the first run of a database places what was written before, once, in the order of each subject's numbers", async () => {
  const owner = newOwner();
  const subjectId = newUuid();
  const hour = (n: number) => new Date(Date.now() - n * HOUR_MS);
  // The second event of the order was written by a node whose clock was behind.
  const first = await writeEvent(db, owner, { subjectId, sequence: 1, at: hour(2) });
  const second = await writeEvent(db, owner, { subjectId, sequence: 2, at: hour(3) });
  const older = await writeEvent(db, owner, { at: hour(4) });
  await writeEvent(db, owner, { at: new Date(Date.now() - 31 * DAY_MS) });
  // As rows of before the migration are.
  await db.query("update events set xid = null");
  assert.deepEqual((await db.query("select from feed_progress")).rowCount, 0);
  await placeEvents(db);
  assert.deepEqual(await idsOf(owner), [older, first, second]);
  await placeEvents(db);
  assert.deepEqual(await idsOf(owner), [older, first, second]);
});

test("a slow transaction's event comes after those that were committed before it, and is passed over by nobody", async () => {
  const owner = newOwner();
  const slow = await openSession();
  await slow.query("begin");
  const late = await writeEvent(slow, owner);
  const early = await writeEvent(db, owner);
  await placeEvents(db);
  const before = await readAfter(db, { ...owner, after: 0n, limit: 10 });
  assert.deepEqual(
    before.events.map(({ id }) => id),
    [early],
  );
  const meanwhile = await writeEvent(db, owner);
  await placeEvents(db);
  await slow.query("commit");
  await placeEvents(db);
  const { events } = await readAfter(db, { ...owner, after: before.reached, limit: 10 });
  assert.deepEqual(
    events.map(({ id }) => id),
    [meanwhile, late],
  );
});

test("what is rolled back has no place, nor has a savepoint that is", async () => {
  const owner = newOwner();
  const session = await openSession();
  await session.query("begin");
  await writeEvent(session, owner);
  await placeEvents(db);
  await session.query("rollback");
  await session.query("begin");
  await session.query("savepoint one");
  const kept = await writeEvent(session, owner);
  await session.query("release savepoint one");
  await session.query("savepoint two");
  await writeEvent(session, owner);
  await session.query("rollback to savepoint two");
  await placeEvents(db);
  await session.query("commit");
  await placeEvents(db);
  assert.deepEqual(await idsOf(owner), [kept]);
});

test("transactions that begin, write, wait, undo and commit in any order: each event once, each subject's in order", async () => {
  const owner = newOwner();
  const sessions = await Promise.all(Array.from({ length: 5 }, openSession));
  const placers = await Promise.all([openSession(), openSession()]);
  const subjects = Array.from({ length: 3 }, () => newUuid());
  const committed = new Map<Uuid, number>(subjects.map((subject) => [subject, 0]));
  /** By session: the subject that its transaction has locked, as the engine locks an order's row, and how far it has come. */
  const open = new Map<number, { readonly subject: Uuid; written: number }>();
  let written = 0;
  for (let step = 0; step < 1_200; step += 1) {
    const index = Math.floor(Math.random() * sessions.length);
    const session = sessions[index]!;
    const transaction = open.get(index);
    const dice = Math.random();
    if (dice < 0.25) await placeEvents(placers[step % 2]!);
    else if (!transaction) {
      const free = subjects.filter((subject) => ![...open.values()].some((other) => other.subject === subject));
      const subject = free[Math.floor(Math.random() * free.length)];
      if (subject === undefined) continue;
      await session.query("begin");
      await session.query("select pg_current_xact_id()");
      open.set(index, { subject, written: committed.get(subject)! });
    } else if (dice < 0.6) {
      if (dice < 0.35) await session.query("savepoint one");
      transaction.written += 1;
      await writeEvent(session, owner, { subjectId: transaction.subject, sequence: transaction.written });
      if (dice < 0.35) await session.query("release savepoint one");
    } else {
      const isKept = dice < 0.95;
      await session.query(isKept ? "commit" : "rollback");
      if (isKept) {
        written += transaction.written - committed.get(transaction.subject)!;
        committed.set(transaction.subject, transaction.written);
      }
      open.delete(index);
    }
  }
  for (const index of open.keys()) await sessions[index]!.query("rollback");
  await placeEvents(db);
  const feed = await wholeFeed(db, owner);
  assert.ok(written > 50, `${written} events`);
  assert.equal(feed.length, written);
  for (const subject of subjects)
    assert.deepEqual(
      feed.filter(({ subjectId }) => subjectId === subject).map(({ sequence }) => sequence),
      Array.from({ length: committed.get(subject)! }, (_, index) => index + 1),
    );
});

test("many nodes at once place each event once", async () => {
  const owner = newOwner();
  const subjectId = newUuid();
  for (let round = 0; round < 5; round += 1)
    await Promise.all([
      writeEvent(db, owner, { subjectId, sequence: round + 1 }),
      ...Array.from({ length: 6 }, () => placeEvents(db)),
    ]);
  await placeEvents(db);
  assert.deepEqual(
    (await wholeFeed(db, owner)).map(({ sequence }) => sequence),
    [1, 2, 3, 4, 5],
  );
});

test("a run without news takes no transaction id, which would be a write", async () => {
  await placeEvents(db);
  const session = await openSession();
  await session.query("begin");
  await placeEvents(session);
  const { rows } = await session.query("select pg_current_xact_id_if_assigned() as id");
  await session.query("commit");
  assert.deepEqual(rows, [{ id: null }]);
});

test("on another server, whose transactions are others, each event still has one place", async () => {
  const owner = newOwner();
  const placed = await writeEvent(db, owner);
  await placeEvents(db);
  const added = await writeEvent(db, owner);
  // As a copy by pg_dump looks there: ids of transactions that have not been yet.
  await db.query("update feed_progress set server = 'another', snapshot = '900000000000:900000000000:'");
  await db.query("update events set xid = '900000000000' where account_id = $1", [owner.accountId]);
  await placeEvents(db);
  const later = await writeEvent(db, owner);
  await placeEvents(db);
  await placeEvents(db);
  assert.deepEqual(await idsOf(owner), [placed, added, later]);
});

test("a position is the time at which the event was placed, in SQL as here", async () => {
  const at = new Date("2026-11-27T09:00:00.123Z");
  const { rows } = await db.query("select feed_position($1) as position", [at]);
  assert.deepEqual(rows, [{ position: positionAt(at) }]);
  const owner = newOwner();
  const { rows: clock } = await db.query<{ now: Date }>("select clock_timestamp() as now");
  await writeEvent(db, owner);
  await placeEvents(db);
  const [event] = await wholeFeed(db, owner);
  const later = placedAt(event!.position).getTime() - clock[0]!.now.getTime();
  assert.ok(later >= 0 && later < HOUR_MS, `${later} ms later`);
});

test("positions never go back, though the server's clock does", async () => {
  const owner = newOwner();
  const tomorrow = positionAt(new Date(Date.now() + DAY_MS));
  const before = await db.query<{ position: bigint }>("select position from feed_progress");
  await db.query("update feed_progress set position = $1", [tomorrow]);
  await writeEvent(db, owner);
  await placeEvents(db);
  const [event] = await wholeFeed(db, owner);
  assert.equal(event?.position, tomorrow + 1n);
  await db.query("update feed_progress set position = $1", [before.rows[0]!.position]);
});

test("months that ended more than 30 days ago are dropped, and no others", async () => {
  const months = async () =>
    (
      await db.query<{ name: string }>(
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'feed'::regclass order by 1",
      )
    ).rows.map(({ name }) => name);
  const before = await months();
  await db.query(
    "create table feed_2020_01 partition of feed for values from (feed_position('2020-01-01Z')) to (feed_position('2020-02-01Z'))",
  );
  assert.equal(await dropOldFeed(db), 1);
  assert.deepEqual(await months(), before);
  assert.equal(await dropOldFeed(db), 0);
});
