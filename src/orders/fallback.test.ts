import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Uuid } from "../kernel/ids.ts";
import type { Outcome, ProviderTask } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { BIKE_KOBO, CAR_KOBO, DELIVERY, type DeliveryPayload } from "../testing/delivery.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import { readStatement } from "../wallet/statement.ts";
import type { NewOrder } from "./accept.repo.ts";
import { hasFallenBack } from "./fallback.ts";
import type { Order } from "./order.ts";
import { findOrder, readTimeline } from "./orders.repo.ts";
import type { Orders } from "./orders.ts";
import { faultsOf } from "./steps.ts";

/** An order that goes on by its fallback instead of failing, and what it is charged then. */

const database = await makeTestDatabase();
const db = database.open();

const REFUSED: Outcome = { kind: "rejected", scope: "order", code: "rejected_by_network", detail: "no such street" };
const NOT_HERE: Outcome = { kind: "rejected", scope: "route", code: "vendor_failed", detail: "no bike is free" };
const LOST: Outcome = { kind: "unknown", detail: "no answer" };

/** A vendor that makes a reference of its own for every attempt, and keeps the tasks that it was given. */
function courierNamed(name: string) {
  const tasks: ProviderTask[] = [];
  const courier = Object.assign(new ScriptedProvider(name), { tasks });
  courier.makeReference = ({ orderId, attempt }) => `${name}-${orderId}-${attempt}`;
  courier.answers((task, piece) => {
    tasks.push(task);
    return courier.accept(task, piece);
  });
  return courier;
}

interface Rig {
  readonly bike: ReturnType<typeof courierNamed>;
  readonly car: ReturnType<typeof courierNamed>;
  readonly engine: Orders;
  readonly accountId: Uuid;
  deliver(more?: Partial<NewOrder>, byCar?: boolean): Promise<NewOrder>;
}

async function makeRig(t: TestContext, name: string): Promise<Rig> {
  const bike = courierNamed(`${name}-bike`);
  const car = courierNamed(`${name}-car`);
  const engine = await startEngine(t, db, [bike, car], {
    routes: { [bike.name]: { only: { vehicle: ["bike"] } }, [car.name]: { only: { vehicle: ["car"] } } },
  });
  const accountId = await makeCustomer(db);
  return {
    bike,
    car,
    engine,
    accountId,
    deliver(more = {}, byCar = true) {
      const payload: DeliveryPayload = { from: "Afara", byCar };
      return accept(engine, newOrder(accountId, { service: "delivery", priceKobo: CAR_KOBO, payload, ...more }));
    },
  };
}

type Key = Pick<Order, "accountId" | "id">;

const nowOf = async ({ accountId, id }: Key): Promise<Order> => (await findOrder(db, accountId, id))!;

const statesOf = async ({ accountId, id }: Key) => (await readTimeline(db, accountId, id)).map(({ status }) => status);

/** What the wallet's statement tells of it, oldest first: kind, change of the balance, and what is held after. */
const linesOf = async ({ accountId }: Key) =>
  (await readStatement(db, { accountId, mode: "test" }, {}, { limit: 50 })).lines
    .map(({ kind, changeKobo, heldKobo }) => [kind, changeKobo, heldKobo] as const)
    .filter(([kind]) => kind !== "credit")
    .reverse();

const chargedFor = async (order: Key) =>
  (await linesOf(order)).filter(([kind]) => kind === "charge").map(([, kobo]) => -kobo);

const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

const wordOf = (vendor: ScriptedProvider, order: Key, attempt: number, status: string) =>
  vendor.report({ providerReference: vendor.referenceOf({ orderId: order.id, attempt }, 0), status });

const isHeldByNone = (order: Key) => waitFor("the record", async () => (await nowOf(order)).leasedUntil === null);

test("the life of a delivery has no fault", () => assert.deepEqual(faultsOf(DELIVERY.table), []));

for (const [what, refusal] of [
  ["refused", REFUSED],
  ["refused by the last route there is", NOT_HERE],
] as const)
  test(`an order that is ${what} goes on the other way, under its next attempt and a reference of its own, and costs what that does`, async (t) => {
    const { bike, car, deliver } = await makeRig(t, `refused-${refusal.kind === "rejected" && refusal.scope}`);
    bike.answers(() => refusal);
    const order = await deliver();
    await waitFor("the car", () => car.tasks.length === 1);
    await isHeldByNone(order);
    const { reference, attempt } = car.tasks[0]!;
    assert.deepEqual([reference, attempt], [`${car.name}-${order.id}-2`, 2]);
    const { rows } = await db.query("select route, attempt from attempts where order_id = $1 order by attempt", [
      order.id,
    ]);
    assert.deepEqual(rows, [
      { route: bike.name, attempt: 1 },
      { route: car.name, attempt: 2 },
    ]);
    await wordOf(car, order, 2, "delivered");
    assert.equal((await nowOf(order)).state, "delivered");
    assert.deepEqual(await statesOf(order), ["sending", "queued", "sending", "sending", "delivered"]);
    assert.deepEqual([bike.sent.length, car.sent.length, await chargedFor(order)], [1, 1, [CAR_KOBO]]);
    await provesItself();
  });

test("what is charged less than was held gives the rest back in the same line of the statement", async (t) => {
  const { bike, deliver } = await makeRig(t, "partial");
  const order = await deliver();
  await waitFor("the bike", () => bike.tasks.length === 1);
  await isHeldByNone(order);
  await wordOf(bike, order, 1, "delivered");
  assert.deepEqual(await linesOf(order), [
    ["hold", 0n, CAR_KOBO],
    ["charge", -BIKE_KOBO, 0n],
  ]);
  const { rows } = await db.query("select state, amount_kobo, posted_kobo from transfers where id = $1", [order.id]);
  assert.deepEqual(rows, [{ state: "posted", amount_kobo: CAR_KOBO, posted_kobo: BIKE_KOBO }]);
  const sales = await db.query(
    "select credits_posted - debits_posted as kobo from ledger_accounts where account_id = $1 and kind = 'sales:delivery'",
    [order.accountId],
  );
  assert.deepEqual(sales.rows, [{ kobo: BIKE_KOBO }]);
  await provesItself();
});

test("an order whose vendor reports its failure goes on the other way, and fails for good when that fails too", async (t) => {
  const { bike, car, deliver } = await makeRig(t, "reported");
  const order = await deliver();
  await waitFor("the bike", () => bike.tasks.length === 1);
  await isHeldByNone(order);
  await wordOf(bike, order, 1, "sent");
  await wordOf(bike, order, 1, "failed");
  await waitFor("the car", () => car.tasks.length === 1);
  await isHeldByNone(order);
  await wordOf(car, order, 2, "failed");
  const ended = await nowOf(order);
  assert.deepEqual([ended.state, ended.attempt, ended.route], ["failed", 2, car.name]);
  assert.deepEqual((await linesOf(order)).at(-1), ["return", 0n, 0n]);
  assert.deepEqual([bike.sent.length, car.sent.length], [1, 1]);
  await provesItself();
});

test("an order whose outcome stays unknown goes on the other way only where a repeat is allowed", async (t) => {
  const { bike, car, deliver } = await makeRig(t, "unknown");
  bike.answers(() => LOST);
  const fail = await deliver({ ambiguity: "fail" });
  const retry = await deliver({ ambiguity: "retry" });
  await waitForState(db, fail, "failed");
  await waitFor("the car", () => car.tasks.length === 1);
  assert.deepEqual(
    car.tasks.map(({ orderId, attempt }) => [orderId, attempt]),
    [[retry.id, 3]],
  );
  await isHeldByNone(retry);
  await wordOf(car, retry, 3, "delivered");
  assert.deepEqual(
    [(await nowOf(retry)).state, (await nowOf(fail)).facts?.failure],
    ["delivered", { code: "outcome_unknown", detail: "The vendor's answer was lost and no report came in time." }],
  );
  assert.deepEqual(bike.sent.filter(({ orderId }) => orderId === fail.id).length, 1);
  await provesItself();
});

test("an order that is cancelled, or that has no other way, ends as it always did", async (t) => {
  const { bike, car, engine, deliver } = await makeRig(t, "ends");
  bike.setReady(false);
  const cancelled = await deliver({ state: "queued" });
  await isHeldByNone(cancelled);
  const answer = await engine.cancel(await nowOf(cancelled));
  assert.equal(answer.ok && answer.value.state, "cancelled");
  bike.answers(() => REFUSED);
  bike.setReady(true);
  const refused = await deliver({}, false);
  await waitForState(db, refused, "failed");
  assert.equal(car.sent.length, 0);
  assert.deepEqual(await chargedFor(refused), []);
  await provesItself();
});

test("an order goes on with the time that its service gives the other way", async (t) => {
  const { bike, car, deliver } = await makeRig(t, "time");
  let refuse: (outcome: Outcome) => void = () => undefined;
  bike.answers(() => new Promise<Outcome>((resolve) => (refuse = resolve)));
  const expiresAt = new Date(Date.now() + 3_000);
  const order = await deliver({ expiresAt });
  await waitFor("the bike", () => bike.sent.length === 1);
  await waitFor("its time to be over", () => new Date() > expiresAt);
  refuse(REFUSED);
  await waitFor("the car", () => car.tasks.length === 1);
  assert.deepEqual(car.tasks[0]!.expiresAt, new Date(expiresAt.getTime() + 60_000));
  assert.equal((await nowOf(order)).state, "sending");
});

test("late reports on the attempt before the fallback change nothing, unless it was delivered: then that is charged", async (t) => {
  const { bike, car, deliver } = await makeRig(t, "late");
  bike.answers(() => LOST);
  const order = await deliver({ ambiguity: "retry" });
  await waitFor("the car", () => car.tasks.length === 1);
  await isHeldByNone(order);
  const echo = (attempt: number, status: string) =>
    bike.report({ providerReference: `late/${attempt}`, ourReference: `${bike.name}-${order.id}-${attempt}`, status });
  for (const status of ["sent", "failed"]) {
    await echo(2, status);
    assert.deepEqual([(await nowOf(order)).state, (await nowOf(order)).attempt], ["sending", 3], status);
  }
  await echo(2, "delivered");
  const done = await nowOf(order);
  assert.deepEqual([done.state, done.attempt, done.route, hasFallenBack(done)], ["delivered", 2, bike.name, false]);
  assert.deepEqual(await chargedFor(order), [BIKE_KOBO]);
  await wordOf(car, order, 3, "delivered");
  assert.equal((await nowOf(order)).state, "delivered");
  await bike.report({ providerReference: "late/2", status: "seen" });
  assert.equal((await nowOf(order)).state, "seen", "its vendor's own name was learned");
  assert.deepEqual(await chargedFor(order), [BIKE_KOBO]);
  await provesItself();
});

test("an attempt that is reported delivered before its fallback has begun is the only one", async (t) => {
  const { bike, car, deliver } = await makeRig(t, "before");
  car.setReady(false);
  bike.answers(() => LOST);
  const order = await deliver({ ambiguity: "retry" });
  await waitFor("the fallback", async () => hasFallenBack(await nowOf(order)));
  await bike.report({ providerReference: "before/1", ourReference: `${bike.name}-${order.id}-1`, status: "delivered" });
  car.setReady(true);
  const next = await deliver({ ambiguity: "retry" });
  await waitFor("the next one's car", () => car.tasks.some(({ orderId }) => orderId === next.id));
  assert.deepEqual(
    car.sent.filter(({ orderId }) => orderId === order.id),
    [],
  );
  assert.deepEqual((await nowOf(order)).state, "delivered");
  await provesItself();
});

test("a report on the attempt before the fallback, after the fallback has delivered, is neither published nor charged", async (t) => {
  const { bike, car, deliver } = await makeRig(t, "both");
  bike.answers(() => LOST);
  const order = await deliver({ ambiguity: "retry" });
  await waitFor("the car", () => car.tasks.length === 1);
  await isHeldByNone(order);
  await wordOf(car, order, 3, "delivered");
  for (const status of ["delivered", "seen"]) await bike.report({ ourReference: `${bike.name}-${order.id}-1`, status });
  assert.deepEqual([(await nowOf(order)).state, await chargedFor(order)], ["delivered", [CAR_KOBO]]);
  assert.deepEqual((await statesOf(order)).slice(-3), ["delivered", "delivered", "delivered"]);
  await provesItself();
});

test("an acceptance that is recorded after the report of its failure does not undo the fallback", async (t) => {
  const { bike, car, deliver } = await makeRig(t, "overtaken");
  bike.answers(async (task, piece) => {
    await bike.report({ ourReference: task.reference!, status: "failed" });
    await waitFor("the car", () => car.tasks.length === 1);
    return bike.accept(task, piece);
  });
  const order = await deliver();
  const late = await waitFor("the late answer", async () =>
    (await readTimeline(db, order.accountId, order.id)).find(({ detail }) => detail?.late_answer !== undefined),
  );
  assert.deepEqual([late.detail?.late_answer, late.detail?.attempt], ["accepted", 1]);
  await isHeldByNone(order);
  await wordOf(car, order, 2, "delivered");
  assert.deepEqual(
    [(await nowOf(order)).state, (await nowOf(order)).attempt, await chargedFor(order)],
    ["delivered", 2, [CAR_KOBO]],
  );
  await provesItself();
});
