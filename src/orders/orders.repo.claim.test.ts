import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeCustomer, newOrder } from "../testing/engine.ts";
import { PARCEL } from "../testing/parcel.ts";
import { waitFor } from "../testing/wait-for.ts";
import { acceptOrders, type NewOrder } from "./accept.repo.ts";
import { decideBegin } from "./decide.ts";
import { type Order, PRIORITY } from "./order.ts";
import { changeOrders, claimOrders, findOrder, releaseOrders, renewLeases } from "./orders.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

/** Each test has a queue of its own, by a service name that nothing else uses. */
let queues = 0;
const newService = () => `parcel${++queues}`;

async function put(orders: readonly NewOrder[]): Promise<void> {
  const units = orders.map((order) => ({ orders: [order], leased: false }));
  await acceptOrders(db, units, { node: newUuid(), leaseSeconds: 30, strict: false, recheck: false });
}

/** Accounts of the test in the order in which they were made, each with orders due in the order of their making. */
async function backlog(
  service: string,
  ordersOfEach: readonly number[],
  more: Partial<NewOrder> = {},
): Promise<Uuid[]> {
  const accounts: Uuid[] = [];
  for (const count of ordersOfEach) {
    const accountId = await makeCustomer(db);
    await db.query("select open_ledger_accounts($1, 'test', $2)", [accountId, [`sales:${service}`]]);
    accounts.push(accountId);
    await put(Array.from({ length: count }, () => newOrder(accountId, { service, ...more })));
  }
  return accounts;
}

/** A `Date` has milliseconds, the database's clock microseconds: an order given back "now" is due up to 1 ms after `Date.now()`. */
const claim = (service: string, max: number, node = newUuid(), leaseSeconds = 30) =>
  claimOrders(db, { node, leaseSeconds, queue: `${service}:test`, max, now: new Date(Date.now() + 1) });

const counts = (claimed: readonly { accountId: Uuid }[], accounts: readonly Uuid[]) =>
  accounts.map((accountId) => claimed.filter((order) => order.accountId === accountId).length);

test("priority goes before age: a code that came last is claimed before ten thousand of a bulk", async () => {
  const service = newService();
  await backlog(service, [200], { priority: PRIORITY.bulkPromotional });
  await backlog(service, [3], { priority: PRIORITY.singleTransactional });
  await backlog(service, [3], { priority: PRIORITY.bulkTransactional });
  const claimed = await claim(service, 10);
  assert.deepEqual(
    Object.entries(Object.groupBy(claimed, (order) => order.priority)).map(([priority, orders]) => [
      priority,
      orders?.length,
    ]),
    [
      ["0", 3],
      ["2", 3],
      ["3", 4],
    ],
  );
});

test("within a priority the accounts take turns: one with 500 orders leaves room for those with 5", async () => {
  const service = newService();
  const accounts = await backlog(service, [500, 5, 5, 5]);
  const claimed = await claim(service, 40);
  assert.deepEqual(counts(claimed, accounts).slice(1), [5, 5, 5]);
  assert.ok(counts(claimed, accounts)[0]! >= 10, "and has its own share");
});

test("the longest due of an account goes first", async () => {
  const service = newService();
  const [accountId] = await backlog(service, [0]);
  const now = Date.now();
  const orders = [3, 1, 2].map((age) => newOrder(accountId!, { service, dueAt: new Date(now - age * 1_000) }));
  await put(orders);
  assert.deepEqual(
    (await claim(service, 1)).map((order) => order.id),
    [orders[0]!.id],
  );
  assert.deepEqual(
    (await claim(service, 1)).map((order) => order.id),
    [orders[2]!.id],
  );
});

test("nodes that claim at once never get the same order, and leave none behind", async () => {
  const service = newService();
  await backlog(service, [150, 150, 100]);
  const claimed: string[] = [];
  const node = async () => {
    const name = newUuid();
    for (let got = await claim(service, 7, name); got.length > 0; got = await claim(service, 7, name))
      claimed.push(...got.map((order) => order.id));
  };
  await Promise.all(Array.from({ length: 6 }, node));
  assert.equal(new Set(claimed).size, claimed.length, "no order twice");
  // A node that finds the last rows locked by another goes home early; what is left then is nobody's.
  claimed.push(...(await claim(service, 400)).map((order) => order.id));
  assert.equal(claimed.length, 400);
});

test("what is not due yet is not claimed, however many accounts wait for later", async () => {
  const service = newService();
  const later = new Date(Date.now() + 30 * 24 * 3_600_000);
  await backlog(
    service,
    Array.from({ length: 40 }, () => 1),
    { dueAt: later, state: "scheduled" },
  );
  const [accountId] = await backlog(service, [1]);
  const claimed = await claim(service, 10);
  assert.deepEqual(
    claimed.map((order) => order.accountId),
    [accountId],
  );
});

test("accounts with orders for later do not starve the accounts behind them", async () => {
  const service = newService();
  const early = await makeCustomer(db);
  await db.query("select open_ledger_accounts($1, 'test', $2)", [early, [`sales:${service}`]]);
  const later = new Date(Date.now() + 30 * 24 * 3_600_000);
  // Ids are made in the order of time, so that every one of these sorts before the last account.
  await db.query(
    `insert into orders (account_id, id, mode, service, queue, state, priority, due_at, later_at, ambiguity, price_kobo, tax_kobo,
                         recipient, payload, created_at, updated_at)
     select uuidv7_now(), uuidv7_now(), 'test', $1, $1 || ':test', 'scheduled', 0, case when $2 <= due_horizon() then $2 end, case when $2 > due_horizon() then $2 end, 'fail', 0, 0, '1', '{}', now(), now()
       from generate_series(1, 700)`,
    [service, later],
  );
  const [last] = await backlog(service, [1]);
  assert.deepEqual(
    (await claim(service, 10)).map((order) => order.accountId),
    [last],
  );
});

test("a lease that is held is nobody else's; one that has run out is, with a higher epoch", async () => {
  const service = newService();
  await backlog(service, [1]);
  const [first] = await claim(service, 1, newUuid(), 0.2);
  assert.deepEqual(await claim(service, 1), []);
  const [second] = await waitFor("the lease to run out", async () => {
    const got = await claim(service, 1);
    return got.length > 0 ? got : undefined;
  });
  assert.equal(second?.id, first?.id);
  assert.equal(second!.leaseEpoch, first!.leaseEpoch + 1);
  assert.equal(second!.version, first!.version + 1);
});

test("a renewed lease lasts from then on; a lost one is named and not taken back", async () => {
  const service = newService();
  await backlog(service, [2]);
  const node = newUuid();
  const [kept, lost] = await claim(service, 2, node, 30);
  await releaseOrders(db, node, [lost!], 0);
  const [taken] = await claim(service, 1);
  assert.equal(taken?.id, lost?.id);
  assert.deepEqual(await renewLeases(db, node, 60, [kept!, lost!]), [lost!.id]);
  const renewed = await findOrder(db, kept!.accountId, kept!.id);
  assert.ok(renewed!.leasedUntil! > kept!.leasedUntil!);
  assert.equal(renewed!.version, kept!.version, "what was decided on it still fits");
});

test("orders given back are due when they are said to be, and only the holder's own", async () => {
  const service = newService();
  await backlog(service, [1]);
  const node = newUuid();
  const [order] = await claim(service, 1, node);
  await releaseOrders(db, newUuid(), [order!], 0);
  assert.deepEqual(await claim(service, 1), [], "another node can't give it back");
  await releaseOrders(db, node, [order!], 60_000);
  assert.deepEqual(await claim(service, 1), [], "not due yet");
  assert.equal((await findOrder(db, order!.accountId, order!.id))?.leasedUntil, null);
});

const begin = (order: Order) =>
  decideBegin({ service: PARCEL, order, route: "carrier", pieceCount: 1, at: new Date() });

test("begin succeeds for the holder of a live lease", async () => {
  const service = newService();
  await backlog(service, [1]);
  const node = newUuid();
  const [order] = await claim(service, 1, node);
  assert.equal((await changeOrders(db, node, [begin(order!)])).stale.size, 0);
  const begun = await findOrder(db, order!.accountId, order!.id);
  assert.deepEqual([begun?.state, begun?.attempt, begun?.route], ["sending", 1, "carrier"]);
  assert.ok(begun?.begunAt);
});

test("begin fails for a node that does not hold the lease, and changes nothing", async () => {
  const service = newService();
  await backlog(service, [1]);
  const [order] = await claim(service, 1);
  assert.deepEqual([...(await changeOrders(db, newUuid(), [begin(order!)])).stale], [order!.id]);
  assert.equal((await findOrder(db, order!.accountId, order!.id))?.begunAt, null);
});

test("begin fails once the lease has run out by the database's clock, though nobody has claimed the order since", async () => {
  const service = newService();
  await backlog(service, [1]);
  const node = newUuid();
  const [order] = await claim(service, 1, node, 0.05);
  await waitFor("the lease to run out", async () => {
    const { rows } = await db.query<{ over: boolean }>("select clock_timestamp() > $1 as over", [order!.leasedUntil]);
    return rows[0]?.over;
  });
  assert.deepEqual([...(await changeOrders(db, node, [begin(order!)])).stale], [order!.id]);
});

test("begin fails for an earlier epoch of the node's own lease", async () => {
  const service = newService();
  await backlog(service, [1]);
  const node = newUuid();
  const [first] = await claim(service, 1, node);
  await releaseOrders(db, node, [first!], 0);
  const [second] = await claim(service, 1, node);
  assert.equal(second!.leaseEpoch, first!.leaseEpoch + 1);
  // Even with the present version: it is the epoch that counts.
  const old = begin({ ...first!, version: second!.version });
  assert.deepEqual([...(await changeOrders(db, node, [old])).stale], [first!.id]);
});

test("a change decided on an old version is not applied, and the others of its batch are", async () => {
  const service = newService();
  await backlog(service, [2]);
  const node = newUuid();
  const [one, two] = await claim(service, 2, node);
  await changeOrders(db, node, [begin(one!)]);
  assert.deepEqual([...(await changeOrders(db, node, [begin(one!), begin(two!)])).stale], [one!.id]);
  assert.equal((await findOrder(db, two!.accountId, two!.id))?.state, "sending");
  assert.equal((await findOrder(db, one!.accountId, one!.id))?.attempt, 1, "begun once");
});
