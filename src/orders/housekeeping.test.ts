import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { startEngine } from "../testing/engine-rig.ts";
import { waitFor } from "../testing/wait-for.ts";

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
