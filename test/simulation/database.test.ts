import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../src/db/database.ts";
import { newUuid, type Uuid } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/kobo.ts";
import { readWallet } from "../../src/ledger/ledger.repo.ts";
import { acceptOrders, fellShort, type NewOrder, type Unit, type UnitAnswer } from "../../src/orders/accept.repo.ts";
import type { Change, Order } from "../../src/orders/order.ts";
import { changeOrders, claimOrders, findOrders, releaseOrders, renewLeases } from "../../src/orders/orders.repo.ts";
import { parkReports } from "../../src/orders/reports.repo.ts";
import type { Answer } from "../../src/orders/steps.ts";
import { transition } from "../../src/orders/transition.ts";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { engineFindings, keyOf, makeCustomer, newOrder, newTopup } from "../../src/testing/engine.ts";
import { PARCEL, TOPUP } from "../../src/testing/parcel.ts";
import { type AccountModel, makeAccountModel } from "./account-model.ts";
import { makeRandom, type Random } from "./random.ts";

/**
 * Random batches of two nodes on the real SQL functions, both at once, beside a model of wallets and versions.
 * `AFARA_SEED=n` repeats the same batches; which of the two nodes is first is up to the database.
 */
const ROUNDS = 300;
const seed = Number(process.env.AFARA_SEED ?? Math.floor(Date.now() / 86_400_000));

const database = await makeTestDatabase();
const db = database.open();

/** A claim for so short a time is lost at once; one for so long is never lost in this test. */
const LEASE_SECONDS = { lost: 0.000_001, kept: 600 };
const SERVICES = [PARCEL, TOPUP];
const ANSWERS = [
  ...new Set(SERVICES.flatMap(({ table }) => Object.values(table.steps).flatMap(Object.keys))),
] as Answer[];

test("whatever two nodes do at once, money and versions are what plain arithmetic says", async (t) => {
  t.diagnostic(`seed ${seed}`);
  const random = makeRandom(seed);
  const balances = new Map<Uuid, bigint>();
  for (const balanceKobo of [40_000n, 400_000n, 4_000_000n])
    balances.set(await makeCustomer(db, balanceKobo), balanceKobo);
  const model = makeAccountModel(balances);
  const nodes = [newUuid(), newUuid()].map((node) => makeSimulatedNode(db, node, random, model, [...balances.keys()]));
  for (let round = 0; round < ROUNDS; round++) {
    // Both are planned on the same state of things, so that they collide; what came of it is booked afterwards.
    const acts = nodes.map((node) => node.plan());
    const [booked] = await Promise.all([
      Promise.all(acts.map((act) => act())),
      sumUp(random.pick([...balances.keys()])),
    ]);
    for (const book of booked.flat().toSorted((a, b) => a.version - b.version)) book.book();
    await assertAgreed(model, [...balances.keys()], round);
  }
  for (const state of ["delivered", "failed", "successful", "reversed", "cancelled"])
    assert.ok(model.reached.has(state), `no order came to be ${state}`);
  assert.deepEqual(met.waiting(), [], "reports were parked on references that an order has, and nobody was told");
});

/**
 * What a node does beside the orders: adds the changes of usage to its sums, at times with an account's filled in anew, in small slices.
 * The proof of the ledger finds sums and changes to be those of the orders.
 */
let sumsUp = 0;
async function sumUp(accountId: Uuid): Promise<void> {
  sumsUp += 1;
  if (sumsUp % 20 === 1) await db.query("select sum_usage_again($1)", [accountId]);
  await db.query("select fill_usage(10)");
  await db.query("select fold_usage(20)");
}

/** What a call did, in the order of the versions that it made of an order. */
interface Booking {
  readonly version: number;
  readonly book: () => void;
}

type Act = () => Promise<readonly Booking[]>;

/** Where reports and records meet: whoever comes second must be told. */
const met = (() => {
  const parked = new Set<string>();
  const learned = new Set<string>();
  const told = new Set<string>();
  return {
    parked,
    learned,
    told,
    waiting: () => [...parked].filter((reference) => learned.has(reference) && !told.has(reference)),
  };
})();

/** Every account's: the cap is counted by key, whoever has it. */
const CAPPED_KEY = newUuid();
const CAP_KOBO = 60_000;
/** What orders that were tried with that key cost. */
const cappedPrices = new Map<Uuid, bigint>();

function makeSimulatedNode(db: Database, node: Uuid, random: Random, model: AccountModel, accounts: readonly Uuid[]) {
  /** As this node read them; soon out of date. */
  const seen = new Map<Uuid, Order>();
  const some = <T>(items: readonly T[]): readonly T[] => items.filter(() => random.chance(0.5));

  /** What the orders of a unit have in common: service, quota and the key that they come with. */
  const someTerms = () => ({
    make: random.chance(0.5) ? newOrder : newTopup,
    quota: random.chance(0.1) ? { limit: 5, period: "2026-11" } : null,
    spendCap: random.chance(0.1) ? { keyId: CAPPED_KEY, limitKobo: kobo(CAP_KOBO), day: "2026-11-27" } : null,
  });

  const anOrder = (accountId: Uuid, { make, ...terms } = someTerms()): NewOrder => {
    const key = random.chance(0.3) ? [keyOf("key", `k${random.between(0, 200)}`, random.pick(["one", "other"]))] : [];
    const reference = random.chance(0.2) ? `r${random.between(0, 200)}` : null;
    const order = make(accountId, {
      priceKobo: kobo(random.pick([0, 1, 400, 5_000, 39_999])),
      reference,
      keys: reference === null ? key : [...key, keyOf("reference", reference)],
      ...terms,
    });
    if (order.spendCap) cappedPrices.set(order.id, order.priceKobo);
    return order;
  };

  const accept = (): Act => {
    const isGroup = random.chance(0.2);
    const count = random.between(1, 12);
    const accountId = random.pick(accounts);
    // A node folds equal keys before the call: within a batch each is there once.
    const keys = new Set<string>();
    const terms = someTerms();
    const orders = Array.from({ length: count }, () =>
      isGroup ? anOrder(accountId, terms) : anOrder(random.pick(accounts)),
    ).filter((order) => order.keys.every(({ kind, key }) => !keys.has(`${kind} ${key}`) && keys.add(`${kind} ${key}`)));
    const payload = {};
    const units: readonly Unit[] = isGroup
      ? [{ orders, leased: false, group: { id: newUuid(), payload, completionEvent: "bulk.completed", keys: [] } }]
      : orders.map((order) => ({ orders: [order], leased: random.chance(0.5) }));
    return async () => {
      const answers = await acceptAsNodesDo(units);
      const accepted = units.flatMap(({ orders, leased }, index) =>
        orders
          .filter((_, place) => !answers[index]!.refused.has(-1) && !answers[index]!.refused.has(place))
          .map((order) => ({ order, holder: leased ? node : undefined })),
      );
      await look(accepted.flatMap(({ order, holder }) => (holder === undefined ? [] : [order])));
      return accepted.map(({ order, holder }) => ({ version: 1, book: () => model.accepted(holder, order) }));
    };
  };

  const acceptAsNodesDo = async (units: readonly Unit[]): Promise<readonly UnitAnswer[]> => {
    const options = { node, leaseSeconds: LEASE_SECONDS.kept, recheck: false };
    try {
      return await acceptOrders(db, units, { ...options, strict: random.chance(0.2) });
    } catch (error) {
      if (!fellShort(error)) throw error;
      return acceptOrders(db, units, { ...options, strict: true });
    }
  };

  const claim = (): Act => {
    const queue = random.pick(["parcel:test", "topup:test"]);
    const leaseSeconds = random.pick(Object.values(LEASE_SECONDS));
    const holder = leaseSeconds === LEASE_SECONDS.kept ? node : undefined;
    const max = random.between(1, 20);
    return async () => {
      const now = new Date(Date.now() + 3_600_000);
      const orders = await claimOrders(db, { node, leaseSeconds, queue, max, now });
      for (const order of orders) seen.set(order.id, order);
      return orders.map((order) => ({ version: order.version, book: () => model.claimed(holder, order) }));
    };
  };

  const change = (): Act => {
    const at = new Date();
    // A vendor gives out a reference once in the time of a batch.
    const given = new Set<string>();
    const changes = some([...seen.values()].slice(-60)).map((order): Change => {
      const service = SERVICES.find((one) => one.service === order.service)!;
      const possible = Object.keys(service.table.steps[order.state] ?? {}) as Answer[];
      const answer = possible.length > 0 && random.chance(0.8) ? random.pick(possible) : random.pick(ANSWERS);
      const reference = `ref-${random.between(0, 400)}`;
      const isLearned = random.chance(0.3) && !given.has(reference);
      if (isLearned) given.add(reference);
      return transition(service, order, answer, {
        at,
        dueAt: at,
        keepLease: random.chance(0.2),
        ...(random.chance(0.2) ? { needs: "own lease" as const } : {}),
        references: isLearned ? [{ route: "north", reference, attempt: 1, piece: 0 }] : [],
      });
    });
    return async () => {
      const { stale, parked } = await changeOrders(db, node, changes);
      for (const { reference } of parked) met.told.add(reference);
      const applied = changes.filter(({ before }) => !stale.has(before.id));
      for (const { references } of applied) for (const { reference } of references) met.learned.add(reference);
      for (const { after } of applied) seen.set(after.id, after);
      await look([...stale].map((id) => seen.get(id)!));
      return applied.map((one) => ({ version: one.after.version, book: () => model.applied(node, one) }));
    };
  };

  /** As a node reads what it has not claimed. */
  const look = async (wanted: readonly Pick<Order, "accountId" | "id">[]) => {
    for (const order of (await findOrders(db, wanted)).values()) seen.set(order.id, order);
  };

  const keep = (): Act => {
    const orders = some([...seen.values()].slice(-30));
    const lengthens = random.chance(0.5);
    return async () => {
      if (lengthens) {
        await renewLeases(db, node, LEASE_SECONDS.kept, orders);
        return [];
      }
      await releaseOrders(db, node, orders, 0);
      return orders.map((order) => ({ version: order.version, book: () => model.released(node, order) }));
    };
  };

  const park = (): Act => {
    const references = [...new Set(Array.from({ length: 10 }, () => `ref-${random.between(0, 400)}`))];
    const report = { status: "delivered", at: new Date() };
    return async () => {
      for (const reference of references) met.parked.add(reference);
      const answered = await parkReports(
        db,
        references.map((reference) => ({ route: "north", reference, report })),
      );
      for (const { reference } of answered) met.told.add(reference);
      return [];
    };
  };

  return { plan: (): Act => random.pick([accept, claim, change, change, change, keep, park])() };
}

/** The database against the model, and the ledger's own proof. */
async function assertAgreed(model: AccountModel, accounts: readonly Uuid[], round: number): Promise<void> {
  for (const accountId of accounts) {
    const wallet = await readWallet(db, accountId, "test");
    const { balanceKobo, heldKobo } = model.wallet(accountId);
    assert.deepEqual(
      { balance: wallet?.balanceKobo, held: wallet?.heldKobo },
      { balance: balanceKobo, held: heldKobo },
      `wallet after round ${round}`,
    );
  }
  const rows = await findOrders(db, [...model.orders.values()]);
  for (const known of model.orders.values()) {
    const row = rows.get(known.id);
    assert.deepEqual(
      [row?.version, row?.state],
      [known.version, known.state],
      `order ${known.id} after round ${round}`,
    );
  }
  const capped = [...model.orders.keys()].flatMap((id) => cappedPrices.get(id) ?? []);
  const spent = capped.reduce((total, price) => total + price, 0n);
  assert.ok(spent <= BigInt(CAP_KOBO), `${spent} spent by a key that may spend ${CAP_KOBO}`);
  if (round % 10 === 9) assert.deepEqual(await engineFindings(database.connection), []);
}
