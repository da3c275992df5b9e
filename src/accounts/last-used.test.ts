import assert from "node:assert/strict";
import { test } from "node:test";
import type { Db } from "../db/database.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { makeTestAccount } from "../testing/account.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { listKeys } from "./keys.repo.ts";
import { makeLastUsed } from "./last-used.ts";

const database = await makeTestDatabase();
const db = database.open();
const clock = new StandingClock();
let statements = 0;
const counting: Db = {
  query: (statement, values) => {
    statements += 1;
    return db.query(statement, values);
  },
};

async function newKey(): Promise<{ keyId: Uuid; lastUsedAt: () => Promise<Date | null> }> {
  const { accountId } = await makeTestAccount(db, { secret: "s", plan: "free" });
  const stored = async () => (await listKeys(db, accountId))[0]!;
  return { keyId: (await stored()).id, lastUsedAt: async () => (await stored()).lastUsedAt };
}

test("a thousand requests of two keys are one statement, with the time of the last", async () => {
  statements = 0;
  const [one, other] = [await newKey(), await newKey()];
  const lastUsed = makeLastUsed({ db: counting, clock, log: SILENT });
  for (let n = 0; n < 500; n++) {
    lastUsed.used(one.keyId);
    lastUsed.used(other.keyId);
    clock.advance(1);
  }
  await lastUsed.flush();
  await lastUsed.flush();
  assert.equal(statements, 1);
  assert.equal((await one.lastUsedAt())?.getTime(), clock.now().getTime() - 1);
  assert.deepEqual(await other.lastUsedAt(), await one.lastUsedAt());
});

test("uses are written by themselves after a while", async () => {
  const { keyId, lastUsedAt } = await newKey();
  makeLastUsed({ db, clock, log: SILENT, everyMs: 10 }).used(keyId);
  await waitFor("the time", async () => (await lastUsedAt()) !== null);
});

test("of nodes that write within a minute only the first does", async () => {
  const { keyId, lastUsedAt } = await newKey();
  const write = async () => {
    const lastUsed = makeLastUsed({ db, clock, log: SILENT });
    lastUsed.used(keyId);
    await lastUsed.flush();
  };
  const first = clock.now();
  await write();
  clock.advance(30_000);
  await write();
  assert.deepEqual(await lastUsedAt(), first);
  clock.advance(31_000);
  await write();
  assert.deepEqual(await lastUsedAt(), clock.now());
});

test("a database that is away costs no request anything", async () => {
  const warnings: string[] = [];
  const lastUsed = makeLastUsed({
    db: { query: () => Promise.reject(new Error("away")) },
    clock,
    log: { ...SILENT, warn: (_fields, message) => warnings.push(message) },
  });
  lastUsed.used(newUuid());
  await lastUsed.flush();
  assert.equal(warnings.length, 1);
});
