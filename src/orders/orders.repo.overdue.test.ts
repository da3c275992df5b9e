import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { makeCustomer, makeEngine, newOrder, newTopup } from "../testing/engine.ts";
import { accept } from "../testing/engine-rig.ts";
import { findOverdue } from "./orders.repo.ts";

const db = (await makeTestDatabase()).open();

test("messages that wait for another try do not hide the one whose time is up, however few are looked at", async () => {
  const engine = makeEngine(db, [], { role: "api" });
  const accountId = await makeCustomer(db);
  for (let count = 0; count < 5; count++) {
    const { id } = await accept(engine, newOrder(accountId, { ambiguity: "retry" }));
    await db.query("update orders set ambiguous_at = now() where id = $1", [id]);
  }
  const expired = await accept(engine, newOrder(accountId, { expiresAt: new Date(Date.now() - 1_000) }));
  const unknown = await accept(engine, newOrder(accountId));
  await db.query("update orders set state = 'unknown', due_at = now() - interval '1 minute' where id = $1", [
    unknown.id,
  ]);
  const found = await findOverdue(db, "parcel:test", ["unknown"], new Date(), 2);
  assert.deepEqual(
    found.map(({ id }) => id),
    [unknown.id, expired.id],
  );
});

test("purchases whose vendor is away and must be asked do not hide those that no vendor took in time", async () => {
  const engine = makeEngine(db, [], { role: "api" });
  const accountId = await makeCustomer(db);
  const expiresAt = new Date(Date.now() - 60_000);
  for (const asked of [
    "begun_at = now()",
    "ambiguous_at = now()",
    `pieces = '[{"status": "taken"}]'`,
    "state = 'successful', ended_at = now()",
  ]) {
    const { id } = await accept(engine, newTopup(accountId, { expiresAt, dueAt: expiresAt }));
    await db.query(`update orders set ${asked} where id = $1`, [id]);
  }
  const expired = await accept(engine, newTopup(accountId, { expiresAt: new Date(Date.now() - 1_000) }));
  const found = await findOverdue(db, "topup:test", [], new Date(), 1);
  assert.deepEqual(
    found.map(({ id }) => id),
    [expired.id],
  );
});
