import assert from "node:assert/strict";
import { test } from "node:test";
import { ROLES, type Role } from "../accounts/roles.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { makeRig } from "../testing/http-rig.ts";
import { callerOf } from "./authenticate.ts";
import type { Sessions, SignedIn } from "./session-entry.ts";

const ACCOUNT = newUuid();
const TOKEN = "token of the session";

/** A gateway at which one person is signed in, by the cookie `session=good`. */
async function makeSignedIn({ role = "owner" as Role, suspended = false } = {}) {
  const person = { id: newUuid() };
  let signedIn: SignedIn | undefined = {
    person,
    isConfirmed: true,
    csrfToken: TOKEN,
    memberships: [{ accountId: ACCOUNT, role }],
  };
  const sessions: Sessions = {
    isNamed: (cookies) => cookies.includes("session="),
    find: async (cookies) => (cookies.includes("session=good") ? signedIn : undefined),
    account: async (id) =>
      id === ACCOUNT
        ? { accountSuspended: suspended, defaultSender: null, subscriptions: { sms: { plan: "free" } } }
        : undefined,
  };
  const rig = await makeRig({ sessions });
  const headers = (mode: Mode = "test") => ({
    cookie: "session=good",
    "sec-fetch-site": "same-origin",
    "afara-account": encodeId("acc", ACCOUNT),
    "afara-mode": mode,
  });
  const read = (changed: Record<string, string | undefined> = {}) =>
    rig.app.inject({ url: "/sms/messages", headers: given({ ...headers(), ...changed }) });
  const send = (changed: Record<string, string | undefined> = {}) =>
    rig.app.inject({
      method: "POST",
      url: "/sms/send",
      headers: given({ ...headers(), "afara-csrf": TOKEN, ...changed }),
      payload: { to: "08031234567", message: "Hello" },
    });
  const become = (now: Role) => {
    signedIn = { person, isConfirmed: true, csrfToken: TOKEN, memberships: [{ accountId: ACCOUNT, role: now }] };
  };
  return { ...rig, person, headers, read, send, become, end: () => (signedIn = undefined) };
}

/** Undefined takes a header away. */
const given = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));

test("a signed-in owner may read and send, within the account's limits, and no key counts as used", async () => {
  const { read, send, used } = await makeSignedIn();
  assert.equal((await read()).statusCode, 200);
  const sent = await send();
  assert.equal(sent.statusCode, 202);
  assert.ok(sent.headers.ratelimit);
  assert.deepEqual(used, []);
});

const READS: readonly Role[] = ROLES;
const SENDS: Readonly<Record<Mode, readonly Role[]>> = { test: ["owner", "developer"], live: ["owner"] };

for (const role of ROLES)
  test(`a ${role} may do in each mode what the role says`, async () => {
    const { read, send } = await makeSignedIn({ role });
    assert.equal((await read()).statusCode, READS.includes(role) ? 200 : 403);
    for (const mode of ["test", "live"] as const) {
      const answer = await send({ "afara-mode": mode });
      assert.equal(answer.statusCode, SENDS[mode].includes(role) ? 202 : 403, mode);
      if (answer.statusCode === 403) assert.match(answer.json().detail, new RegExp(`${role}, may not .* ${mode} mode`));
    }
  });

test("a request from another site is refused, whatever it carries", async () => {
  const { read, send } = await makeSignedIn();
  for (const site of ["cross-site", "same-site", "none"])
    for (const ask of [read, send]) {
      const answer = await ask({ "sec-fetch-site": site });
      assert.deepEqual([answer.statusCode, answer.json().code], [403, "cross_site_request"], site);
    }
});

test("where browsers say nothing of the site, the origin decides about what changes something", async () => {
  const { read, send } = await makeSignedIn();
  const silent = { "sec-fetch-site": undefined };
  assert.equal((await read(silent)).statusCode, 200);
  assert.equal((await send({ ...silent, host: "gateway.example", origin: "http://gateway.example" })).statusCode, 202);
  for (const origin of [undefined, "null", "http://evil.example", "http://gateway.example.evil.example", "http://"])
    assert.equal((await send({ ...silent, host: "gateway.example", origin })).statusCode, 403, String(origin));
  assert.equal((await read({ ...silent, origin: "http://evil.example" })).statusCode, 403);
});

test("what changes something needs the session's own token", async () => {
  const { send } = await makeSignedIn();
  for (const token of [undefined, "", "token of another", `${TOKEN}s`])
    assert.equal((await send({ "afara-csrf": token })).json().code, "cross_site_request", String(token));
});

test("an ended session is refused at once, and asks to sign in", async () => {
  const { read, end } = await makeSignedIn();
  end();
  const answer = await read();
  assert.deepEqual([answer.statusCode, answer.json().code], [401, "session_ended"]);
  assert.equal((await read({ cookie: "session=forged" })).statusCode, 401);
});

test("what goes on for long sees the role that the person has now", async () => {
  const { app, authenticator, headers, become } = await makeSignedIn();
  app.get("/long", { config: { auth: { scope: "read", policy: null } }, schema: { hide: true } }, async (request) => {
    const before = callerOf(request).scopes;
    become("viewer");
    return { before, isAllowed: await authenticator.isStillAllowed(request), now: callerOf(request).scopes };
  });
  const { before, isAllowed, now } = (await app.inject({ url: "/long", headers: headers() })).json();
  assert.ok(before.includes("vend"));
  assert.deepEqual([isAllowed, now], [true, ["read"]]);
});

test("an account of others, and one that is none, are refused with the same words", async () => {
  const { read } = await makeSignedIn();
  const answers = [];
  for (const account of [encodeId("acc", newUuid()), "acc_1", "", `${encodeId("acc", ACCOUNT)}, x`]) {
    const answer = await read({ "afara-account": account });
    answers.push(`${answer.statusCode} ${answer.json().code} ${answer.json().detail}`);
  }
  assert.equal(new Set(answers).size, 1);
  assert.match(answers[0]!, /^403 not_a_member/);
});

test("without account or mode the refusal names both headers", async () => {
  const { read } = await makeSignedIn();
  for (const missing of [{ "afara-account": undefined }, { "afara-mode": undefined }, { "afara-mode": "Live" }]) {
    const answer = await read(missing);
    assert.equal(answer.statusCode, 400);
    assert.match(answer.json().detail, /Afara-Account.*Afara-Mode/);
  }
});

test("a suspended account is refused to its people, too", async () => {
  const { read } = await makeSignedIn({ suspended: true });
  assert.equal((await read()).json().code, "account_suspended");
});

test("a key that was sent counts, and the cookie beside it does not", async () => {
  const { app, key, read } = await makeSignedIn({ role: "viewer" });
  assert.equal((await read({ "x-api-key": key, "sec-fetch-site": "cross-site" })).statusCode, 200);
  const answer = await app.inject({ url: "/sms/messages", headers: { cookie: "other=1" } });
  assert.equal(answer.json().code, "missing_api_key");
});
