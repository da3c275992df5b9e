import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { Db } from "../db/database.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { type AuditEntry, audit, readAudit, verifyAudit } from "./audit.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

const CREDIT: AuditEntry = {
  actor: { kind: "operator", name: "ada" },
  action: "wallet.credit",
  subject: "acc_1",
  details: { mode: "live", amount: "200.00", list: [1, null, { b: true, a: "é" }] },
  reason: "goodwill",
};
const write = (entry: AuditEntry) => db.transaction((tx) => audit(tx, entry));

/** As somebody with the database's own powers would. */
const tamper = (act: (tx: Db) => Promise<unknown>) =>
  db.transaction(async (tx) => {
    await tx.query("alter table audit_log disable trigger user");
    await act(tx);
    await tx.query("alter table audit_log enable trigger user");
  });

afterEach(() => tamper((tx) => tx.query("delete from audit_log")));

test("what was written is read back whole, the newest first, and the chain holds", async () => {
  const id = newUuid();
  await write(CREDIT);
  await write({ actor: { kind: "key", id }, action: "sender.request", subject: "acc_2" });
  await write({ actor: { kind: "system" }, action: "plan.renew", subject: "acc_1" });

  const [newest, , oldest] = await readAudit(db, { limit: 10 });
  assert.deepEqual([newest?.number, newest?.actor, newest?.details, newest?.reason], [3, { kind: "system" }, {}, null]);
  const { at, number, ...entry } = oldest!;
  assert.deepEqual([number, entry], [1, CREDIT]);
  assert.ok(Math.abs(at.getTime() - Date.now()) < 60_000);
  assert.deepEqual(
    (await readAudit(db, { subject: "acc_2", limit: 10 })).map((row) => row.actor),
    [{ kind: "key", id }],
  );
  const { rows, lastHash, broken } = await verifyAudit(db);
  assert.deepEqual([rows, broken], [3, undefined]);
  assert.match(lastHash!, /^[0-9a-f]{64}$/);
});

test("acts of many nodes at once make one chain without gaps", async () => {
  await Promise.all(Array.from({ length: 40 }, (_, n) => write({ ...CREDIT, subject: `acc_${n}` })));
  assert.deepEqual((({ rows, broken }) => [rows, broken])(await verifyAudit(db)), [40, undefined]);
});

test("an act that is undone leaves no entry", async () => {
  const gone = db.transaction(async (tx) => {
    await audit(tx, CREDIT);
    throw new Error("no money");
  });
  await assert.rejects(gone, /no money/);
  assert.deepEqual(await readAudit(db, { limit: 10 }), []);
});

test("the table refuses to be changed, shortened or emptied", async () => {
  await write(CREDIT);
  for (const statement of ["update audit_log set reason = 'x'", "delete from audit_log", "truncate audit_log"])
    await assert.rejects(db.query(statement), /audit_log is append-only/);
});

test("an end that was cut off, and a chain that was made anew, do not go through the row that was noted", async () => {
  for (let n = 0; n < 3; n++) await write(CREDIT);
  const { rows, lastHash } = await verifyAudit(db);
  const noted = { number: rows, hash: lastHash! };
  await write(CREDIT);
  assert.equal((await verifyAudit(db, noted)).broken, undefined);
  await tamper((tx) => tx.query("delete from audit_log where number > 2"));
  assert.deepEqual((await verifyAudit(db, noted)).broken, { number: 3, why: "row 3 is missing" });
  await write({ ...CREDIT, reason: "another" });
  assert.deepEqual((await verifyAudit(db, noted)).broken, { number: 3, why: "it is not the row that was noted" });
  assert.equal((await verifyAudit(db)).broken, undefined);
});

const TAMPERINGS = [
  ["content", 'update audit_log set details = \'{"amount":"2.00"}\' where number = 2', 2, /its content was changed/],
  ["time", "update audit_log set at = at + interval '1 ms' where number = 3", 3, /its content was changed/],
  ["author", "update audit_log set actor = 'eve' where number = 1", 1, /its content was changed/],
  ["removal", "delete from audit_log where number = 2", 3, /row 2 is missing/],
  ["link", "update audit_log set previous_hash = decode(repeat('00', 32), 'hex') where number = 3", 3, /not follow/],
] as const;
for (const [what, statement, number, why] of TAMPERINGS) {
  test(`a tampered ${what} is found at its first row`, async () => {
    for (let n = 0; n < 4; n++) await write(CREDIT);
    await tamper((tx) => tx.query(statement));
    const { broken } = await verifyAudit(db);
    assert.equal(broken?.number, number);
    assert.match(broken.why, why);
  });
}
