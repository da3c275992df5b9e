import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeApiKey } from "../../src/accounts/api-key.ts";
import { announceChange } from "../../src/accounts/changes.repo.ts";
import { subscribe } from "../../src/accounts/subscriptions.repo.ts";
import { decodeId } from "../../src/kernel/ids.ts";
import { startSmsc } from "../../src/simulators/smsc/spawn.ts";
import { makeCli } from "../../src/testing/cli.ts";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { type Answer, type Gateway, startGateway } from "../../src/testing/gateway.ts";
import { startStopwatch } from "../../src/testing/stopwatch.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/** Keys of every standing on two processes of one database, made and ended at the command line as an operator does. */

const ROOT = join(import.meta.dirname, "..", "..");
const SECRET = "a secret that both gateways of the test share";

const dir = await mkdtemp(join(tmpdir(), "afara-keys-"));
const smsc = await startSmsc({ dataDir: join(dir, "smsc") });
const database = await makeTestDatabase();
const db = database.open();
const { path } = await writeTestConfig(dir, (file) => ({
  ...file,
  simulators: {
    smsc: { start: false, smppPort: smsc.smppPort, controlPort: smsc.controlPort },
    vendors: { start: false },
  },
}));
const environment = { DATABASE_URL: database.url, AFARA_CONFIG: path, AFARA_SECRET: SECRET };
const first = await startGateway({ dataDir: join(dir, "first"), environment });
const second = await startGateway({ dataDir: join(dir, "second"), environment });
const afara = makeCli({ ...environment, AFARA_DATA_DIR: join(dir, "first"), USER: "ada" });

after(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await smsc.stop();
  await rm(dir, { recursive: true, force: true });
});

interface Problem {
  readonly type: string;
  readonly code: string;
  readonly detail: string;
}

async function newAccount(): Promise<string> {
  const { id } = (await afara(["account", "create", "--name", "Ikoyi Foods", "--json"])).json<{ id: string }>();
  await subscribe(db, decodeId("acc", id)!, "sms", "scale", new Date());
  return id;
}
async function newKey(account: string, ...more: readonly string[]): Promise<{ id: string; key: string }> {
  const { code, json, err } = await afara([
    ...["key", "create", "--account", account, "--mode", "test", "--json"],
    ...more,
  ]);
  assert.equal(code, 0, err);
  return json<{ id: string; key: string }>();
}
const preview = (key: string, gateway: Gateway = first): Promise<Answer<Problem>> =>
  gateway.call("POST", "/sms/preview", { message: "May I?" }, { "x-api-key": key });
/** Costs no limit, so that it may be asked again and again. */
const standing = (key: string, gateway: Gateway = first) =>
  gateway.call("GET", "/limits", undefined, { "x-api-key": key });
const reaches = (status: number, key: string, gateway: Gateway = first) =>
  waitFor(`the answer ${status}`, async () => ((await standing(key, gateway)).status === status ? true : undefined));

/** The answer is the documented one: status, code, and the page that it names. */
function assertRefused({ status, body }: Answer<Problem>, wanted: readonly [number, string, RegExp]): void {
  assert.deepEqual([status, body.code], wanted.slice(0, 2));
  assert.match(body.detail, wanted[2]);
  assert.equal(body.type, `/docs/errors/${body.code}`);
  assert.ok(existsSync(join(ROOT, "docs", "errors", `${body.code}.md`)));
}

/** One character of the secret is another: the form is right, the checksum is not. */
const misspelt = (key: string) => key.replace(/^(afara_test_)(.)/, (_, start, c) => `${start}${c === "a" ? "b" : "a"}`);

test("no key, a malformed one, one that is misspelt and one that nobody has are each refused", async () => {
  const { key } = await newKey(await newAccount());
  const bare = await fetch(`${first.base}/wallet`);
  assertRefused({ status: bare.status, headers: bare.headers, body: (await bare.json()) as Problem }, [
    401,
    "missing_api_key",
    /Send your API key in the X-API-Key header/,
  ]);
  for (const [sent, detail] of [
    ["afara_test_short", /the form or the checksum is wrong/],
    [misspelt(key), /the form or the checksum is wrong/],
    [makeApiKey("test", randomBytes), /does not exist or was revoked/],
  ] as const)
    assertRefused(await preview(sent), [401, "invalid_api_key", detail]);
  assert.equal((await preview(key)).status, 200);
});

test("a key with a wrong checksum is refused without a query", async () => {
  let unknown: Promise<Answer<Problem>> | undefined;
  let answered = false;
  await db.transaction(async (tx) => {
    await tx.query("lock table api_keys in access exclusive mode"); // whoever looks a key up now waits
    unknown = preview(makeApiKey("test", randomBytes));
    void unknown.then(() => (answered = true));
    for (let n = 0; n < 50; n++) {
      const answer = await preview(misspelt(makeApiKey("test", randomBytes)));
      assert.equal(answer.body.code, "invalid_api_key");
    }
    assert.equal(answered, false);
  });
  assert.equal((await unknown!).status, 401);
});

test("a key in the address, in Authorization or in the body is refused even where the header has one as well", async () => {
  const { key } = await newKey(await newAccount());
  const headers = { "x-api-key": key };
  assertRefused(await first.call("GET", `/wallet?api_key=${key}`, undefined, headers), [
    401,
    "use_x_api_key_header",
    /sent in the address.*replace this key/,
  ]);
  assertRefused(await first.call("GET", "/wallet", undefined, { ...headers, authorization: `Bearer ${key}` }), [
    401,
    "use_x_api_key_header",
    /not in Authorization/,
  ]);
  assertRefused(await first.call("POST", "/sms/preview", { message: "x", api_key: key }, { "x-api-key": "" }), [
    401,
    "use_x_api_key_header",
    /sent in the body/,
  ]);
});

test("an expired key says when it expired", async () => {
  const expires = new Date(Date.now() + 6_000).toISOString();
  const { key } = await newKey(await newAccount(), "--expires", expires);
  assert.equal((await preview(key)).status, 200);
  await reaches(401, key, first);
  assertRefused(await preview(key), [401, "api_key_expired", new RegExp(`expired at ${expires}`)]);
});

test("a key works within its scopes, services and addresses only, and for what its account is subscribed to", async () => {
  const account = await newAccount();
  const { key: reader } = await newKey(account, "--scope", "read");
  const send = await first.call<Problem>("POST", "/sms/send", {}, { "x-api-key": reader });
  assertRefused(send, [403, "scope_missing", /needs the scope `send`/]);

  const { key: elsewhere } = await newKey(account, "--ip", "203.0.113.0/24", "--ip", "2001:db8::/32");
  assertRefused(await preview(elsewhere), [403, "ip_not_allowed", /may not be used from 127\.0\.0\.1/]);
  const { key: here } = await newKey(account, "--ip", "127.0.0.0/8");
  assert.equal((await preview(here)).status, 200);

  const stranger = (await afara(["account", "create", "--name", "Newcomer", "--json"])).json<{ id: string }>().id;
  const { key: unsubscribed } = await newKey(stranger);
  assertRefused(await preview(unsubscribed), [403, "not_subscribed", /not subscribed to `sms`/]);
});

test("a suspended account's keys are refused on every process within 5 s, and work again after it is resumed", async () => {
  const account = await newAccount();
  const { key } = await newKey(account);
  for (const gateway of [first, second]) assert.equal((await preview(key, gateway)).status, 200);
  await afara(["account", "suspend", account, "--reason", "a test"]);
  const elapsedMs = startStopwatch();
  for (const gateway of [first, second]) await reaches(403, key, gateway);
  assert.ok(elapsedMs() < 10_000);
  assertRefused(await preview(key), [403, "account_suspended", /Ask whoever runs this gateway/]);
  await afara(["account", "resume", account]);
  await reaches(200, key);
});

test("a revoked key is refused on both processes at once, whichever has just used it", async () => {
  const { id, key } = await newKey(await newAccount());
  for (const gateway of [first, second]) assert.equal((await preview(key, gateway)).status, 200);
  assert.equal((await afara(["key", "revoke", id])).code, 0);
  const elapsedMs = startStopwatch();
  for (const gateway of [first, second]) await reaches(401, key, gateway);
  assert.ok(elapsedMs() < 4_500, "the announcement is faster than the memory runs out");
  assertRefused(await preview(key, second), [401, "invalid_api_key", /does not exist or was revoked/]);
});

test("a revocation that no process hears of counts within 5 s all the same", async () => {
  const { id, key } = await newKey(await newAccount());
  for (const gateway of [first, second]) assert.equal((await preview(key, gateway)).status, 200);
  await db.query("update api_keys set revoked_at = now() where id = $1", [decodeId("key", id)]);
  const elapsedMs = startStopwatch();
  for (const gateway of [first, second]) await reaches(401, key, gateway);
  assert.ok(elapsedMs() < 10_000);
});

test("a process that lost its announcements hears them again", async () => {
  const { id, key } = await newKey(await newAccount());
  const listeners = async () =>
    (
      await db.query<{ pid: number }>(
        `select pid from pg_stat_activity where query like 'listen %' and datname = current_database()`,
      )
    ).rows;
  const before = (await listeners()).map(({ pid }) => pid);
  assert.equal(before.length, 2);
  await db.query("select pg_terminate_backend(pid) from unnest($1::int[]) pid", [before]);
  await waitFor("two new listeners", async () => {
    const now = await listeners();
    return now.length === 2 && now.every(({ pid }) => !before.includes(pid)) ? true : undefined;
  });
  for (const gateway of [first, second]) assert.equal((await preview(key, gateway)).status, 200);
  await afara(["key", "revoke", id]);
  const elapsedMs = startStopwatch();
  for (const gateway of [first, second]) await reaches(401, key, gateway);
  assert.ok(elapsedMs() < 4_500);
});

test("a rolled key works through the overlap and says until when; after it, it is refused and says why", async () => {
  const account = await newAccount();
  const old = await newKey(account);
  const rolled = (await afara(["key", "roll", old.id, "--json"])).json<{ key: string; old_key_works_until: string }>();
  await waitFor("the news", async () => ((await standing(old.key)).headers.has("sunset") ? true : undefined));
  const answer = await preview(old.key);
  assert.equal(answer.status, 200);
  assert.equal(
    new Date(answer.headers.get("sunset")!).getTime(),
    Math.floor(Date.parse(rolled.old_key_works_until) / 1_000) * 1_000,
  );
  const since = Number(/^@(\d+)$/.exec(answer.headers.get("deprecation")!)?.[1]);
  assert.ok(Math.abs(since - Date.now() / 1_000) < 60);
  const fresh = await preview(rolled.key);
  assert.deepEqual([fresh.status, fresh.headers.has("sunset"), fresh.headers.has("deprecation")], [200, false, false]);

  await db.query("update api_keys set rolled_until = now() where id = $1", [decodeId("key", old.id)]);
  await announceChange(db);
  await reaches(401, old.key, first);
  assertRefused(await preview(old.key), [401, "api_key_expired", /was replaced and stopped working at/]);

  const other = await newKey(account);
  assert.equal((await preview(other.key)).status, 200);
  await afara(["key", "roll", other.id, "--overlap", "0"]);
  await reaches(401, other.key, first);
});

test("an account's own sender is that of its messages which name none", async () => {
  const account = await newAccount();
  const { key } = await newKey(account);
  const from = async (more: object) => {
    const body = { to: "08031234567", message: "Whose?", ...more };
    return (await first.call<{ from: string }>("POST", "/sms/send", body, { "x-api-key": key })).body.from;
  };
  assert.equal(await from({}), "Afara");
  await afara(["account", "set", account, "--default-sender", "IkoyiFoods"]);
  await waitFor("the account's sender", async () => ((await from({})) === "IkoyiFoods" ? true : undefined));
  assert.equal(await from({ from: "Lekki" }), "Lekki");
});

test("an address that tries many unknown keys has to wait, and a good key from there goes on", async () => {
  const { key } = await newKey(await newAccount());
  let limited: Answer<Problem> | undefined;
  for (let n = 0; n < 40 && !limited; n++) {
    const answer = await preview(makeApiKey("test", randomBytes), second);
    if (answer.status === 429) limited = answer;
    else assert.equal(answer.status, 401);
  }
  assertRefused(limited!, [429, "rate_limited", /Too many unknown API keys came from this address/]);
  assert.match(limited!.headers.get("retry-after")!, /^([1-9]|[1-5]\d|60)$/);
  assert.equal((await preview(key, second)).status, 200);
});

test("when a key was last used is written down at the latest when the process ends", async () => {
  const account = await newAccount();
  const { key } = await newKey(account);
  assert.equal((await preview(key, second)).status, 200);
  const usedAt = Date.now();
  await second.stop();
  const { keys } = (await afara(["key", "list", "--account", account, "--json"])).json<{
    keys: { last_used_at: string }[];
  }>();
  assert.ok(Math.abs(Date.parse(keys[0]!.last_used_at) - usedAt) < 5_000);
});
