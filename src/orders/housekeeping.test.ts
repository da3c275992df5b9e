import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database, Db } from "../db/database.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeCustomer, newOrder, REAL_CLOCK } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import { findOrder } from "./orders.repo.ts";

const db = (await makeTestDatabase()).open();

test("an hourly job that failed at the start is tried again within seconds, and is then left alone", async (t) => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 1) throw new Error("timeout exceeded when trying to connect");
  };
  await startEngine(t, db, [], { hooks: { jobs: [{ name: "hourly", everyMs: 3_600_000, run }] } });
  await waitFor("the second run", () => runs === 2);
  assert.equal(runs, 2);
});

test("a clock that is set forward while overdue orders are looked for ends none", async (t) => {
  let setByMs = 0;
  let heartbeats = 0;
  let jumps = false;
  const watch = (one: Db): Db => ({
    query(statement, values) {
      // The first of several queues is read at the right time, the others would be read at the wrong one.
      if (jumps && typeof statement === "object" && statement.name.startsWith("find_overdue"))
        setByMs = 40 * 86_400_000;
      if (typeof statement === "string" && statement.includes("heartbeat_at = clock_timestamp()")) heartbeats += 1;
      return one.query(statement, values);
    },
  });
  const watched: Database = { ...db, ...watch(db), transaction: (act) => db.transaction((one) => act(watch(one))) };
  const clock = { now: () => new Date(Date.now() + setByMs), monotonicMs: REAL_CLOCK.monotonicMs };
  const provider = new ScriptedProvider("one");
  const engine = await startEngine(t, watched, [provider], { clock });
  provider.setReady(false);
  const accountId = await makeCustomer(db);
  const waiting = await accept(engine, newOrder(accountId, { expiresAt: new Date(Date.now() + 3_600_000) }));
  jumps = true;
  await waitFor("the clock to be set", () => setByMs > 0);
  const before = heartbeats;
  await waitFor("the jobs to have gone on", () => heartbeats > before + 2);
  assert.equal((await findOrder(db, accountId, waiting.id))?.state, "queued");
  jumps = false;
  setByMs = 0;
});
