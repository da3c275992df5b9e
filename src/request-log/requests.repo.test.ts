import assert from "node:assert/strict";
import { test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import type { Entry } from "./entry.ts";
import {
  endOfStretch,
  findRequest,
  insertRequests,
  keepDays,
  listRequests,
  STRETCH_REQUESTS,
} from "./requests.repo.ts";

const database = await makeTestDatabase();
const db = database.open();
const accountId = newUuid();
await insertAccount(db, { id: accountId, name: "Ada’s Pharmacy" });

const entry = (more: Partial<Entry> = {}): Entry => ({
  id: newUuid(),
  accountId,
  mode: "test",
  method: "POST",
  path: "/sms/send",
  status: 202,
  code: null,
  durationMs: 12.345,
  about: null,
  keyId: null,
  personId: null,
  headers: "{}",
  request: { text: '{"to":"1"}', isCut: false },
  answer: null,
  ...more,
});
const since = new Date(Date.now() - 7 * DAY_MS);
const filter = { accountId, mode: "test", since, limit: 10 } as const;

test("what is written is read as it was, and written again it is there once", async () => {
  const one = entry({ request: { text: "x", isCut: true }, answer: { text: "{}", isCut: false } });
  await insertRequests(db, [one]);
  await insertRequests(db, [one]);
  assert.partialDeepStrictEqual(await findRequest(db, { accountId, id: one.id, since }), {
    id: one.id,
    durationMs: 12.345,
    request: { text: "x", isCut: true },
    answer: { text: "{}", isCut: false },
    key: null,
    person: null,
  });
  assert.equal(await findRequest(db, { accountId: newUuid(), id: one.id, since }), undefined);
});

test("its commit does not wait for the disk, and those after it on the same connection do", async () => {
  await db.transaction(async (tx) => {
    const setting = async () => (await tx.query("show synchronous_commit")).rows[0];
    assert.deepEqual(await setting(), { synchronous_commit: "on" });
    await insertRequests(tx, [entry()]);
    assert.deepEqual(await setting(), { synchronous_commit: "off" });
  });
  const { rows } = await db.query("show synchronous_commit");
  assert.deepEqual(rows, [{ synchronous_commit: "on" }]);
});

const daysIn = async () => {
  const { rows } = await db.query<{ day: string }>(
    "select inhrelid::regclass::text as day from pg_inherits where inhparent = 'request_log'::regclass order by 1",
  );
  return rows.map(({ day }) => day.replace("request_log_", "").replaceAll("_", "-"));
};
const dayOf = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

test("a day is dropped once the whole of it is more than seven days old, and three days are made ahead", async () => {
  const one = entry();
  await insertRequests(db, [one]);
  const found = async () => (await listRequests(db, { ...filter, id: one.id })).length;
  const today = dayOf(0);
  await keepDays(db, new Date(`${dayOf(7)}T23:59:59Z`));
  assert.equal(await found(), 1);
  assert.ok((await daysIn()).includes(today));
  await keepDays(db, new Date(`${dayOf(8)}T00:00:01Z`));
  assert.equal(await found(), 0);
  assert.ok(!(await daysIn()).includes(today));
  assert.deepEqual((await daysIn()).slice(-4), [dayOf(7), dayOf(8), dayOf(9), dayOf(10)]);
  await keepDays(db, new Date());
});

test("of many requests the few of a status are found a stretch at a time, each of them once", async () => {
  const rows = STRETCH_REQUESTS + 2_000;
  const rare = entry({ status: 418, code: "rare" });
  await insertRequests(db, [rare]);
  for (let done = 0; done < rows; done += 2_000)
    await insertRequests(
      db,
      Array.from({ length: 2_000 }, () => entry()),
    );
  const wanted = { ...filter, status: { from: 418, to: 418 } };
  const found: Uuid[] = [];
  let beforeId: Uuid | undefined;
  let stretches = 0;
  do {
    const place = { ...wanted, ...(beforeId && { beforeId }) };
    const end = await endOfStretch(db, place);
    found.push(...(await listRequests(db, { ...place, ...(end && { downTo: end }) })).map(({ id }) => id));
    beforeId = end;
    stretches += 1;
  } while (beforeId !== undefined);
  assert.deepEqual(found, [rare.id]);
  assert.equal(stretches, 2);
});
