import assert from "node:assert/strict";
import { test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { readHead } from "../events/feed.repo.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeEndpoints } from "./endpoints.service.ts";
import { LOCAL } from "./post.ts";
import { makeWebhookSeal } from "./sealed.ts";

const db = (await makeTestDatabase()).open();
const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
const seal = makeWebhookSeal("secret of the tests");
const endpoints = makeEndpoints({ db, clock, seal, rulesFor: () => LOCAL, faultsOfTypes: () => [], readHead });

test("tokens go in full only where a key with the scope vend has sent them", async () => {
  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: "Test" });
  const caller = (mayVend: boolean) => ({ accountId, mode: "test", mayVend, actor: { kind: "system" } }) as const;
  const made = await endpoints.create(caller(true), { url: "http://localhost:3000/mine" });
  assert.ok(made.ok, JSON.stringify(made));
  const { id } = made.value;
  const seesTokens = async (mayVend: boolean, changes: object) => {
    const changed = await endpoints.change(caller(mayVend), id, changes);
    assert.ok(changed.ok);
    return changed.value.mayVend;
  };
  assert.equal(await seesTokens(false, { description: "same address", url: "http://localhost:3000/mine" }), true);
  assert.equal(await seesTokens(false, { url: "http://localhost:3000/theirs" }), false);
  assert.equal(await seesTokens(true, { status: "paused" }), false);
  assert.equal(await seesTokens(true, { url: "http://localhost:3000/mine" }), true);
});
