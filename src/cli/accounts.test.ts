import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { makeApiKey } from "../accounts/api-key.ts";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir, startGateway } from "../testing/gateway.ts";
import { writeTestConfig } from "../testing/test-config.ts";

const database = await makeTestDatabase();
const db = database.open();
const data = await makeDataDir();
const config = await writeTestConfig(data.dir);
const environment = { AFARA_DATA_DIR: data.dir, AFARA_CONFIG: config.path, DATABASE_URL: database.url };
const gateway = await startGateway({ dataDir: data.dir, environment });
after(async () => {
  await gateway.stop();
  await data.remove();
});
const afara = makeCli({ ...environment, USER: "ada" });

const walletOf = (mode: string, amount: string) => ({
  object: "wallet",
  mode,
  balance: { amount, currency: "NGN" },
  held: { amount: "0.00", currency: "NGN" },
  available: { amount, currency: "NGN" },
});

async function newAccount(name = "Ikoyi Foods"): Promise<string> {
  const { code, json } = await afara(["account", "create", "--name", name, "--json"]);
  assert.equal(code, 0);
  return json<{ id: string }>().id;
}
const newKey = async (account: string, ...more: readonly string[]) =>
  (await afara(["key", "create", "--account", account, "--mode", "test", ...more, "--json"])).json<{
    id: string;
    key: string;
  }>();

test("an account has live and test mode side by side, and play money in test mode once", async () => {
  const id = await newAccount();
  const shown = (await afara(["account", "show", id, "--json"])).json();
  assert.partialDeepStrictEqual(shown, {
    id,
    name: "Ikoyi Foods",
    state: "active",
    subscriptions: [],
    wallets: {
      live: walletOf("live", "0.00"),
      test: walletOf("test", "1000000.00"),
    },
    keys: 0,
  });
  const { rows } = await db.query<{ modes: bigint; kinds: bigint }>(
    `select count(distinct mode) as modes, count(*) filter (where mode = 'live') as kinds from ledger_accounts
      where account_id = (select id from accounts where name = 'Ikoyi Foods')`,
  );
  assert.equal(rows[0]!.modes, 2n);
  assert.ok(rows[0]!.kinds >= 5n);
  assert.match((await afara(["account", "show", id])).out, /^ACCOUNT +acc_.*\nNAME +Ikoyi Foods\nSTATE +active\n/);
  assert.match((await afara(["account", "list"])).out, new RegExp(`${id} +active +20.* +Ikoyi Foods\n`));
});

test("a key in use is given another cap and other addresses, and what it may reach stays", async () => {
  const { id } = await newKey(await newAccount(), "--scope", "read", "--spend-cap", "100");
  const set = async (...args: readonly string[]) => (await afara(["key", "set", id, ...args, "--json"])).json();
  assert.deepEqual(await set("--spend-cap", "20000", "--ip", "203.0.113.0/24"), {
    id,
    cidrs: ["203.0.113.0/24"],
    spend_cap: "20000.00",
  });
  assert.deepEqual(await set("--no-spend-cap"), { id, cidrs: ["203.0.113.0/24"], spend_cap: null });
  assert.deepEqual(await set("--no-ip"), { id, cidrs: null, spend_cap: null });
  assert.equal((await afara(["key", "set", id])).code, 2);
  assert.equal((await afara(["key", "set", id, "--ip", "300.1.1.1"])).code, 1);
  assert.equal((await afara(["key", "revoke", id])).code, 0);
  assert.equal((await afara(["key", "set", id, "--no-ip"])).code, 1);
  const { json } = await afara(["audit", "list", "--subject", id, "--json"]);
  const { entries } = json<{ entries: { action: string; details: { scopes: string[] } }[] }>();
  assert.deepEqual(
    entries.map(({ action }) => action),
    ["key.revoke", "key.change", "key.change", "key.change", "key.create"],
  );
});

test("what is listed of one account is refused for an account that is not there, and what the audit log has of it too", async () => {
  const nobody = "acc_01k9z3v1h8e4rb2m6t0c5w7xyd";
  for (const args of [
    ["key", "list", "--account", nobody],
    ["numbers", "list", "--account", nobody],
    ["chat-numbers", "list", "--account", nobody],
    ["senders", "list", "--account", nobody],
    ["account", "show", nobody],
    ["wallet", "show", "--account", nobody, "--mode", "test"],
    ["audit", "list", "--subject", nobody],
  ]) {
    const { code, out } = await afara(args);
    assert.equal(code, 1, args.join(" "));
    assert.match(out, new RegExp(`^There is no account ${nobody}\\.`));
    const told = (await afara([...args, "--json"])).json();
    assert.partialDeepStrictEqual(told, { ok: false, code: "not_found" });
  }
  assert.match(
    (await afara(["audit", "list", "--subject", "acc_01k9z3v1"])).out,
    /^There is no account acc_01k9z3v1\.$/m,
  );
  assert.match(
    (await afara(["audit", "list", "--subject", "key_01k9z3v1h8e4rb2m6t0c5w7xyd"])).out,
    /^There is no key key_/,
  );
});

test("an audit log without an entry about what was asked for says so, and what entries are about", async () => {
  const { code, out } = await afara(["audit", "list", "--subject", "smsc-simulatr"]);
  assert.deepEqual([code, out.split(". ")[0]], [0, 'The audit log has no entry about "smsc-simulatr"']);
  assert.deepEqual((await afara(["audit", "list", "--subject", "smsc-simulatr", "--json"])).json(), { entries: [] });
});

test("settings of an account change one by one, and what is wrong is told with exit code 2", async () => {
  const id = await newAccount();
  const set = async (...args: readonly string[]) => (await afara(["account", "set", id, ...args, "--json"])).json();
  assert.partialDeepStrictEqual(await set("--default-sender", "IkoyiFoods", "--low-balance", "5000.00"), {
    name: "Ikoyi Foods",
    default_sender: "IkoyiFoods",
    low_balance: "5000.00",
    warning:
      '"IkoyiFoods" is not approved for this account: until it is (./afara senders list), live messages that name no sender are refused.',
  });
  assert.ok(!Object.hasOwn(await set("--default-sender", "Afara"), "warning"), "everybody may use it");
  await set("--default-sender", "IkoyiFoods");
  assert.partialDeepStrictEqual(await set("--low-balance", "none", "--name", "Ikoyi Foods Ltd"), {
    name: "Ikoyi Foods Ltd",
    default_sender: "IkoyiFoods",
    low_balance: null,
  });
  for (const [option, value, fault] of [
    ["--default-sender", "a sender that is too long", /argument 'a sender that is too long' is invalid/],
    ["--low-balance", "5,000", /naira with at most two decimal places/],
  ] as const) {
    const { code, err } = await afara(["account", "set", id, option, value]);
    assert.equal(code, 2);
    assert.match(err, fault);
  }
  const nothing = await afara(["account", "set", id]);
  assert.deepEqual([nothing.code, /^Give at least one change: --name/.test(nothing.err)], [2, true]);
});

test("a key is shown in full once; the list has its start, its last four and its terms", async () => {
  const account = await newAccount();
  const terms = ["--service", "sms", "--scope", "send", "--scope", "read", "--ip", "203.0.113.0/24"];
  const { id, key } = await newKey(account, ...terms, "--spend-cap", "5000", "--expires", "2099-01-31T23:00:00Z");
  assert.match(key, /^afara_test_[0-9A-Za-z]{36}$/);
  const listed = await afara(["key", "list", "--account", account, "--json"]);
  assert.doesNotMatch(listed.out, new RegExp(key));
  const [shown] = listed.json<{ keys: Record<string, unknown>[] }>().keys;
  assert.partialDeepStrictEqual(shown, {
    id,
    mode: "test",
    start: key.slice(0, 15),
    last4: key.slice(-4),
    state: "active",
    scopes: ["send", "read"],
    services: ["sms"],
    cidrs: ["203.0.113.0/24"],
    spend_cap: "5000.00",
    expires_at: "2099-01-31T23:00:00.000Z",
    last_used_at: null,
  });
});

test("a key with terms that can't be is refused with all that is wrong, and none is made", async () => {
  const account = await newAccount();
  const wrong = ["--service", "fax", "--scope", "fly", "--ip", "10.0.0.0/40", "--expires", "2020-01-01T00:00:00Z"];
  const { code, json } = await afara(["key", "create", "--account", account, "--mode", "live", ...wrong, "--json"]);
  assert.equal(code, 1);
  const { code: refused, errors } = json<{ code: string; errors: { pointer: string }[] }>();
  assert.equal(refused, "validation_failed");
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ["/services/0", "/scopes/0", "/cidrs/0", "/expires_at"],
  );
  assert.match((await afara(["key", "list", "--account", account])).out, /^No key yet: \.\/afara key create/);
});

test("a rolled key has the terms of the old one, and a key is rolled once", async () => {
  const account = await newAccount();
  const old = await newKey(account, "--scope", "send", "--spend-cap", "7.50");
  const rolled = await afara(["key", "roll", old.id, "--overlap", "2h", "--json"]);
  const made = rolled.json<{ id: string; key: string; old_key: string; old_key_works_until: string }>();
  assert.equal(made.old_key, old.id);
  assert.ok(Math.abs(Date.parse(made.old_key_works_until) - Date.now() - 7_200_000) < 60_000);
  const { keys } = (await afara(["key", "list", "--account", account, "--json"])).json<{
    keys: { id: string; state: string; scopes: string[]; spend_cap: string }[];
  }>();
  assert.deepEqual(
    keys.map(({ id, state, scopes, spend_cap }) => [id, state, scopes, spend_cap]),
    [
      [made.id, "active", ["send"], "7.50"],
      [old.id, "being replaced", ["send"], "7.50"],
    ],
  );
  const again = await afara(["key", "roll", old.id, "--json"]);
  assert.equal(again.code, 1);
  assert.match(again.json<{ detail: string }>().detail, new RegExp(`was replaced by ${made.id} already`));
  assert.equal((await afara(["key", "roll", made.id, "--overlap", "8d"])).code, 1);
  assert.equal((await afara(["key", "roll", made.id, "--overlap", "soon"])).code, 2);
});

test("revoking is for good and may be repeated; a revoked key can't be rolled", async () => {
  const { id } = await newKey(await newAccount());
  const first = (await afara(["key", "revoke", id, "--reason", "leaked", "--json"])).json();
  assert.deepEqual((await afara(["key", "revoke", id, "--json"])).json(), first);
  assert.match((await afara(["key", "roll", id])).out, /was revoked\. Make a new key instead/);
});

test("a key that was found somewhere is looked up and revoked by the key itself, which is repeated nowhere", async () => {
  const account = await newAccount();
  const { id, key } = await newKey(account);
  const shown = await afara(["key", "show", key, "--json"]);
  assert.partialDeepStrictEqual(shown.json(), { id, account, mode: "test", last4: key.slice(-4), state: "active" });
  const people = await afara(["key", "show", key]);
  assert.match(people.out, new RegExp(`ACCOUNT +${account} \\(Ikoyi Foods\\)\n`));
  const revoked = await afara(["key", "revoke", key, "--reason", "found in a public repository"]);
  assert.match(revoked.out, new RegExp(`^${id} is revoked`));
  const again = await afara(["key", "roll", key]);
  assert.match(again.out, /was revoked/);

  const misspelt = await afara(["key", "revoke", key.replace(/.$/, "_"), "--json"]);
  assert.deepEqual([misspelt.code, /key is incomplete or malformed/.test(misspelt.out)], [2, true]);
  const strange = await afara(["key", "revoke", makeApiKey("live", randomBytes)]);
  assert.deepEqual([strange.code, strange.out], [1, "This gateway never issued that key.\n"]);
  const audited = await afara(["audit", "list", "--subject", id, "--json"]);
  for (const { out, err } of [shown, people, revoked, again, misspelt, strange, audited])
    assert.doesNotMatch(out + err, new RegExp(key.slice(15, 40)));
});

test("a cap of nothing is refused, because it is most likely meant as none", async () => {
  const account = await newAccount();
  const create = await afara(["key", "create", "--account", account, "--mode", "live", "--spend-cap", "0.00"]);
  assert.deepEqual([create.code, /omit it for no cap/.test(create.err)], [2, true]);
  const { id } = await newKey(account);
  assert.equal((await afara(["key", "set", id, "--spend-cap", "0"])).code, 2);
});

test("what is not there is exit code 1, and what is no id exit code 2", async () => {
  const absent = "01k9z3v1h8e4rb2m6t0c5w7xyd";
  for (const args of [
    ["account", "show", `acc_${absent}`],
    ["account", "suspend", `acc_${absent}`, "--reason", "x"],
    ["key", "revoke", `key_${absent}`],
    ["key", "roll", `key_${absent}`],
    ["key", "create", "--account", `acc_${absent}`, "--mode", "test"],
  ]) {
    const { code, out } = await afara(args);
    assert.deepEqual([code, /There is no (account|key)/.test(out)], [1, true], args.join(" "));
  }
  assert.equal((await afara(["account", "show", "Ikoyi"])).code, 2);
  assert.match((await afara(["key", "revoke", "acc_01k9z3v1h8e4rb2m6t0c5w7xyd"])).err, /is neither a key's ID/);
});

test("a machine with another secret can't make keys that nobody would recognise", async () => {
  const account = await newAccount();
  const create = ["key", "create", "--account", account, "--mode", "test"];
  const other = await afara(create, { AFARA_SECRET: "another secret of thirty-two letters" });
  assert.deepEqual([other.code, other.out], [2, ""]);
  assert.match(other.err, /made with another secret/);
});

test("every act is in the audit log with who did it and why, and the log proves itself", async () => {
  const account = await newAccount();
  const key = await newKey(account);
  await afara(["account", "suspend", account, "--reason", "fraud report 118"], { SUDO_USER: "obi" });
  await afara(["account", "suspend", account, "--reason", "again"]);
  await afara(["account", "resume", account]);
  await afara(["key", "revoke", key.id, "--reason", "leaked"]);
  await afara(["providers", "pause", "smsc-simulator", "--reason", "an exercise"]);
  await afara(["providers", "resume", "smsc-simulator"]);

  const { entries } = (await afara(["audit", "list", "--limit", "7", "--json"])).json<{
    entries: { action: string; subject: string; actor: object; reason: string | null }[];
  }>();
  const ada = { kind: "operator", name: "ada" };
  assert.deepEqual(entries.map(({ action, subject, actor, reason }) => [action, subject, actor, reason]).reverse(), [
    ["account.create", account, ada, null],
    ["key.create", key.id, ada, null],
    ["account.suspend", account, { kind: "operator", name: "obi" }, "fraud report 118"],
    ["account.resume", account, ada, null],
    ["key.revoke", key.id, ada, "leaked"],
    ["provider.pause", "smsc-simulator", ada, "an exercise"],
    ["provider.resume", "smsc-simulator", ada, null],
  ]);
  assert.doesNotMatch((await afara(["audit", "list"])).out, new RegExp(key.key.slice(11)));
  assert.match((await afara(["audit", "list", "--subject", key.id])).out, /key\.revoke\n +key_\w+\n +leaked/);
  const proof = (await afara(["audit", "verify", "--json"])).json<{ ok: boolean; rows: number; last_hash: string }>();
  assert.equal(proof.ok, true);
  const noted = `${proof.rows}:${proof.last_hash}`;
  assert.match((await afara(["audit", "verify"])).out, new RegExp(`--noted ${noted}\n$`));
  assert.equal((await afara(["audit", "verify", "--noted", noted])).code, 0);
  assert.equal((await afara(["audit", "verify", "--noted", `${proof.rows}:${"0".repeat(64)}`])).code, 1);
  assert.equal((await afara(["audit", "verify", "--noted", "yesterday"])).code, 2);

  await db.transaction(async (tx) => {
    await tx.query("alter table audit_log disable trigger user");
    await tx.query("update audit_log set reason = 'nothing' where number = 3");
    await tx.query("alter table audit_log enable trigger user");
  });
  const broken = await afara(["audit", "verify", "--json"]);
  assert.equal(broken.code, 1);
  assert.deepEqual(broken.json(), {
    ok: false,
    rows: 2,
    broken: { number: 3, why: "its content was changed" },
  });
});

test("each command's help has examples", async () => {
  for (const [group, name] of [
    ["account", "create"],
    ["key", "create"],
    ["key", "roll"],
    ["audit", "verify"],
  ] as const) {
    const { code, out } = await afara([group, name, "--help"]);
    assert.equal(code, 0);
    assert.match(out, new RegExp(`Examples:\n +\\./afara ${group} ${name}`));
  }
});
