import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { startSmsc } from "../../src/simulators/smsc/spawn.ts";
import { makeTestAccount } from "../../src/testing/account.ts";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { type Gateway, startGateway } from "../../src/testing/gateway.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";

/** A caller who plays two gateways of one database off against each other, to be served twice or to pay once. */

const SECRET = "a secret that both gateways of the test share";

const dir = await mkdtemp(join(tmpdir(), "afara-two-"));
const smsc = await startSmsc({ dataDir: join(dir, "smsc") });
const { smppPort, controlPort } = smsc;
const database = await makeTestDatabase();
const db = database.open();
const config = await writeTestConfig(dir, (file) => ({
  ...file,
  simulators: { smsc: { start: false, smppPort, controlPort }, vendors: { start: false } },
}));
const start = (name: string) =>
  startGateway({
    dataDir: join(dir, name),
    environment: { DATABASE_URL: database.url, AFARA_CONFIG: config.path, AFARA_SECRET: SECRET },
  });
const first = await start("first");
const second = await start("second");

after(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await smsc.stop();
  await rm(dir, { recursive: true, force: true });
});

const keyWith = async (balance: string): Promise<{ "x-api-key": string }> => ({
  "x-api-key": (await makeTestAccount(db, { secret: SECRET, plan: "scale", balance })).key,
});

/** The calls at once, every other one to the other gateway. */
const atOnce = <Body>(count: number, call: (gateway: Gateway, index: number) => Promise<Body>): Promise<Body[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index % 2 === 0 ? first : second, index)));

interface Message {
  readonly id: string;
}

test("one key sent to both gateways at once makes one message, time after time", async () => {
  const auth = await keyWith("160.00");
  for (let round = 0; round < 25; round++) {
    const headers = { ...auth, "idempotency-key": `round ${round}` };
    const body = { to: "08031234567", message: "once" };
    const answers = await atOnce(6, (gateway) => gateway.call<Message>("POST", "/sms/send", body, headers));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
    assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
    assert.equal(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1);
  }
});

test("a wallet that pays for ten messages pays for ten on both gateways together, singles and bulks mixed", async () => {
  const headers = await keyWith("32.00"); // 3.20 each on the plan
  const answers = await atOnce(24, (gateway, index) =>
    index % 3 === 0
      ? gateway.call<{ accepted?: number }>(
          "POST",
          "/sms/bulk",
          { to: ["08031234567", "08031234568", "08031234569"], message: "bulk" },
          headers,
        )
      : gateway.call<{ accepted?: number }>("POST", "/sms/send", { to: "08031234567", message: "single" }, headers),
  );
  const accepted = answers.reduce((sum, { status, body }) => sum + (status === 202 ? (body.accepted ?? 1) : 0), 0);
  assert.ok(accepted >= 8 && accepted <= 10, `${accepted} were accepted`); // a bulk of three may not fit in what is left
  assert.ok(answers.every(({ status }) => status === 202 || status === 402));
  const { body } = await first.call<{ available: { amount: string } }>("GET", "/wallet", undefined, headers);
  assert.equal(parseKobo(body.available.amount), parseKobo("32.00") - parseKobo("3.20") * BigInt(accepted));
});

test("of a bulk that both gateways cancel at once, each message is returned once", async () => {
  const headers = await keyWith("1600.00");
  const to = Array.from({ length: 500 }, (_, index) => `0803${1_000_000 + index}`);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await first.call<Message>("POST", "/sms/bulk", { to, message: "later", send_at: sendAt }, headers);
  const answers = await atOnce(4, (gateway) =>
    gateway.call<{ cancelled: number }>("POST", `/sms/bulk/${body.id}/cancel`, {}, headers),
  );
  assert.equal(
    answers.reduce((sum, answer) => sum + answer.body.cancelled, 0),
    to.length,
  );
  const wallet = await first.call<Record<"balance" | "held", { amount: string }>>("GET", "/wallet", undefined, headers);
  assert.equal(wallet.body.balance.amount, "1600.00");
  assert.equal(wallet.body.held.amount, "0.00");
});

test("after all this the ledger's proof finds nothing", async () => {
  assert.deepEqual(await ledgerFindings(database.connection), []);
});
