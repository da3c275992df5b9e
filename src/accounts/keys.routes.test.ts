import assert from "node:assert/strict";
import { after, test } from "node:test";
import { MemoryCounters } from "../counters/memory-counters.ts";
import { makeLimits } from "../http/limits.ts";
import { buildHttp } from "../http/server.ts";
import type { SignedIn } from "../http/session-entry.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { insertAccount } from "./accounts.repo.ts";
import { hashApiKey } from "./api-key.ts";
import { readAudit } from "./audit.repo.ts";
import { keysRoutes } from "./keys.routes.ts";
import { ROLES, type Role } from "./roles.ts";

const db = (await makeTestDatabase()).open();
const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
const hashKey = (key: string) => hashApiKey("pepper of the tests", key);

/** Who is signed in, by the cookie. */
const people = new Map<string, SignedIn>();
const { app } = await buildHttp({
  clock,
  log: SILENT,
  keys: {
    lookup: { find: async () => undefined },
    hash: hashKey,
    used: () => undefined,
    sessions: {
      isNamed: (cookies) => cookies !== "",
      find: async (cookies) => people.get(cookies),
      account: async () => ({ accountSuspended: false, defaultSender: null, subscriptions: {} }),
    },
  },
  limits: makeLimits(new MemoryCounters(clock)),
  limitFor: () => 1_000_000,
  readiness: { checks: {} },
  secret: "secret of the tests",
});
const config = { services: { sms: { name: "SMS", category: "messaging" as const, plans: [] } } };
keysRoutes(app, { db, clock, config, hashKey, forgetKeys: () => undefined });
after(() => app.close());

async function makeAccount(): Promise<Uuid> {
  const id = newUuid();
  await insertAccount(db, { id, name: "Test" });
  return id;
}

/** A member of an account, who sends requests. */
async function signIn(accountId: Uuid, role: Role, mode: Mode = "test") {
  const id = newUuid();
  await db.query(
    "insert into auth_people (id, name, email, email_verified) values ($1::uuid, 'Ada Obi', $1::text || '@example.com', true)",
    [id],
  );
  people.set(id, { person: { id }, isConfirmed: true, csrfToken: "token", memberships: [{ accountId, role }] });
  const headers = {
    cookie: id,
    "sec-fetch-site": "same-origin",
    "afara-csrf": "token",
    "afara-account": encodeId("acc", accountId),
    "afara-mode": mode,
  };
  const ask = async (method: "GET" | "POST" | "DELETE", path = "", body?: object) => {
    const url = `/portal/api/keys${path}`;
    const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) });
    return { status: answer.statusCode, body: answer.body === "" ? undefined : answer.json() };
  };
  return { id, ask };
}

test("an owner makes a key that is shown once, lists it, rolls it and revokes it, each with their name in the log", async () => {
  const { id: person, ask } = await signIn(await makeAccount(), "owner");
  const made = await ask("POST", "", { spend_cap: "500.00" });
  assert.equal(made.status, 201);
  const { id, key } = made.body;
  assert.match(key, /^afara_test_/);
  assert.ok(key.startsWith(made.body.starts) && key.endsWith(made.body.ends));
  assert.deepEqual(made.body.spend_cap, { amount: "500.00", currency: "NGN" });
  const rolled = await ask("POST", `/${id}/roll`, { overlap_hours: 1 });
  assert.equal(rolled.status, 201);
  assert.equal((await ask("DELETE", `/${rolled.body.id}`)).status, 204);
  const { data } = (await ask("GET")).body;
  assert.deepEqual(
    data.map((one: { id: string }) => one.id),
    [rolled.body.id, id],
  );
  assert.ok(data[0].revoked_at && data[1].replaced_until);
  assert.ok(!JSON.stringify(data).includes(key));
  for (const subject of [id, rolled.body.id])
    for (const { actor } of await readAudit(db, { subject, limit: 9 }))
      assert.deepEqual(actor, { kind: "person", id: person });
});

/** The most that each role's new keys may do, by mode. */
const MOST: Readonly<Record<Role, Readonly<Record<Mode, readonly string[]>>>> = {
  owner: { test: ["read", "send", "vend", "manage"], live: ["read", "send", "vend", "manage"] },
  developer: { test: ["read", "send", "vend", "manage"], live: ["read"] },
  finance: { test: [], live: [] },
  viewer: { test: [], live: [] },
};

for (const role of ROLES)
  test(`a ${role} makes no key that does more than a ${role} may`, async () => {
    const accountId = await makeAccount();
    for (const mode of ["test", "live"] as const) {
      const { ask } = await signIn(accountId, role, mode);
      const most = MOST[role][mode];
      const made = await ask("POST", "", {});
      assert.equal(made.status, most.length > 0 ? 201 : 403);
      if (most.length > 0) assert.deepEqual(made.body.scopes, most);
      for (const scope of ["read", "send", "vend", "manage"])
        assert.equal((await ask("POST", "", { scopes: [scope] })).status, most.includes(scope) ? 201 : 403, scope);
    }
  });

test("a developer does not get a spending key by rolling an owner's", async () => {
  const accountId = await makeAccount();
  const { body } = await (await signIn(accountId, "owner", "live")).ask("POST", "", {});
  const rolled = await (await signIn(accountId, "developer", "live")).ask("POST", `/${body.id}/roll`, {});
  assert.deepEqual([rolled.status, rolled.body.code], [403, "scope_missing"]);
});

test("keys of another account, and of the other mode, are not there", async () => {
  const accountId = await makeAccount();
  const { body } = await (await signIn(accountId, "owner")).ask("POST", "", {});
  for (const { ask } of [await signIn(await makeAccount(), "owner"), await signIn(accountId, "owner", "live")]) {
    assert.deepEqual((await ask("GET")).body.data, []);
    assert.equal((await ask("POST", `/${body.id}/roll`, {})).status, 404);
    assert.equal((await ask("DELETE", `/${body.id}`)).status, 404);
  }
});

test("an API key lists and makes no keys: only people do", async () => {
  const answer = await app.inject({ url: "/portal/api/keys", headers: { "x-api-key": "afara_test_x" } });
  assert.deepEqual([answer.statusCode, answer.json().code], [401, "session_ended"]);
});

test("faulty terms are refused with what is wrong", async () => {
  const { ask } = await signIn(await makeAccount(), "owner");
  for (const [body, pointer] of [
    [{ services: ["telex"] }, "/services/0"],
    [{ cidrs: ["300.1.1.1"] }, "/cidrs/0"],
    [{ expires_at: "2020-01-01T00:00:00.000Z" }, "/expires_at"],
    [{ scopes: [] }, "/scopes"],
    [{ spend_cap: 1.5 }, "/spend_cap"],
    [{ mode: "live" }, "/mode"],
  ] as const) {
    const { status, body: problem } = await ask("POST", "", body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.ok(
      problem.errors.some((fault: { pointer: string }) => fault.pointer === pointer),
      JSON.stringify(problem),
    );
  }
});
