import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readAudit } from "../../src/accounts/audit.repo.ts";
import { runCli } from "../../src/cli/program.ts";
import { encodeId, newUuid } from "../../src/kernel/ids.ts";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { openLedgerAccounts, postTransfer } from "../../src/ledger/ledger.repo.ts";
import { makeTestKey } from "../../src/testing/account.ts";
import type { Answer } from "../../src/testing/gateway.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { assertProblem, type Bulk, type Problem, phone, type Subscriber, startRig } from "./rig.ts";

/** The simulator plays a real vendor here: the configuration does not call it one. */
const rig = await startRig((config) => ({
  ...config,
  services: { ...config.services, sms: { ...config.services.sms!, approvedSenders: ["OpenToAll"] } },
  providers: {
    ...config.providers,
    carrier: {
      adapter: "smpp",
      settings: {
        ...config.providers["smsc-simulator"]!.settings,
        systemId: "carrier", // receipts go to whoever has the name
        host: "127.0.0.1",
        port: config.simulators!.smsc!.smppPort!,
      },
    },
  },
  routes: [...config.routes, { provider: "carrier", service: "sms", modes: ["live"], window: 10, ratePerSecond: 100 }],
}));

const MTN = phone(1);
const AIRTEL = "+2348021000001";

interface Sender {
  readonly sender: string;
  readonly class: string;
  readonly networks: Readonly<Record<string, string>>;
  readonly evidence?: string;
  readonly reasons?: Readonly<Record<string, string>>;
}
interface Senders {
  readonly data: readonly Sender[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

async function afara(...args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const take = (line: string) => {
    text += line;
  };
  const code = await runCli(
    args,
    {
      environment: { ...rig.environment, USER: "ada" },
      root: join(import.meta.dirname, "..", ".."),
      clock: { now: () => new Date(), monotonicMs: () => performance.now() },
      readInput: async () => "",
    },
    { print: take, complain: take },
  );
  return { code, text };
}

const on = (approval: string) => ({ mtn: approval, airtel: approval, glo: approval, "9mobile": approval });

/** An account with a live key and money, and a test key. */
async function customer() {
  const live = await rig.subscriber({ mode: "live" });
  await openLedgerAccounts(rig.db, live.accountId, "test", ["wallet", "funding", "refunds", "loss", "sales:sms"]);
  await postTransfer(rig.db, {
    accountId: live.accountId,
    id: newUuid(),
    mode: "test",
    kind: "credit",
    debit: "funding",
    credit: "wallet",
    amountKobo: parseKobo("100.00"),
    reason: "what the test begins with",
    at: new Date(),
  });
  const key = await makeTestKey(rig.db, { secret: rig.secret, accountId: live.accountId, mode: "test" });
  return { live, test: rig.as(key), account: encodeId("acc", live.accountId) };
}

const register = (who: Subscriber, body: object): Promise<Answer<Sender>> => who.post<Sender>("/sms/senders", body);

async function refusedFor(who: Subscriber, body: object): Promise<string> {
  const problem = await who.refused({ message: "Hello", ...body });
  assert.deepEqual([problem.status, problem.code], [422, "sender_not_approved"]);
  assert.equal(problem.errors?.[0]?.pointer, "/from");
  return problem.detail;
}

test("a live sender is refused until the operator approves it, and is then on the wire", async () => {
  const { live, account } = await customer();
  assert.match(await refusedFor(live, { to: MTN, from: "Acme" }), /Register it with POST \/sms\/senders/);

  const made = await register(live, { sender: "Acme", class: "transactional", evidence: "RC 1234567" });
  assert.equal(made.status, 201);
  assert.deepEqual(
    [made.body.sender, made.body.class, made.body.networks, made.body.evidence],
    ["Acme", "transactional", on("pending"), "RC 1234567"],
  );
  assert.match(await refusedFor(live, { to: MTN, from: "Acme" }), /not approved on MTN yet/);

  const approved = await afara(
    "senders",
    "approve",
    "--account",
    account,
    "--sender",
    "ACME",
    "--network",
    "mtn",
    "--json",
  );
  assert.equal(approved.code, 0, approved.text);
  assert.deepEqual((JSON.parse(approved.text) as Sender).networks, { ...on("pending"), mtn: "approved" });

  const message = await waitFor("the approval counts", async () => {
    const { status, body } = await live.post<{ id: string }>("/sms/send", { to: MTN, from: "acme", message: "Hello" });
    return status === 202 ? body : undefined;
  });
  await live.reached(message.id, "delivered");
  assert.deepEqual(
    (await rig.submits([message.id])).map(({ source }) => source),
    ["acme"],
  );
  assert.match(await refusedFor(live, { to: AIRTEL, from: "Acme" }), /not approved on Airtel yet/);
});

test("a bulk under a sender that one network has not approved rejects that network's recipients alone", async () => {
  const { live, account } = await customer();
  await register(live, { sender: "Shop", class: "both" });
  await afara("senders", "approve", "--account", account, "--sender", "Shop", "--network", "mtn");
  const { status, body } = await live.post<Bulk>("/sms/bulk", { to: [MTN, AIRTEL], from: "Shop", message: "Hello" });
  assert.equal(status, 202, JSON.stringify(body));
  assert.deepEqual(
    [body.accepted, body.rejected.map(({ index, code }) => [index, code])],
    [1, [[1, "sender_not_approved"]]],
  );
  const whole = await live.post<Problem>("/sms/bulk", { to: [MTN, AIRTEL], from: "Nobody", message: "Hello" });
  assertProblem(whole);
  assert.deepEqual([whole.status, whole.body.code], [422, "sender_not_approved"]);
});

test("the configuration's senders are everybody's, whatever the case; a class keeps to its kind of message", async () => {
  const { live, account } = await customer();
  for (const from of [undefined, "AFARA", "opentoall"])
    await live.send({ to: MTN, message: "Hello", ...(from && { from }) });
  await register(live, { sender: "Alerts", class: "transactional" });
  await afara("senders", "approve", "--account", account, "--sender", "Alerts", "--network", "all");
  assert.match(await refusedFor(live, { to: MTN, from: "Alerts", route: "promotional" }), /for transactional messages/);
  await live.send({ to: MTN, from: "Alerts", message: "Hello" });
});

test("what the operator refuses says so, and registering it again asks anew", async () => {
  const { live, account } = await customer();
  await register(live, { sender: "Bank", class: "transactional" });
  const refused = await afara("senders", "refuse", "--account", account, "--sender", "Bank", "--network", "all");
  assert.equal(refused.code, 0, refused.text);
  assert.match(await refusedFor(live, { to: MTN, from: "Bank" }), /was refused on MTN.*better evidence/);
  const again = await register(live, { sender: "BANK", class: "transactional", evidence: "CBN licence" });
  assert.deepEqual([again.status, again.body.networks], [200, on("pending")]);
  await afara("senders", "approve", "--account", account, "--sender", "Bank", "--network", "all");
  const other = await register(live, { sender: "Bank", class: "both" });
  assert.deepEqual(other.body.networks, on("pending"), "another class is another question");
});

test("a refused sender shows its reason to who asked: in the list, when it is registered, and in what it refuses", async () => {
  const { live, test: play, account } = await customer();
  await register(live, { sender: "Kuda Pay", class: "both" });
  const decide = (verb: string, network: string, ...reason: string[]) =>
    afara("senders", verb, "--account", account, "--sender", "Kuda Pay", "--network", network, ...reason);
  await decide("approve", "airtel", "--reason", "Airtel ticket 9");
  const refused = await decide("refuse", "mtn", "--reason", "The name is a bank's.\n Send its letter.");
  assert.match(refused.text, /mtn refused \(The name is a bank's\. Send its letter\.\)/);
  await decide("refuse", "glo");

  const reasons = async (who: Subscriber) => (await who.get<Senders>("/sms/senders")).body.data[0]?.reasons;
  assert.deepEqual(await reasons(live), { mtn: "The name is a bank's. Send its letter." });
  assert.equal(await reasons(play), undefined);
  assert.match(
    await refusedFor(live, { to: MTN, from: "kuda pay" }),
    /was refused on MTN: The name is a bank's\. Send its letter\. Register it again with better evidence/,
  );
  const bulk = await live.post<Bulk>("/sms/bulk", { to: [MTN, AIRTEL], from: "Kuda Pay", message: "Hello" });
  assert.match(bulk.body.rejected[0]?.detail ?? "", /The name is a bank's/);
  assert.match((await afara("senders", "list", "--account", account)).text, /mtn refused \(The name/);

  await decide("approve", "mtn", "--reason", "the letter came");
  assert.equal(await reasons(live), undefined, "what is approved needs no reason, and its own is the operator's");
  await decide("refuse", "all", "--reason", "taken back");
  assert.deepEqual(await reasons(live), on("taken back"));
  const again = await register(live, { sender: "Kuda Pay", class: "both", evidence: "letter" });
  assert.deepEqual([again.status, again.body.networks, again.body.reasons], [200, on("pending"), undefined]);
  const long = await decide("refuse", "mtn", "--reason", "x".repeat(301));
  assert.deepEqual([long.code, /the maximum is 300/.test(long.text)], [2, true]);
});

test("two accounts have the same sender only when the operator approves both, who is told", async () => {
  const [first, second] = [await customer(), await customer()];
  for (const { live } of [first, second]) await register(live, { sender: "Twin", class: "both" });
  await afara("senders", "approve", "--account", first.account, "--sender", "Twin", "--network", "all");
  await first.live.send({ to: MTN, from: "Twin", message: "Hello" });
  assert.match(await refusedFor(second.live, { to: MTN, from: "Twin" }), /not approved on MTN yet/);
  const told = await afara("senders", "approve", "--account", second.account, "--sender", "twin", "--network", "glo");
  assert.match(told.text, new RegExp(`Also approved for ${first.account}`));
});

test("in test mode any valid sender passes, and what is registered stays out of live mode", async () => {
  const { live, test: play } = await customer();
  await play.send({ to: MTN, from: "Whatever", message: "Hello" });
  const made = await register(play, { sender: "Whatever", class: "both" });
  assert.deepEqual([made.status, made.body.networks], [201, on("approved")]);
  await refusedFor(live, { to: MTN, from: "Whatever" });
  const { body } = await live.get<Senders>("/sms/senders");
  assert.deepEqual(body.data, []);
});

test("the list goes page by page, newest first; a name of the wrong form is refused with its place", async () => {
  const { live } = await customer();
  for (const sender of ["One 1", "Two 2", "Three 3"]) await register(live, { sender, class: "both" });
  const { body: page } = await live.get<Senders>("/sms/senders?limit=2");
  assert.deepEqual([page.data.map(({ sender }) => sender), page.has_more], [["Three 3", "Two 2"], true]);
  const { body: rest } = await live.get<Senders>(`/sms/senders?limit=2&after=${page.next_cursor}`);
  assert.deepEqual([rest.data.map(({ sender }) => sender), rest.has_more], [["One 1"], false]);
  const refused = await live.post<Problem>("/sms/senders", { sender: "A", class: "both" });
  assertProblem(refused);
  assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [400, "/sender"]);
});

test("every request and decision is in the audit log, with who and why", async () => {
  const { live, account } = await customer();
  await register(live, { sender: "Audit", class: "both" });
  const args = ["--account", account, "--sender", "Audit", "--network", "mtn", "--reason", "letter of the company"];
  await afara("senders", "approve", ...args);
  const rows = await readAudit(rig.db, { subject: account, limit: 10 });
  assert.deepEqual(
    rows.map(({ action, actor, reason }) => [action, actor.kind, reason]),
    [
      ["sender.approve", "operator", "letter of the company"],
      ["sender.request", "key", null],
    ],
  );
  assert.deepEqual(rows[0]?.details, { sender: "Audit", class: "both", networks: ["mtn"] });
});

test("the command line says what it can't do: unknown senders, networks and accounts", async () => {
  const { account } = await customer();
  const decide = (...more: string[]) => afara("senders", "approve", "--account", account, ...more);
  assert.deepEqual(
    [
      (await decide("--sender", "Nobody", "--network", "all")).code,
      (await decide("--sender", "Nobody", "--network", "vodafone")).code,
      (await afara("senders", "list", "--account", "nobody")).code,
    ],
    [1, 2, 2],
  );
  const listed = await afara("senders", "list");
  assert.match(listed.text, /ACCOUNT +SENDER +CLASS/);
});

test("a number is one account's until it is released", async () => {
  const [first, second] = [await customer(), await customer()];
  const assign = (account: string) =>
    afara("numbers", "assign", "--account", account, "--number", "32811", "--mode", "test");
  assert.equal((await assign(first.account)).code, 0);
  assert.equal((await assign(first.account)).code, 0, "a repeat does no harm");
  const taken = await assign(second.account);
  assert.deepEqual([taken.code, taken.text.includes("numbers release --number 32811 --mode test")], [1, true]);
  const write = (who: Subscriber) =>
    who.post<{ to: string }>(`/test/handsets/${encodeURIComponent(phone(9))}/messages`, {
      channel: "sms",
      message: "Hi",
    });
  assert.equal((await write(first.test)).body.to, "32811");
  await rig.smsc.write(phone(9).slice(1), { to: "08011112222", message: "STOP", systemId: "carrier" });
  const unowned = await waitFor("the message is kept", async () => {
    const all: { number: string; mode: string; messages: number }[] = JSON.parse(
      (await afara("numbers", "list", "--json")).text,
    ).unowned;
    return all.find(({ number }) => number === "2348011112222");
  });
  assert.deepEqual([unowned.mode, unowned.messages], ["live", 1]);
  const listed = await afara("numbers", "list", "--account", first.account, "--json");
  assert.deepEqual(JSON.parse(listed.text), { numbers: [{ number: "32811", mode: "test", account: first.account }] });
  assert.equal((await afara("numbers", "release", "--number", "32811", "--mode", "test")).code, 0);
  assert.equal((await afara("numbers", "release", "--number", "32811", "--mode", "test")).code, 1);
  assert.equal((await assign(second.account)).code, 0);
  assert.equal(
    (await afara("numbers", "assign", "--account", first.account, "--number", "Acme", "--mode", "test")).code,
    2,
  );
  const nobody = encodeId("acc", "01900000-0000-7000-8000-000000000000" as typeof first.live.accountId);
  assert.equal((await afara("numbers", "assign", "--account", nobody, "--number", "40404", "--mode", "live")).code, 2);
  const actions = (await readAudit(rig.db, { subject: first.account, limit: 10 })).map(({ action }) => action);
  assert.deepEqual(actions, ["number.release", "number.assign"]);
});

rig.provesItsLedger();
