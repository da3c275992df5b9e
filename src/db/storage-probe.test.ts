import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { DatabaseUnable, openDatabase } from "./database.ts";
import { makeStorageProbe } from "./storage-probe.ts";

const database = await makeTestDatabase();
const db = database.open();

test("a database that stores passes, asked again and again, and keeps one row a node", async () => {
  const clock = new StandingClock();
  const node = newUuid();
  const probe = makeStorageProbe(db, node, clock);
  for (let times = 0; times < 5; times += 1) {
    assert.equal(await probe(), true);
    clock.advance(1_000);
  }
  const { rows } = await db.query("select node from storage_probes where node = $1", [node]);
  assert.equal(rows.length, 1);
});

test("a database that answers reads and takes no writes does not pass, and does again when it takes them", async () => {
  const reading = openDatabase({
    connection: { ...database.connection, options: "-c default_transaction_read_only=on" },
    connections: 1,
    connectTimeoutMs: 5_000,
    log: SILENT,
  });
  after(() => reading.close());
  const clock = new StandingClock();
  const probe = makeStorageProbe(reading, newUuid(), clock);
  await assert.rejects(probe(), DatabaseUnable);
  await reading.query("set default_transaction_read_only = off");
  await assert.rejects(probe(), DatabaseUnable, "who asks within the same second is given the same answer");
  clock.advance(1_000);
  assert.equal(await probe(), true);
});

test("a database that has just stored something passes while it is slow, and no longer than ten seconds", async () => {
  const answers: (() => void)[] = [];
  const slow = {
    query: () => new Promise<never>((resolve) => answers.push(() => resolve({ rows: [] } as never))),
  };
  const clock = new StandingClock();
  const probe = makeStorageProbe(slow, newUuid(), clock);
  const first = probe();
  answers[0]?.();
  assert.equal(await first, true);
  clock.advance(5_000);
  assert.equal(await probe(), true);
  assert.equal(answers.length, 2);
  clock.advance(5_000);
  const late = probe();
  assert.equal(answers.length, 2, "one question at a time");
  assert.equal(await Promise.race([late, Promise.resolve("waits")]), "waits");
  answers[1]?.();
  assert.equal(await late, true);
});
