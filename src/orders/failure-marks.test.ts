import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import type { Db } from "../db/database.ts";
import { migrate, readSchema } from "../db/migrate.ts";
import { newUuid } from "../kernel/ids.ts";
import { MIGRATIONS_DIR, makeEmptyDatabases, makeTestDatabase } from "../testing/database.ts";
import { makeCustomer, makeEngine, newTopup } from "../testing/engine.ts";
import { accept } from "../testing/engine-rig.ts";
import { TOPUP } from "../testing/parcel.ts";
import type { Order, Piece } from "./order.ts";
import { changeOrders, findOrder } from "./orders.repo.ts";
import { hintOrder } from "./reports.repo.ts";
import { transition } from "./transition.ts";

/** The columns with which a proof begins that a vendor has not done a purchase: `not_found_at` and `failed_at`. */

const db = (await makeTestDatabase()).open();
const emptyDatabases = await makeEmptyDatabases();
const AT = new Date("2026-11-27T09:00:00.000Z");
const DENIED: Partial<Order> = { notFoundAt: AT, failedAt: AT };

/** A purchase that nobody works on. */
async function purchase(): Promise<Order> {
  const api = makeEngine(db, [], { role: "api" });
  const { accountId, id } = await accept(api, newTopup(await makeCustomer(db)));
  return (await findOrder(db, accountId, id))!;
}
const marked = (order: Order) => transition(TOPUP, order, undefined, { at: AT, patch: DENIED });
const marksOf = async ({ accountId, id }: Order) => {
  const { notFoundAt, failedAt } = (await findOrder(db, accountId, id))!;
  return { notFoundAt, failedAt };
};

test("both marks of a proof are stored with the change that sets them", async () => {
  const order = await purchase();
  await changeOrders(db, newUuid(), [marked(order)]);
  assert.deepEqual(await marksOf(order), { notFoundAt: AT, failedAt: AT });
});

test("a node of an older build, which has one mark for two words, stores none: the vendor is asked once more", async () => {
  const order = await purchase();
  const olderBuild = {
    query: (query: { text: string }, values: unknown[]) => {
      const [text, ...later] = query.text.split(/, (?=(?:c_failed|c_own_begin) => )/);
      assert.equal(later.length, 2);
      return db.query(`${text})`, values.slice(0, -later.length));
    },
  } as unknown as Db;
  const { stale } = await changeOrders(olderBuild, newUuid(), [marked(order)]);
  assert.equal(stale.size, 0);
  assert.deepEqual(await marksOf(order), { notFoundAt: null, failedAt: null });
});

test("marks that an older build left are forgotten by the upgrade", async () => {
  const client = new pg.Client(await emptyDatabases.make());
  client.on("error", () => undefined); // the database goes before its client
  await client.connect();
  after(() => client.end());
  const schema = readSchema(MIGRATIONS_DIR);
  await migrate(client, { migrations: schema.migrations.slice(0, 36), functions: [] });
  await client.query("create table if not exists orders_default partition of orders default");
  const insert = (column: "due_at" | "later_at") =>
    client.query(
      `insert into orders (account_id, id, mode, service, queue, state, priority, ambiguity, price_kobo, tax_kobo, recipient, payload,
                           created_at, updated_at, not_found_at, ${column})
       values ($1, $2, 'live', 'airtime', 'airtime:live', 'processing', 0, 'requery', 1, 0, '2348031234567', '{}',
               now(), now(), now(), now())`,
      [newUuid(), newUuid()],
    );
  await insert("due_at");
  await insert("later_at");
  await migrate(client, schema);
  const { rows } = await client.query("select not_found_at, failed_at from orders");
  assert.deepEqual(rows, Array(2).fill({ not_found_at: null, failed_at: null }));
});

const BEFORE: readonly (readonly Piece[] | null)[] = [
  null,
  [{ status: "open" }],
  [{ status: "unheard" }],
  [{ status: "unanswered" }],
  [{ status: "refused" }],
  [{ status: "taken", reference: "their-1" }],
];

for (const pieces of BEFORE)
  test(`a signed callback takes back what its vendor had said against it: ${pieces?.[0]?.status ?? "no piece"}`, async () => {
    const order = await purchase();
    const reference = `our-${order.id}`;
    await db.query(
      "insert into attempts (route, reference, account_id, order_id, attempt, begun_at) values ('north', $1, $2, $3, 1, now())",
      [reference, order.accountId, order.id],
    );
    const before = marked({ ...order, attempt: 1, ambiguousAt: AT, pieces });
    await changeOrders(db, newUuid(), [{ ...before, before: order }]);
    await hintOrder(db, "north", reference);
    assert.deepEqual(await marksOf(order), { notFoundAt: AT, failedAt: AT }, "an unproven one does not");
    await hintOrder(db, "north", reference, true);
    assert.deepEqual(await marksOf(order), { notFoundAt: null, failedAt: null });
    const known = (await findOrder(db, order.accountId, order.id))!.pieces;
    assert.deepEqual(known, pieces?.[0]?.status === "taken" ? pieces : [{ status: "taken" }]);
  });
