import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { makeCustomer, makeEngine, newOrder } from "../testing/engine.ts";
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
