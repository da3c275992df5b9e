import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type pg from "pg";
import { AnswerLost, type Database } from "../db/database.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, newTopup, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import type { NewOrder } from "./accept.repo.ts";
import { findOrder, readTimeline } from "./orders.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

type Statement = { readonly name: string; readonly text: string };

const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

/** What one node accepts another one begins: a node that takes an order itself begins it as it accepts it. */
const acceptElsewhere = async (t: TestContext, order: NewOrder) =>
  accept(await startEngine(t, db, [], { role: "api" }), order);

/** Has `meet` do the first begin's commit its own way; the answer is lost. */
function losingFirstBegin(meet: (commit: () => Promise<unknown>) => Promise<unknown>): Database {
  let isFirst = true;
  return {
    ...db,
    async transact<Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
      if (statement.name !== "change_orders" || !isFirst) return db.transact<Row>(statement, values);
      isFirst = false;
      await meet(() => db.transact(statement, values));
      throw new AnswerLost("the connection broke before the answer");
    },
  };
}

for (const ambiguity of ["fail", "requery"] as const)
  for (const [what, meet] of [
    ["committed", (commit: () => Promise<unknown>) => commit()],
    ["not committed", async () => undefined],
  ] as const)
    test(`an order whose begin was ${what} without an answer did not leave, and is sent at once, once (${ambiguity})`, async (t) => {
      const carrier = new ScriptedProvider(`w-${ambiguity}-${what}`);
      const make = ambiguity === "requery" ? newTopup : newOrder;
      const order = await acceptElsewhere(t, make(await makeCustomer(db)));
      await startEngine(t, losingFirstBegin(meet), [carrier]);
      await waitFor("the call", () => carrier.sent.length === 1); // a lease is longer than is waited for here
      assert.equal(carrier.asked.length, 0);
      if (ambiguity === "fail") await waitForState(db, order, "sent");
      await provesItself();
    });

for (const [what, isCommitted] of [
  ["committed", true],
  ["not committed, so that its version is that of the other node's claim", false],
] as const)
  test(`an order whose begin has no answer is left to another node that holds it by then (${what})`, async (t) => {
    const other = newUuid();
    const route = isCommitted ? "w3" : "w4";
    const carrier = new ScriptedProvider(route);
    const order = await acceptElsewhere(t, newOrder(await makeCustomer(db)));
    await startEngine(
      t,
      losingFirstBegin(async (commit) => {
        if (isCommitted) await commit();
        // The lease ran out and was taken over before this node heard that the answer is lost.
        await db.query(
          `update orders set leased_by = $1, lease_epoch = lease_epoch + 1, version = version + 1,
                  leased_until = clock_timestamp() + interval '1 minute', due_at = clock_timestamp() + interval '1 minute'
            where id = $2`,
          [other, order.id],
        );
      }),
      [carrier],
    );
    const told = await waitFor("the late word", async () => {
      const rows = await readTimeline(db, order.accountId, order.id);
      return rows.find(({ detail }) => detail?.late_answer !== undefined);
    });
    const now = (await findOrder(db, order.accountId, order.id))!;
    const state = isCommitted ? "sending" : "queued";
    assert.deepEqual([told.status, now.state, now.begunAt !== null], [state, state, isCommitted]);
    assert.equal(carrier.sent.length, 0);
    const { rows } = await db.query("select leased_by from orders where id = $1", [order.id]);
    assert.deepEqual(rows, [{ leased_by: other }]);
    await provesItself();
  });
