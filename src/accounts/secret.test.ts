import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { checkSecret, isSecretOf } from "./secret.ts";

const database = await makeTestDatabase();
const db = database.open();

test("the first secret becomes the database's, and every other one is refused from then on", async () => {
  assert.equal(await isSecretOf(db, "the first"), undefined);
  await checkSecret(db, "the first");
  await checkSecret(db, "the first");
  await assert.rejects(checkSecret(db, "another"), /^Error: AFARA_SECRET: the API keys .* another secret/);
  assert.equal(await isSecretOf(db, "the first"), true);
  assert.equal(await isSecretOf(db, "another"), false);
});

test("of nodes that start at once with secrets of their own, one alone may go on", async () => {
  await db.query("delete from settings");
  const starts = await Promise.allSettled(["a", "b", "c", "d", "e"].map((secret) => checkSecret(db, secret)));
  assert.equal(starts.filter(({ status }) => status === "fulfilled").length, 1);
});

test("the secret itself is not stored", async () => {
  const { rows } = await db.query<{ all: string }>("select string_agg(value, ' ') as all from settings");
  assert.match(rows[0]!.all, /^[0-9a-f]{64}$/);
});
