import assert from "node:assert/strict";
import { test } from "node:test";
import { findDenied, findUndecided } from "../../src/cases/cases.repo.ts";
import { openDatabase } from "../../src/db/database.ts";
import { placeEvents, readAfter, readAt } from "../../src/events/feed.repo.ts";
import { newUuid, type Uuid } from "../../src/kernel/ids.ts";
import { readTransfers } from "../../src/ledger/ledger.repo.ts";
import { findStuck } from "../../src/orders/inspect.repo.ts";
import { listOrders } from "../../src/orders/listing.repo.ts";
import { findOrder, findOverdue, releaseOrders, renewLeases } from "../../src/orders/orders.repo.ts";
import { makeEmptyDatabases, SILENT } from "../../src/testing/database.ts";
import { makeCustomer, makeEngine, newOrder } from "../../src/testing/engine.ts";
import { ScriptedProvider } from "../../src/testing/scripted-provider.ts";
import { type ToldPlan, tellPlans } from "../../src/testing/told-plans.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { readCommits, readMovements } from "../../src/wallet/statement.repo.ts";

const databases = await makeEmptyDatabases();
const STORED = 3_000;
const BATCH = 40;
/** What a statement about a batch may go through: some rows for each of its orders, and neither all that are stored nor the batch's square. */
const ROWS_MAX = 4 * BATCH;

/** Of each function of the engine that gets a batch, a part of its text. */
const TOLD = [
  "insert into orders",
  "o.version = 1 and o.leased_by",
  "o.lease_epoch + 1",
  "with held as",
  "held where o.account_id",
].concat([
  "select c.n from unnest",
  "with changed as",
  "update transfers",
  "insert into usage_changes",
  "join provider_references",
]);

/** Of each page that is read from several of the large tables. */
const PAGES = [
  "with looked as",
  "f.position = any",
  "from unnest($2::uuid[]) i(id)",
  "listed.id from unnest",
  "posted_kobo from transfers",
];

/** Of each look through what is due, whether or not anything is. */
const LOOKS = [
  "select * from orders where queue = $1",
  "? 'denied_at'",
  "o.ambiguity = 'requery' and o.attempt > 0",
  "as stuck_why",
];

/** This test's own look. */
const OTHERS = ["select count(*)::int as n from orders"];

/** Autovacuum would analyze at a moment of its own. */
const WITHOUT_AUTOVACUUM = `do $$ declare name text; begin
  for name in select c.oid::regclass from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace loop
    execute format('alter table %s set (autovacuum_enabled = false)', name);
  end loop; end $$`;

for (const [statistics, before, after] of [
  ["were never analysed", "select", "select"],
  ["were analysed while they were empty", "analyze", "select"],
  ["were analysed when they had grown", "select", "analyze"],
] as const)
  test(`a batch of orders, old and new, and a page of a list go through their own rows alone, where tables ${statistics}`, async (t) => {
    const connection = await databases.make({ migrated: true });
    const { connection: telling, take } = tellPlans(connection);
    const db = openDatabase({ connection: telling, connections: 10, connectTimeoutMs: 60_000, log: SILENT });
    await db.query(WITHOUT_AUTOVACUUM);
    await db.query(before);
    const carrier = new ScriptedProvider("carrier");
    const engine = makeEngine(db, [carrier]);
    /** Its orders are claimed by the other. */
    const door = makeEngine(db, [new ScriptedProvider("carrier")], { role: "api" });
    await engine.start([]);
    await door.start([]);
    t.after(async () => {
      await door.stop();
      await engine.stop();
      await db.close();
    });
    const accountId = await makeCustomer(db);

    const send = async (count: number, node = engine) => {
      const orders = Array.from({ length: count }, () => newOrder(accountId));
      await Promise.all(orders.map((order) => node.accept(order)));
      await stand("sent", orders);
      return orders;
    };
    const stand = (state: string, orders: readonly { readonly id: Uuid }[]) =>
      waitFor(`${orders.length} orders ${state}`, async () => {
        const { rows } = await db.query<{ n: number }>(
          "select count(*)::int as n from orders where account_id = $1 and id = any($2) and state = $3",
          [accountId, orders.map(({ id }) => id), state],
        );
        return rows[0]!.n === orders.length;
      });
    const deliver = async (orders: readonly { readonly id: Uuid }[]) => {
      const reports = orders.map(({ id }) => carrier.referenceOf({ orderId: id, attempt: 1 }, 0));
      await Promise.all(reports.map((providerReference) => carrier.report({ providerReference, status: "delivered" })));
      await stand("delivered", orders);
    };

    const oldest = await send(BATCH / 2);
    for (let stored = 0; stored < STORED; stored += 500) await deliver(await send(500));
    await db.query(after);
    take();
    const mixed = [...oldest, ...(await send(BATCH)), ...(await send(BATCH / 4, door))];
    const read = await Promise.all(mixed.map(({ id }) => findOrder(db, accountId, id)));
    const orders = read.filter((order) => order !== undefined);
    await renewLeases(db, newUuid(), 30, orders);
    await releaseOrders(db, newUuid(), orders, 0);
    await deliver(mixed);
    const queues = ["parcel:test"];
    const now = new Date();
    await findOverdue(db, queues[0]!, [], now, BATCH);
    await findUndecided(db, { queues, createdBefore: { live: now, test: now }, limit: BATCH });
    await findDenied(db, { queues, deniedBefore: { live: now, test: now }, limit: BATCH });

    await findStuck(db, { overdueSeconds: 60, undecided: [["parcel", "queued"]], sleeping: [], limit: BATCH });

    assert.deepEqual(farFetched(take(), [...TOLD, ...LOOKS]), []);

    // Pages are not asked for thousands of times a second: until the first `analyze` they may cost more.
    await placeEvents(db);
    await db.query("analyze");
    const owner = { accountId, mode: "test" as const };
    take();
    for (let seen = 0; seen < 3; seen++) {
      // As many times as a driver asks until a plan is kept.
      const { events } = await readAfter(db, { ...owner, after: 0n, limit: BATCH });
      await readAt(
        db,
        owner,
        events.map(({ position }) => position),
      );
      const commits = await readCommits(db, owner, { linesMax: BATCH });
      await readMovements(db, accountId, commits.flatMap(({ decided }) => decided).slice(0, BATCH));
      await readTransfers(db, accountId, mixed[seen]!.id);
      await listOrders(db, { ...owner, among: [{ service: "parcel", states: ["sent", "delivered"] }], limit: BATCH });
    }
    assert.deepEqual(farFetched(take(), PAGES), []);
  });

/** What went through more rows than it should. Errors: fails when one of the texts was not among them. */
function farFetched(plans: readonly ToldPlan[], texts: readonly string[]): readonly string[] {
  const own = plans.filter(({ text }) => !OTHERS.some((other) => text.startsWith(other)));
  for (const part of texts)
    assert.ok(
      own.some(({ text }) => text.includes(part)),
      part,
    );
  return own
    .filter(({ most }) => most.rows > ROWS_MAX)
    .map(({ text, most }) => `${most.rows} rows at ${most.at}: ${text.slice(0, 120)}`);
}
