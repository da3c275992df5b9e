import assert from "node:assert/strict";
import { test } from "node:test";
import type pg from "pg";
import { AnswerLost, type Database } from "../db/database.ts";
import { kobo } from "../kernel/kobo.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, newTopup, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import { findOrder, readTimeline } from "./orders.repo.ts";

/** What can leave at once is begun in the commit that accepts it. */

const database = await makeTestDatabase();
const db = database.open();
const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

type Statement = { readonly name: string; readonly text: string };

/** Each statement that commits passes `meet`. */
function met(meet: (name: string, run: () => Promise<unknown>) => Promise<unknown>): Database {
  return {
    ...db,
    transact: async <Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]) =>
      (await meet(statement.name, () => db.transact<Row>(statement, values))) as Row[],
  };
}

function vendorNamed(name: string): ScriptedProvider {
  const vendor = new ScriptedProvider(name);
  vendor.makeReference = ({ orderId, attempt }) => `${name}-${attempt}-${orderId}`;
  vendor.answers(() => ({ kind: "done" }));
  return vendor;
}

for (const make of [newTopup, newOrder])
  test(`an order (${make === newTopup ? "requery" : "fail"}) is accepted and begun in one commit, before its vendor is called, and recorded in a second`, async (t) => {
    const vendor = vendorNamed(`a-${make.name}`);
    const commits: string[] = [];
    const seen: unknown[] = [];
    vendor.answers(async ({ orderId, reference }) => {
      const stored = (
        await db.query("select version, attempt, route, attempt_reference from orders where id = $1", [orderId])
      ).rows[0];
      seen.push({ ...stored, reference, commits: [...commits] });
      return { kind: "done" };
    });
    const engine = await startEngine(
      t,
      met((name, run) => {
        if (/^accept|^change/.test(name)) commits.push(name);
        return run();
      }),
      [vendor],
    );
    const order = await accept(engine, make(await makeCustomer(db)));
    const reference = `${vendor.name}-1-${order.id}`;
    await waitForState(db, order, make === newTopup ? "successful" : "delivered");
    assert.deepEqual(seen, [
      {
        version: 2,
        attempt: 1,
        route: vendor.name,
        attempt_reference: reference,
        reference,
        commits: ["accept_orders_and_begin"],
      },
    ]);
    assert.deepEqual(commits, ["accept_orders_and_begin", "change_orders"]);
    const rows = await readTimeline(db, order.accountId, order.id);
    assert.deepEqual(
      rows.map(({ version }) => version),
      [2, 3],
    );
    const attempts = await db.query("select reference, attempt from attempts where order_id = $1", [order.id]);
    assert.deepEqual(attempts.rows, [{ reference, attempt: 1 }]);
    await provesItself();
  });

test("what is refused is not begun: nothing is stored or sent, its place in the window is free, and it costs no other its turn", async (t) => {
  const vendor = vendorNamed("b");
  // One turn, and none to follow: what takes it for nothing keeps the last one waiting for ever.
  const engine = await startEngine(t, db, [vendor], { routes: { b: { ratePerSecond: 0.001 } } });
  const accountId = await makeCustomer(db, 1_000n);
  const dear = newTopup(accountId, { priceKobo: kobo(1_001n) });
  for (let index = 0; index < 5; index++) await engine.accept(newTopup(accountId, { priceKobo: kobo(1_001n) }));
  assert.deepEqual(await engine.accept(dear), {
    ok: true,
    value: { kind: "not_accepted", why: { kind: "funds", availableKobo: kobo(1_000n) } },
  });
  await waitFor("nothing under way", () => engine.load.inFlight === 0);
  assert.equal(engine.routes[0]?.inFlight, 0);
  assert.deepEqual((await db.query("select 1 from attempts where order_id = $1", [dear.id])).rows, []);
  assert.equal(vendor.sent.length, 0);
  await waitForState(db, await accept(engine, newTopup(accountId)), "successful");
  await provesItself();
});

test("a key that is spent leads to its order, and the repeat begins nothing", async (t) => {
  const vendor = vendorNamed("c");
  const engine = await startEngine(t, db, [vendor]);
  const accountId = await makeCustomer(db);
  const keys = [{ kind: "key" as const, key: "same", fingerprint: Buffer.alloc(32) }];
  const first = await accept(engine, newTopup(accountId, { keys }));
  const repeats = await Promise.all(Array.from({ length: 10 }, () => engine.accept(newTopup(accountId, { keys }))));
  for (const repeat of repeats)
    assert.equal(
      repeat.ok && repeat.value.kind === "not_accepted" && "targetId" in repeat.value.why && repeat.value.why.targetId,
      first.id,
    );
  await waitForState(db, first, "successful");
  await waitFor("nothing under way", () => engine.load.inFlight === 0);
  assert.equal(vendor.sent.length, 1);
  await provesItself();
});

for (const [what, act] of [
  ["before", async () => undefined],
  ["after", (run: () => Promise<unknown>) => run()],
] as const)
  test(`an answer lost ${what} that commit is asked for again, and the order is sent once`, async (t) => {
    const vendor = vendorNamed(`d-${what}`);
    let isFirst = true;
    const engine = await startEngine(
      t,
      met(async (name, run) => {
        if (name !== "accept_orders_and_begin" || !isFirst) return run();
        isFirst = false;
        await act(run);
        throw new AnswerLost("the connection broke before the answer");
      }),
      [vendor],
    );
    const order = await accept(engine, newTopup(await makeCustomer(db)));
    await waitForState(db, order, "successful");
    assert.deepEqual([vendor.sent.length, vendor.asked.length], [1, 0]);
    await provesItself();
  });

test("what can't leave at once is accepted as any other, and begun when its turn comes", async (t) => {
  const vendor = vendorNamed("e");
  vendor.setReady(false);
  const engine = await startEngine(t, db, [vendor]);
  const order = await accept(engine, newTopup(await makeCustomer(db)));
  assert.deepEqual((await findOrder(db, order.accountId, order.id))?.attempt, 0);
  vendor.setReady(true);
  await waitForState(db, order, "successful");
  assert.equal(vendor.sent.length, 1);
});

test("what its service's last look finds unfit is not begun: it ends with its money back", async (t) => {
  const vendor = vendorNamed("f");
  const unfit = { code: "dnd", detail: "The recipient wants none." } as const;
  const engine = await startEngine(t, db, [vendor], { hooks: { preSendCheck: async () => unfit } });
  const order = await accept(engine, newTopup(await makeCustomer(db)));
  const ended = await waitForState(db, order, "failed");
  assert.deepEqual([ended.attempt, vendor.sent.length], [0, 0]);
  await provesItself();
});
