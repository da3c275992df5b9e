import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { SmscClient } from "../simulators/smsc/client.ts";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir, startGateway } from "../testing/gateway.ts";
import { writeTestConfig } from "../testing/test-config.ts";
import { waitFor } from "../testing/wait-for.ts";

const database = await makeTestDatabase();
const db = database.open();
const data = await makeDataDir();
const config = await writeTestConfig(data.dir);
const smsc = new SmscClient(config.controlPort, fetch);
const gateway = await startGateway({
  dataDir: data.dir,
  environment: { DATABASE_URL: database.url, AFARA_CONFIG: config.path },
});
after(async () => {
  await gateway.stop();
  await data.remove();
});

const afara = makeCli({ AFARA_DATA_DIR: data.dir, AFARA_CONFIG: config.path, DATABASE_URL: database.url });

async function send(message: string, more: object = {}): Promise<string> {
  const { status, body } = await gateway.call<{ id: string }>("POST", "/sms/send", {
    to: "08031234567",
    message,
    ...more,
  });
  assert.equal(status, 202);
  return body.id;
}

const reaches = (id: string, wanted: string) =>
  waitFor(`${id} is ${wanted}`, async () => (await gateway.call("GET", `/sms/status/${id}`)).body.status === wanted);

/** A node reads the pauses with each heartbeat; the second after a switch is sure to have begun after it, the third to have read it. */
async function threeHeartbeats(): Promise<void> {
  for (let beat = 0; beat < 3; beat++) {
    const { rows } = await db.query<{ at: string }>("select max(heartbeat_at)::text as at from nodes");
    await waitFor("a heartbeat", async () => {
      const newer = await db.query("select 1 from nodes where heartbeat_at > $1::timestamptz", [rows[0]!.at]);
      return newer.rowCount === 1;
    });
  }
}

test("a ledger in order is proven rule by rule, with exit code 0", async () => {
  await reaches(await send("For the books"), "delivered");
  const { code, out } = await afara(["ledger", "check"]);
  assert.match(out, /✔ debits equal credits\n/);
  assert.match(out, /The ledger is in order\./);
  assert.equal(code, 0);
});

test("a ledger that is out by one kobo ends with exit code 1 and names account and rule", async (t) => {
  const change = (kobo: number) =>
    db.query(
      "update ledger_accounts set credits_posted = credits_posted + $1 where kind = 'sales:sms' and mode = 'test'",
      [kobo],
    );
  await change(1);
  t.after(() => change(-1));

  const { code, json } = await afara(["ledger", "check", "--json"]);
  const { ok, rules, findings } = json<{
    ok: boolean;
    rules: { rule: string; ok: boolean }[];
    findings: { rule: string; account: string }[];
  }>();
  assert.equal(code, 1);
  assert.equal(ok, false);
  assert.deepEqual(
    rules.filter((rule) => !rule.ok).map(({ rule }) => rule),
    ["debits equal credits", "each balance is the sum of its transfers"],
  );
  assert.match(findings[0]!.account, /^acc_/);
  assert.match((await afara(["ledger", "check"])).out, /✖ debits equal credits\n(.*\n)+acc_(.*\n)+.*not in order/);
});

test("an order shows its steps, its pieces and its money, but not what it says", async () => {
  const id = await send("Between us");
  await reaches(id, "delivered");
  const { code, json } = await afara(["orders", "show", id, "--json"]);
  const shown = json<{
    order: { id: string; state: string; uuid: string };
    timeline: { to: string }[];
    pieces: { status: string }[];
    transfers: object[];
  }>();
  assert.equal(code, 0);
  assert.equal(shown.order.id, id);
  assert.equal(shown.order.state, "delivered");
  assert.deepEqual(
    shown.timeline.map(({ to }) => to),
    ["sent", "delivered"],
  );
  assert.deepEqual(
    shown.pieces.map(({ status }) => status),
    ["delivered"],
  );
  assert.deepEqual(shown.transfers, [{ kind: "hold", state: "posted", amount: "3.20", posted: "3.20" }]);

  const people = await afara(["orders", "show", shown.order.uuid]);
  assert.match(people.out, new RegExp(`^ORDER +${id}\n`));
  assert.match(people.out, /\nRECIPIENT +\+2348031234567\nPRICE +₦3\.20\n/);
  assert.match(people.out, /sent → delivered\n +piece 1; answer stat DELIVRD, err 000; report delivered;/);
  assert.ok(
    people.out.split("\n").every((line) => line.length <= 80),
    people.out,
  );
  assert.match(people.out, /\ncharged +₦3\.20\n/);
  assert.doesNotMatch(people.out, /Between us/);
});

test("an order that is not there is exit code 1, and the id of what is no order exit code 2", async () => {
  const absent = await afara(["orders", "show", "msg_01k9z3v1h8e4rb2m6t0c5w7xyd"]);
  assert.deepEqual([absent.code, absent.out], [1, "There is no order msg_01k9z3v1h8e4rb2m6t0c5w7xyd.\n"]);
  const wrong = await afara(["orders", "show", "key_01k9z3v1h8e4rb2m6t0c5w7xyd"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /is an API key: /);
});

test("a paused provider gets no order until it is resumed, and what has waited for too long shows as stuck", async () => {
  assert.match((await afara(["providers", "pause", "smsc-simulator", "--reason", "an exercise"])).out, /is paused/);
  assert.match((await afara(["providers", "status"])).out, /smsc-simulator .* sms test +paused\n +an exercise\n/);
  await threeHeartbeats();
  const id = await send("Patience");
  const waiting = (await afara(["orders", "show", id])).out;
  assert.match(waiting, /\nWAITS +no route is connected \(smsc-simulator: paused\)\n/);
  assert.doesNotMatch(waiting, /PIECE/);
  assert.equal((await afara(["orders", "stuck"])).code, 0);

  // A node that can't hand it out gives it back for a second at a time; one that is dead leaves it due; a fault of ours forgets it.
  for (const [why, dueAt] of [
    ["waiting", "clock_timestamp() + interval '1 second'"],
    ["overdue", "clock_timestamp() - interval '10 minutes'"],
    ["forgotten", "null"],
  ] as const) {
    await db.query(
      `update orders set updated_at = clock_timestamp() - interval '10 minutes', due_at = ${dueAt},
              leased_by = null, leased_until = null where ended_at is null`,
    );
    const stuck = await afara(["orders", "stuck", "--json"]);
    assert.equal(stuck.code, 1);
    assert.deepEqual(
      stuck.json<{ orders: { id: string; why: string }[] }>().orders.map((order) => [order.id, order.why]),
      [[id, why]],
    );
    const people = (await afara(["orders", "stuck"])).out;
    assert.match(people, new RegExp(`${id} +sms:test +queued +${why}`));
    assert.deepEqual(
      people.match(/^(overdue|waiting|forgotten)(?=: )/gm),
      [why],
      "the word is explained, and no other",
    );
  }
  await db.query("update orders set due_at = clock_timestamp() where ended_at is null");

  const resumed = await afara(["providers", "resume", "smsc-simulator", "--json"]);
  assert.deepEqual(resumed.json(), { name: "smsc-simulator", state: "active", was_paused: true });
  await reaches(id, "delivered");
  assert.equal((await afara(["orders", "stuck"])).code, 0);
});

test("a message that sleeps until its time is not stuck, and tells when it leaves", async (t) => {
  const id = await send("In the morning", { send_at: new Date(Date.now() + 86_400_000).toISOString() });
  t.after(() => gateway.call("POST", `/sms/cancel/${id}`));
  // One that waits for the end of quiet hours has no time of its own; it has slept for long, and is near or far.
  for (const [column, seconds] of [
    ["later_at", 36_000],
    ["due_at", 1],
  ] as const) {
    await db.query(
      `update orders set send_at = null, updated_at = clock_timestamp() - interval '10 hours', due_at = null, later_at = null
        where ended_at is null`,
    );
    await db.query(
      `update orders set ${column} = date_trunc('second', clock_timestamp()) + make_interval(secs => $1), priority = 9,
              leased_by = gen_random_uuid(), leased_until = clock_timestamp() + interval '1 minute'
        where ended_at is null`,
      [seconds],
    );
    assert.equal((await afara(["orders", "stuck"])).out, "No order is stuck.\n");
    assert.match((await afara(["orders", "show", id])).out, /LEAVES AT +20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z/);
  }
  await db.query(
    "update orders set due_at = null, later_at = clock_timestamp() - interval '10 minutes' where ended_at is null",
  );
  assert.match((await afara(["orders", "stuck"])).out, new RegExp(`${id} +sms:test +scheduled +overdue`));
  await db.query(
    "update orders set leased_by = null, leased_until = null, later_at = now() + interval '1 day' where ended_at is null",
  );
});

test("a vendor that refuses every bind is shown with its reason and since when, by status and doctor", async (t) => {
  const connected = async (wanted: number) =>
    waitFor(`exit code ${wanted}`, async () => (await afara(["providers", "status"])).code === wanted);
  await connected(0);
  assert.match((await afara(["providers", "status"])).out, /sms test +active\n +ready on 1 of 1 nodes$/m);

  t.after(() => smsc.setFaults({ bindsRefused: false }));
  await smsc.setFaults({ bindsRefused: true });
  await smsc.hangUp();
  const refused = /not connected since 20[\d-]+T[\d:.]+Z: bind refused: RBINDFAIL/;
  await waitFor("the refusal", async () => refused.test((await afara(["providers", "status"])).out));
  const { code, json } = await afara(["providers", "status", "--json"]);
  const [node] = json<{ providers: { nodes: { ready: boolean }[] }[] }>().providers[0]!.nodes;
  assert.deepEqual([code, node?.ready], [1, false]);
  const doctor = await afara(["doctor"]);
  assert.match(doctor.out, new RegExp(`✖ connections +smsc-simulator: ${refused.source}`));
  assert.equal(doctor.code, 1);

  await afara(["providers", "pause", "smsc-simulator", "--reason", "until it is mended"]);
  assert.equal((await afara(["doctor"])).code, 0, "what is paused is not expected to be connected");
  await afara(["providers", "resume", "smsc-simulator"]);
  await smsc.setFaults({ bindsRefused: false });
  await connected(0);
});

test("a provider that the configuration does not have can't be paused", async () => {
  const { code, err } = await afara(["providers", "pause", "smsc", "--reason", "a slip"]);
  assert.equal(code, 2);
  assert.match(err, /no vendor "smsc"; configured: smsc-simulator/);
});

test("a pause without a reason is refused", async () => {
  const { code, err } = await afara(["providers", "pause", "smsc-simulator"]);
  assert.equal(code, 2);
  assert.match(err, /--reason/);
});

test("the doctor of a sound gateway finds no fault", async () => {
  const { code, json } = await afara(["doctor", "--json"]);
  const { checks } = json<{ checks: { check: string; level: string; detail: string }[] }>();
  assert.deepEqual(
    checks.map(({ check, level }) => `${check}: ${level}`),
    [
      "configuration: ok",
      "vendors: note",
      "database: ok",
      "migrations: ok",
      "clock: ok",
      "partitions: ok",
      "nodes: ok",
      "pauses: ok",
      "plans: ok",
      "services: ok",
      "connections: ok",
      "secret: ok",
    ],
  );
  assert.equal(code, 0);
});

test("the doctor names every fault at once, those of the configuration and that of the database", async () => {
  const { code, out } = await afara(["doctor"], {
    AFARA_PORT: "eighty",
    AFARA_ROLE: "boss",
    DATABASE_URL: "postgres://nobody@127.0.0.1:9/none",
  });
  assert.equal(code, 1);
  assert.match(out, /✖ configuration +AFARA_PORT: .*\n +AFARA_ROLE: .*\n/);
  assert.match(out, /✖ database .*ECONNREFUSED/);
});

test("the doctor says what is running, and which variable is most likely misspelt", async () => {
  const { code, out } = await afara(["doctor"], { AFARA_PROT: "3", AFARA_ELSEWHERE: "x" });
  assert.match(out, /✔ nodes +1 running: accepts requests and sends since 20/);
  assert.match(
    out,
    /• environment +AFARA_PROT: Afara itself reads no variable of this name; did you mean AFARA_PORT\?\n +AFARA_ELSEWHERE: .* name\n/,
  );
  assert.equal(code, 0);
});

test("the doctor says when this machine has another secret than the database", async () => {
  const { code, out } = await afara(["doctor"], { AFARA_SECRET: "another one" });
  assert.match(out, /✖ secret +AFARA_SECRET: the API keys in this database were made with another secret/);
  assert.equal(code, 1);
});

test("migrate brings an empty database to where the gateway wants it, and then has nothing to do", async (t) => {
  const name = `${database.connection.database}_empty`;
  await db.query(`create database ${name}`);
  t.after(() => db.query(`drop database ${name}`));
  const environment = { DATABASE_URL: database.url.replace(`/${database.connection.database}?`, `/${name}?`) };

  assert.match((await afara(["doctor"], environment)).out, /✖ migrations +\d+ of \d+ are not applied/);
  assert.match((await afara(["migrate"], environment)).out, /Applied:\n {2}0001 partitions\n/);
  assert.equal((await afara(["migrate"], environment)).out, "Nothing to apply.\n");
  const fresh = (await afara(["doctor"], environment)).out;
  assert.match(fresh, /✔ migrations/);
  assert.match(fresh, /• connections +no node that dispatches is running/);
  assert.match((await afara(["providers", "status"], environment)).out, /active\n +no node is running$/m);
});

test("a command says what is wrong with the configuration in the words of a start and of the doctor, and what is most likely a slip", async () => {
  const wrong = { AFARA_PORT: "eighty", AFARA_LOG_LEVEL: "wran", AFARA_DATA_DRI: "/x" };
  const { code, out, err } = await afara(["account", "list"], wrong);
  assert.deepEqual([code, out], [2, ""]);
  const [warning, headline, ...faults] = err.trimEnd().split("\n");
  assert.equal(
    warning,
    "Warning: AFARA_DATA_DRI: Afara itself reads no variable of this name; did you mean AFARA_DATA_DIR?",
  );
  assert.equal(headline, "The configuration has faults:");
  assert.deepEqual(faults, [
    '  - AFARA_PORT: "eighty" is not a port (0 to 65535)',
    '  - AFARA_LOG_LEVEL: "wran" is not one of debug, info, warn, error, silent. Did you mean "warn"?',
  ]);
  const told = (await afara(["doctor"], wrong)).out;
  for (const fault of faults) assert.ok(told.includes(fault.slice("  - ".length)), told);
});

test("without a database every command says which one it looked for, with exit code 2 and no stack", async () => {
  const { code, out, err } = await afara(["ledger", "check"], { DATABASE_URL: "" });
  assert.deepEqual([code, out], [2, ""]);
  // In the words of a start: this data directory was used with a database.
  assert.match(err, /^The data directory .* was used before, and its database is missing: .*name it with DATABASE_URL/);
  const { out: found } = await afara(["doctor"], { DATABASE_URL: "" });
  assert.ok(found.includes(err.trimEnd()), found);
  const { out: place } = await afara(["where"], { DATABASE_URL: "" });
  assert.match(place, /\(embedded, is missing\)/);
  assert.ok(place.includes(err.trimEnd()), place);
  const unused = await afara(["ledger", "check"], { DATABASE_URL: "", AFARA_DATA_DIR: join(data.dir, "unused") });
  assert.match(unused.err, /^No database runs for the data directory .* Start the gateway, or set AFARA_DATA_DIR/);
  assert.doesNotMatch(err, /\n +at /);
});

test("with --json the reason of exit code 2 is on standard output as well, for programs", async () => {
  const away = await afara(["ledger", "check", "--json"], { DATABASE_URL: "" });
  assert.equal(away.code, 2);
  assert.partialDeepStrictEqual(away.json(), { ok: false, code: "cannot_run" });
  assert.equal(away.json<{ detail: string }>().detail, away.err.trimEnd());
  const slip = await afara(["wallet", "show", "--mode", "love", "--json"]);
  assert.match(slip.json<{ detail: string }>().detail, /^option '--mode <mode>' argument 'love' is invalid\./);
  assert.match(slip.err, /\(\.\/afara wallet show --help has details\)/);
});

test("help shows examples and the exit codes", async () => {
  const { code, out } = await afara(["--help"]);
  assert.equal(code, 0);
  assert.match(out, /\.\/afara ledger check --json/);
  assert.match(out, /Exit codes: 0/);
});
