import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../kernel/duration.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { keyOf, makeCustomer, newOrder, newTopup, REAL_CLOCK } from "../testing/engine.ts";
import type { NewGroup, NewOrder } from "./accept.repo.ts";
import { makeAcceptor } from "./accept.ts";
import { forgetOld } from "./nodes.repo.ts";
import { reviewKeys } from "./order-keys.repo.ts";
import { answerBefore, forgetIfOver } from "./repeats.ts";

/** How long a key is kept: counted from the end of what it named, never from its own making. */

const db = (await makeTestDatabase()).open();
const acceptor = makeAcceptor({
  db,
  node: newUuid(),
  clock: REAL_CLOCK,
  leaseSeconds: 30,
  waitingMax: 1_000,
  answerMs: 2_000,
  idOf: ({ orders: [first] }) => first!.id,
});
const KEY = keyOf("key", "4471");

async function accepted(orders: readonly NewOrder[], group?: NewGroup) {
  const answer = await acceptor.accept({ orders, leased: false, ...(group && { group }) });
  assert.ok(answer.ok && answer.value.refused.size === 0);
}

/** Makes the account's keys so old, and its orders ended so many hours ago; null: still open. */
async function age(accountId: Uuid, keyHours: number, endedHours: number | null) {
  await db.query(
    "update order_keys set created_at = now() - make_interval(hours => $2), review_at = now() where account_id = $1",
    [accountId, keyHours],
  );
  for (const table of ["orders", "order_groups"])
    await db.query(`update ${table} set ended_at = now() - make_interval(hours => $2) where account_id = $1`, [
      accountId,
      endedHours,
    ]);
}

const keysOfAccount = async (accountId: Uuid) => {
  const { rows } = await db.query<{ kind: string; wait_hours: number }>(
    `select kind, round(extract(epoch from review_at - now()) / 3600)::int as wait_hours from order_keys
      where account_id = $1 order by kind`,
    [accountId],
  );
  return rows;
};

const purchase = (accountId: Uuid) => newTopup(accountId, { keys: [KEY] });
const message = (accountId: Uuid) => newOrder(accountId, { ambiguity: "fail", keys: [KEY] });
const bulk = (): NewGroup => ({ id: newUuid(), payload: {}, completionEvent: "bulk.completed", keys: [KEY] });

const KEPT = [
  ["a purchase that has been open for 130 days", "purchase", 130 * 24, null, 90 * 24],
  ["a purchase that was resolved just now, after 130 days", "purchase", 130 * 24, 0, 90 * 24],
  ["a purchase that ended 89 days ago", "purchase", 130 * 24, 89 * 24, 24],
  ["a purchase that ended 91 days ago", "purchase", 91 * 24, 91 * 24, undefined],
  ["a message that is open", "message", 200 * 24, null, 72],
  ["a message that ended 71 hours ago", "message", 200 * 24, 71, 1],
  ["a message that ended 73 hours ago", "message", 73, 73, undefined],
  ["a bulk that is open", "bulk", 200 * 24, null, 72],
  ["a bulk that ended 71 hours ago", "bulk", 200 * 24, 71, 1],
  ["a bulk that ended 73 hours ago", "bulk", 73, 73, undefined],
] as const;
for (const [what, kind, keyHours, endedHours, waitHours] of KEPT)
  test(`the key of ${what} ${waitHours === undefined ? "is forgotten" : `is next looked at in ${waitHours} hours`}`, async () => {
    const accountId = await makeCustomer(db);
    if (kind === "bulk") await accepted([newOrder(accountId, { ambiguity: "fail" })], bulk());
    else await accepted([kind === "purchase" ? purchase(accountId) : message(accountId)]);
    await age(accountId, keyHours, endedHours);
    await forgetOld(db);
    assert.deepEqual(
      await keysOfAccount(accountId),
      waitHours === undefined ? [] : [{ kind: "key", wait_hours: waitHours }],
    );
  });

test("a new key is first looked at when the shortest time that any key is kept is over", async () => {
  const accountId = await makeCustomer(db);
  await accepted([purchase(accountId)]);
  assert.deepEqual(await keysOfAccount(accountId), [{ kind: "key", wait_hours: 72 }]);
});

test("a reference stays with its order for ever", async () => {
  const accountId = await makeCustomer(db);
  await accepted([newTopup(accountId, { keys: [KEY, keyOf("reference", "4471")] })]);
  await age(accountId, 400 * 24, 400 * 24);
  await forgetOld(db);
  assert.deepEqual(
    (await keysOfAccount(accountId)).map(({ kind }) => kind),
    ["reference"],
  );
});

test("a key that names a top-up is kept for 90 days after the longest that one waits for its money", async () => {
  const accountId = await makeCustomer(db);
  await db.query(
    `insert into order_keys (account_id, mode, kind, key, target_id, fingerprint)
     select $1, 'test', 'key', 'topup ' || days, $2, '\\x00' from unnest('{92, 94}'::int[]) days`,
    [accountId, newUuid()],
  );
  await db.query(
    `update order_keys set review_at = now(), created_at = now() - make_interval(days => substr(key, 7)::int)
      where account_id = $1`,
    [accountId],
  );
  await forgetOld(db);
  assert.deepEqual(await keysOfAccount(accountId), [{ kind: "key", wait_hours: 24 }]);
});

test("a review takes a batch at a time, two nodes share it, and nothing is looked at twice", async () => {
  const accountId = await makeCustomer(db);
  const orders = Array.from({ length: 6 }, (_, index) => newTopup(accountId, { keys: [keyOf("key", `k${index}`)] }));
  for (const order of orders) await accepted([order]);
  await age(accountId, 100 * 24, 100 * 24);
  assert.deepEqual(await Promise.all([reviewKeys(db, 3), reviewKeys(db, 3)]), [3, 3]);
  assert.deepEqual(await keysOfAccount(accountId), []);
  assert.equal(await reviewKeys(db, 3), 0);
});

test("a review finds its keys by an index, however many there are", async () => {
  const { rows } = await db.transaction(async (tx) => {
    await tx.query("set local enable_seqscan = off");
    return tx.query<{ "QUERY PLAN": string }>(
      "explain select 1 from order_keys where kind = 'key' and review_at <= now() order by review_at limit 10",
    );
  });
  assert.match(rows.map((row) => row["QUERY PLAN"]).join("\n"), /order_keys_by_review/);
});

const asked = async (order: NewOrder, daysLater: number) => {
  const caller = { accountId: order.accountId, mode: order.mode };
  const now = new Date(Date.now() + daysLater * 24 * HOUR_MS);
  const before = await answerBefore(db, caller, [{ ...KEY, fingerprint: Buffer.alloc(32, "other") }], now, () => "pur");
  const taken = {
    kind: "taken",
    by: "key",
    targetId: order.id,
    fingerprint: KEY.fingerprint,
    endedAt: new Date(),
  } as const;
  const keys = { idempotencyKey: KEY.key, fingerprint: Buffer.alloc(32, "other") };
  return { isSpent: before !== undefined, isFreed: await forgetIfOver(db, caller, taken, keys, now) };
};

test("how long a key is kept is decided by what spent it, whoever asks: a message frees no purchase's key", async () => {
  const order = purchase(await makeCustomer(db));
  await accepted([order]);
  await age(order.accountId, 0, 0);
  assert.deepEqual(await asked(order, 4), { isSpent: true, isFreed: false });
  assert.deepEqual(await asked(order, 89), { isSpent: true, isFreed: false });
  assert.deepEqual(await asked(order, 91), { isSpent: false, isFreed: true });
});

test("a key whose purchase is still open is never free", async () => {
  const order = purchase(await makeCustomer(db));
  await accepted([order]);
  assert.deepEqual(await asked(order, 400), { isSpent: true, isFreed: false });
});
