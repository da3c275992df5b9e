import assert from "node:assert/strict";
import { test } from "node:test";
import type pg from "pg";
import type { Database } from "../db/database.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeCustomer, newOrder, REAL_CLOCK, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";

/** How often a node looks for due rows: each look costs the database as much as an order. */

const db = (await makeTestDatabase()).open();

function counted(): { readonly db: Database; readonly claims: () => number } {
  let claims = 0;
  const transact = <Row extends pg.QueryResultRow>(
    statement: { name: string; text: string },
    values: readonly unknown[],
  ): Promise<Row[]> => {
    if (statement.name === "claim_orders") claims += 1;
    return db.transact<Row>(statement, values);
  };
  return { db: { ...db, transact }, claims: () => claims };
}

/** Of the tests' services, in both modes. */
const QUEUES = 4;
/** Looks of one queue a second, at most; the pace allows 20. */
const LOOKS_PER_SECOND = 25;

test("a node whose orders come to it in memory hardly looks for others, however many there are", async (t) => {
  const { db: watched, claims } = counted();
  const engine = await startEngine(t, watched, [new ScriptedProvider("cp1")]);
  const accountId = await makeCustomer(db);
  const startedMs = REAL_CLOCK.monotonicMs();
  for (let round = 0; round < 40; round++) {
    const orders = Array.from({ length: 5 }, () => newOrder(accountId));
    await Promise.all(orders.map((order) => accept(engine, order)));
    for (const order of orders) await waitForState(db, order, "sent");
  }
  const seconds = (REAL_CLOCK.monotonicMs() - startedMs) / 1_000;
  const most = QUEUES * (LOOKS_PER_SECOND * seconds + 1);
  assert.ok(claims() <= most, `${claims()} looks for 200 orders in ${seconds} s`);
});
