import assert from "node:assert/strict";
import { test } from "node:test";
import { AnswerLost, type Database, DatabaseAway } from "../db/database.ts";
import { newUuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { CallerGone } from "../kernel/slices.ts";
import { readWallet } from "../ledger/ledger.repo.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, keyOf, makeCustomer, newOrder, PRICE_KOBO, REAL_CLOCK } from "../testing/engine.ts";
import { acceptOrders, fellShort, type NewOrder, type Unit } from "./accept.repo.ts";
import { makeAcceptor } from "./accept.ts";
import { findGroup, listGroup } from "./groups.repo.ts";
import { findOrders } from "./orders.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

const idOf = ({ group, orders: [first] }: Unit) => group?.id ?? first!.id;

/** Nobody dispatches here: what is accepted stays as it is. */
const acceptorOn = (on: Database, answerMs = 2_000) =>
  makeAcceptor({ db: on, node: newUuid(), clock: REAL_CLOCK, leaseSeconds: 30, waitingMax: 10_000, answerMs, idOf });
const acceptor = acceptorOn(db);

const single = (order: NewOrder): Unit => ({ orders: [order], leased: false });

async function verdict(order: NewOrder, by = acceptor): Promise<string> {
  const answer = await by.accept(single(order));
  if (!answer.ok) return answer.error.code;
  const why = answer.value.refused.get(0) ?? answer.value.refused.get(-1);
  return why === undefined ? "accepted" : why.kind === "taken" ? `taken by ${why.by}` : why.kind;
}

const stored = async (orders: readonly NewOrder[]) => (await findOrders(db, orders)).size;

test("of 20 orders in one batch only the one without money is refused, in one transaction", async () => {
  const [rich, poor] = [await makeCustomer(db), await makeCustomer(db, 0n)];
  const orders = Array.from({ length: 20 }, (_, index) => newOrder(index === 7 ? poor : rich));
  const verdicts = await Promise.all(orders.map((order) => verdict(order)));
  assert.deepEqual(
    verdicts.map((word, index) => [index, word]).filter(([, word]) => word !== "accepted"),
    [[7, "funds"]],
  );
  const { rows } = await db.query<{ transactions: bigint }>(
    "select count(distinct xmin::text) as transactions from orders where account_id = $1",
    [rich],
  );
  assert.equal(rows[0]?.transactions, 1n);
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a batch is decided by the running sum: a wallet that pays for 5 pays for the first 5 of 20, to the last kobo", async () => {
  const accountId = await makeCustomer(db, 5n * PRICE_KOBO);
  const verdicts = await Promise.all(Array.from({ length: 20 }, () => verdict(newOrder(accountId))));
  assert.deepEqual(verdicts, [...Array(5).fill("accepted"), ...Array(15).fill("funds")]);
  assert.deepEqual(await readWallet(db, accountId, "test"), {
    balanceKobo: 5n * PRICE_KOBO,
    heldKobo: 5n * PRICE_KOBO,
    availableKobo: 0n,
  });
});

test("the decision itself is by the running sum: the wallet's check is the net below, never the answer", async () => {
  const accountId = await makeCustomer(db, 5n * PRICE_KOBO);
  const units = Array.from({ length: 20 }, () => single(newOrder(accountId)));
  const options = { node: newUuid(), leaseSeconds: 30, strict: true, recheck: false };
  const answers = await acceptOrders(db, units, options); // one call: the check would have failed all of it
  assert.deepEqual(
    answers.map((answer) => answer.refused.get(-1)?.kind ?? "accepted"),
    [...Array(5).fill("accepted"), ...Array(15).fill("funds")],
  );
});

test("a refusal for want of money says what is available, and a smaller order behind it still passes", async () => {
  const accountId = await makeCustomer(db, 1_000n);
  const dear = newOrder(accountId, { priceKobo: kobo(1_001n) });
  const [refused, passed] = await Promise.all([acceptor.accept(single(dear)), verdict(newOrder(accountId))]);
  assert.ok(refused.ok);
  assert.deepEqual(refused.value.refused.get(-1), { kind: "funds", availableKobo: 1_000n });
  assert.equal(passed, "accepted");
});

test("a monthly quota is exact in a batch, across batches and beside orders without one", async () => {
  const accountId = await makeCustomer(db);
  const quota = { limit: 7, period: "2026-11" };
  const first = await Promise.all(Array.from({ length: 5 }, () => verdict(newOrder(accountId, { quota }))));
  assert.deepEqual(first, Array(5).fill("accepted"));
  const second = await Promise.all([
    ...Array.from({ length: 5 }, () => verdict(newOrder(accountId, { quota }))),
    verdict(newOrder(accountId)),
  ]);
  assert.deepEqual(second, ["accepted", "accepted", "quota", "quota", "quota", "accepted"]);
  assert.equal(await verdict(newOrder(accountId, { quota: { ...quota, period: "2026-12" } })), "accepted");
});

test("a key is spent only by an order: one refused for want of money leaves it free", async () => {
  const accountId = await makeCustomer(db, PRICE_KOBO);
  const keys = [keyOf("key", "free again"), keyOf("reference", "free too")];
  assert.equal(await verdict(newOrder(accountId, { keys, priceKobo: kobo(2n * PRICE_KOBO) })), "funds");
  assert.equal(await verdict(newOrder(accountId, { keys })), "accepted");
  assert.equal(await verdict(newOrder(accountId, { keys })), "taken by key");
});

test("50 orders with one key at once are one order, and the others learn which", async () => {
  const accountId = await makeCustomer(db);
  const orders = Array.from({ length: 50 }, () => newOrder(accountId, { keys: [keyOf("key", "once")] }));
  const others = [acceptor, acceptorOn(db), acceptorOn(db)];
  const answers = await Promise.all(orders.map((order, index) => others[index % 3]!.accept(single(order))));
  const whys = answers.map((answer) => (answer.ok ? answer.value.refused.get(0) : undefined));
  const winners = orders.filter((_, index) => whys[index] === undefined);
  assert.equal(winners.length, 1);
  for (const why of whys)
    if (why) assert.ok(why.kind === "taken" && why.targetId === winners[0]?.id && why.endedAt === null);
  assert.equal(await stored(orders), 1);
});

test("a reference that is taken gives the order's own new key back", async () => {
  const accountId = await makeCustomer(db);
  assert.equal(await verdict(newOrder(accountId, { keys: [keyOf("reference", "invoice 7")] })), "accepted");
  const clash = newOrder(accountId, { keys: [keyOf("key", "fresh"), keyOf("reference", "invoice 7")] });
  assert.equal(await verdict(clash), "taken by reference");
  assert.equal(await verdict(newOrder(accountId, { keys: [keyOf("key", "fresh")] })), "accepted");
});

test("a key that points elsewhere outranks the reference: it says that the request was made before", async () => {
  const accountId = await makeCustomer(db);
  const keys = [keyOf("key", "k"), keyOf("reference", "r")];
  assert.equal(await verdict(newOrder(accountId, { keys })), "accepted");
  assert.equal(await verdict(newOrder(accountId, { keys })), "taken by key");
});

test("the same key in another account or mode is another key", async () => {
  const [one, other] = [await makeCustomer(db), await makeCustomer(db)];
  const keys = [keyOf("key", "shared word")];
  assert.equal(await verdict(newOrder(one, { keys })), "accepted");
  assert.equal(await verdict(newOrder(other, { keys })), "accepted");
});

const groupOf = (orders: readonly NewOrder[], keys = [keyOf("key", newUuid())]): Unit => ({
  orders,
  leased: false,
  group: { id: newUuid(), payload: {}, completionEvent: "bulk.completed", keys },
});

test("a group is all or nothing: without money for the last of it nothing is accepted, and its key stays free", async () => {
  const accountId = await makeCustomer(db, 9n * PRICE_KOBO);
  const ten = Array.from({ length: 10 }, () => newOrder(accountId));
  const unit = groupOf(ten);
  const answer = await acceptor.accept(unit);
  assert.ok(answer.ok);
  assert.deepEqual(answer.value.refused.get(-1), { kind: "funds", availableKobo: 9n * PRICE_KOBO });
  assert.equal(await stored(ten), 0);
  assert.equal(await findGroup(db, accountId, unit.group!.id), undefined);
  const nine = groupOf(ten.slice(1), [...unit.group!.keys]);
  assert.deepEqual((await acceptor.accept(nine)).ok && (await stored(ten)), 9);
});

test("of a group only the items whose own reference is taken stay out; the rest is one group", async () => {
  const accountId = await makeCustomer(db);
  assert.equal(await verdict(newOrder(accountId, { keys: [keyOf("reference", "taken")] })), "accepted");
  const orders = ["a", "taken", "b"].map((word) => newOrder(accountId, { keys: [keyOf("reference", word)] }));
  const unit = groupOf(orders);
  const answer = await acceptor.accept(unit);
  assert.ok(answer.ok);
  assert.deepEqual([...answer.value.refused.keys()], [1]);
  const group = await findGroup(db, accountId, unit.group!.id);
  assert.deepEqual([group?.total, group?.open], [2, 2]);
  assert.equal((await listGroup(db, accountId, unit.group!.id)).length, 2);
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a group whose own key is taken leaves nothing behind, not even its items' references", async () => {
  const accountId = await makeCustomer(db);
  const keys = [keyOf("key", "the bulk")];
  const first = groupOf([newOrder(accountId)], keys);
  assert.ok((await acceptor.accept(first)).ok);
  const second = groupOf([newOrder(accountId, { keys: [keyOf("reference", "of the second")] })], keys);
  const answer = await acceptor.accept(second);
  assert.ok(answer.ok);
  const why = answer.value.refused.get(-1);
  assert.ok(why?.kind === "taken" && why.targetId === first.group!.id);
  assert.equal(await verdict(newOrder(accountId, { keys: [keyOf("reference", "of the second")] })), "accepted");
});

/** The real database, but for what `fault` does to the calls of `accept_orders`, by number from 1. */
function faulty(fault: (call: number, run: () => Promise<unknown>) => Promise<unknown>): Database {
  let calls = 0;
  return {
    ...db,
    transact: (statement, values) =>
      statement.name === "accept_orders"
        ? (fault(++calls, () => db.transact(statement, values)) as Promise<never>)
        : db.transact(statement, values),
  };
}

const loseAfter = async (run: () => Promise<unknown>) => {
  await run();
  throw new AnswerLost("the connection broke after COMMIT");
};
const loseBefore = async () => {
  throw new AnswerLost("the connection broke before the server read it");
};

for (const [what, lose] of [
  ["after", loseAfter],
  ["before", loseBefore],
] as const) {
  test(`an answer lost ${what} COMMIT is asked for again with the same ids: each order is accepted and held once`, async () => {
    const accountId = await makeCustomer(db);
    const orders = Array.from({ length: 5 }, (_, index) =>
      newOrder(accountId, { keys: [keyOf("key", `${what} ${index}`)], quota: { limit: 5, period: "2026-11" } }),
    );
    const losing = acceptorOn(faulty((call, run) => (call <= 2 ? lose(run) : run())));
    assert.deepEqual(await Promise.all(orders.map((order) => verdict(order, losing))), Array(5).fill("accepted"));
    assert.equal((await readWallet(db, accountId, "test"))?.heldKobo, 5n * PRICE_KOBO);
    assert.equal(await verdict(newOrder(accountId, { quota: { limit: 5, period: "2026-11" } })), "quota");
    assert.deepEqual(await engineFindings(database.connection), []);
  });
}

test("a group whose answer was lost after COMMIT is found whole", async () => {
  const accountId = await makeCustomer(db);
  const unit = groupOf(Array.from({ length: 3 }, () => newOrder(accountId)));
  const answer = await acceptorOn(faulty((call, run) => (call === 1 ? loseAfter(run) : run()))).accept(unit);
  assert.deepEqual(answer, { ok: true, value: { refused: new Map(), begun: false } });
  assert.equal((await findGroup(db, accountId, unit.group!.id))?.open, 3);
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a batch that fell short and whose answer was lost keeps those accepted and refuses those refused", async () => {
  const accountId = await makeCustomer(db, 2n * PRICE_KOBO);
  const orders = Array.from({ length: 4 }, () => newOrder(accountId));
  // Call 1 finds that the money does not go round, call 2 decides each and is lost.
  const losing = acceptorOn(faulty((call, run) => (call === 2 ? loseAfter(run) : run())));
  const verdicts = await Promise.all(orders.map((order) => verdict(order, losing)));
  assert.deepEqual(verdicts, ["accepted", "accepted", "funds", "funds"]);
  assert.equal(await stored(orders), 2);
});

test("a database that is away before anything was sent is told as database_unavailable", async () => {
  const order = newOrder(await makeCustomer(db));
  const away = acceptorOn(
    faulty(async () => {
      throw new DatabaseAway("no connection");
    }),
  );
  assert.equal(await verdict(order, away), "database_unavailable");
  assert.equal(await stored([order]), 0);
});

test("once an answer was lost, a database that stays away is acceptance_unknown, never database_unavailable", async () => {
  const order = newOrder(await makeCustomer(db));
  const away = async () => {
    throw new DatabaseAway("no connection");
  };
  const dying = acceptorOn(
    faulty((call, run) => (call === 1 ? loseAfter(run) : away())),
    300,
  );
  assert.equal(await verdict(order, dying), "acceptance_unknown");
  assert.equal(await stored([order]), 1, "and the caller finds it");
});

test("that holds too when the repeat is rolled back and done item by item", async () => {
  const orders = [newOrder(await makeCustomer(db)), newOrder(await makeCustomer(db))];
  const deadlock = async () => {
    await db.query("do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$");
  };
  const away = async () => {
    throw new DatabaseAway("no connection");
  };
  const dying = acceptorOn(
    faulty((call, run) => (call === 1 ? loseAfter(run) : call <= 3 ? deadlock() : away())),
    300,
  );
  const verdicts = await Promise.all(orders.map((order) => verdict(order, dying)));
  assert.deepEqual(verdicts, ["acceptance_unknown", "acceptance_unknown"]);
});

test("one order that the database can't store fails alone", async () => {
  const accountId = await makeCustomer(db);
  const bad = newOrder(accountId, { metadata: { word: "\u0000" } });
  const good = Array.from({ length: 3 }, () => newOrder(accountId));
  const answers = await Promise.allSettled([...good, bad].map((order) => verdict(order)));
  assert.deepEqual(
    answers.map((answer) => answer.status),
    ["fulfilled", "fulfilled", "fulfilled", "rejected"],
  );
  assert.equal(await stored([...good, bad]), 3);
});

test("beyond its bound the acceptor says overloaded before memory grows", async () => {
  const accountId = await makeCustomer(db);
  const narrow = makeAcceptor({
    db,
    node: newUuid(),
    clock: REAL_CLOCK,
    leaseSeconds: 30,
    waitingMax: 10,
    answerMs: 2_000,
    idOf,
  });
  const verdicts = await Promise.all(Array.from({ length: 30 }, () => verdict(newOrder(accountId), narrow)));
  assert.equal(verdicts.filter((word) => word === "overloaded").length, 20);
  assert.equal(verdicts.filter((word) => word === "accepted").length, 10);
});

test("a bulk counts as many as it has: a second that would be too much is refused, and one alone always passes", async () => {
  const accountId = await makeCustomer(db);
  const narrow = makeAcceptor({
    db,
    node: newUuid(),
    clock: REAL_CLOCK,
    leaseSeconds: 30,
    waitingMax: 10,
    answerMs: 2_000,
    idOf,
  });
  const bulk = (orders: number): Unit => ({
    orders: Array.from({ length: orders }, () => newOrder(accountId)),
    group: { id: newUuid(), payload: {}, completionEvent: "bulk.completed", keys: [] },
    leased: false,
  });
  const answers = await Promise.all([bulk(6), bulk(4), bulk(1)].map((unit) => narrow.accept(unit)));
  assert.deepEqual(
    answers.map((answer) => (answer.ok ? "accepted" : answer.error.code)),
    ["accepted", "accepted", "overloaded"],
  );
  assert.ok((await narrow.accept(bulk(30))).ok);
  assert.equal(await verdict(newOrder(accountId), narrow), "accepted");
});

test("a bulk whose caller goes while it waits is not stored", async () => {
  const accountId = await makeCustomer(db);
  const caller = new AbortController();
  const unit = (gone: AbortSignal): Unit => ({
    orders: [newOrder(accountId), newOrder(accountId)],
    group: { id: newUuid(), payload: {}, completionEvent: "bulk.completed", keys: [] },
    leased: false,
    gone,
  });
  const [before, waiting] = [unit(AbortSignal.abort()), unit(caller.signal)];
  await assert.rejects(acceptor.accept(before), CallerGone);
  const first = acceptor.accept(unit(new AbortController().signal));
  const dropped = assert.rejects(acceptor.accept(waiting), CallerGone);
  caller.abort();
  await dropped;
  assert.ok((await first).ok);
  assert.equal(await stored([...before.orders, ...waiting.orders]), 0);
});

test("two nodes with crossing accounts, keys and quotas never wait for each other in a circle", async () => {
  const [one, two] = [await makeCustomer(db), await makeCustomer(db, 150n * PRICE_KOBO)];
  const node = { node: newUuid(), leaseSeconds: 30, strict: false, recheck: false };
  const batch = (accounts: readonly (typeof one)[], round: number): Unit[] =>
    accounts.flatMap((accountId, turn) =>
      Array.from({ length: 5 }, (_, index) =>
        single(
          newOrder(accountId, {
            // Crossing: half of the keys are the other node's as well, in the opposite order.
            keys: [keyOf("key", `${round} ${turn} ${9 - index}`), keyOf("reference", `${round} ${index} ${newUuid()}`)],
            quota: { limit: 1_000_000, period: "2026-11" },
          }),
        ),
      ),
    );
  const accept = async (accounts: readonly (typeof one)[], round: number) => {
    const units = batch(accounts, round);
    try {
      await acceptOrders(db, units, node);
    } catch (error) {
      if (!fellShort(error)) throw error; // a deadlock, for one
      await acceptOrders(db, units, { ...node, strict: true });
    }
  };
  for (let round = 0; round < 40; round++)
    await Promise.all([accept([one, two], round), accept([two, one], round), accept([one, two, one], round)]);
  assert.deepEqual(await engineFindings(database.connection), []);
});
