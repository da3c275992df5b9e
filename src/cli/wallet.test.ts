import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { ledgerFindings } from "../testing/ledger-findings.ts";
import { writeTestConfig } from "../testing/test-config.ts";

const database = await makeTestDatabase();
const data = await makeDataDir();
after(() => data.remove());
const config = await writeTestConfig(data.dir);
const afara = makeCli({
  AFARA_DATA_DIR: data.dir,
  AFARA_CONFIG: config.path,
  AFARA_SECRET: "a secret for tests alone",
  DATABASE_URL: database.url,
  USER: "ada",
});

const naira = (amount: string) => ({ amount, currency: "NGN" });
/** As `GET /wallet` says it, with nothing held. */
const walletOf = (amount: string) => ({
  object: "wallet",
  mode: "live",
  balance: naira(amount),
  held: naira("0.00"),
  available: naira(amount),
});

async function newWallet() {
  const { json } = await afara(["account", "create", "--name", "Ikoyi Foods", "--json"]);
  const account = json<{ id: string }>().id;
  const of = ["--account", account, "--mode", "live", "--json"];
  return {
    account,
    show: async () => (await afara(["wallet", "show", ...of])).json(),
    move: (kind: "credit" | "debit", amount: string, ...more: readonly string[]) =>
      afara(["wallet", kind, ...of, "--amount", amount, "--reason", "bank transfer 17", ...more]),
  };
}

test("a credit is there at once, and the audit log says who made it and why", async () => {
  const { account, show, move } = await newWallet();
  assert.deepEqual(await show(), walletOf("0.00"));
  const { code, json } = await move("credit", "200.00");
  assert.equal(code, 0);
  assert.partialDeepStrictEqual(json(), { repeated: false, amount: naira("200.00"), balance: naira("200.00") });
  assert.deepEqual(await show(), walletOf("200.00"));
  const entries = (await afara(["audit", "list", "--json"])).out;
  assert.match(entries, /"wallet.credit"/);
  assert.match(entries, /"bank transfer 17"/);
  assert.match(entries, /"ada"/);
  const people = await afara(["wallet", "show", "--account", account, "--mode", "live"]);
  assert.match(people.out, /^AVAILABLE +₦200\.00$/m);
});

test("a debit takes what is available and not a kobo more", async () => {
  const { show, move } = await newWallet();
  await move("credit", "200");
  const { code, json } = await move("debit", "200.01");
  assert.deepEqual([code, json<{ code: string }>().code], [1, "insufficient_balance"]);
  assert.equal((await move("debit", "200.00")).code, 0);
  assert.partialDeepStrictEqual(await show(), { balance: naira("0.00"), available: naira("0.00") });
});

test("the same --id moves money once, be it at once or later; another amount or direction under it is refused", async () => {
  const { show, move } = await newWallet();
  const answers = await Promise.all(Array.from({ length: 5 }, () => move("credit", "50.00", "--id", "bank-17")));
  assert.deepEqual(
    answers.map(({ code }) => code),
    [0, 0, 0, 0, 0],
  );
  const told = answers.map(({ json }) => json<{ id: string; repeated: boolean }>());
  assert.equal(told.filter(({ repeated }) => !repeated).length, 1);
  assert.equal(new Set(told.map(({ id }) => id)).size, 1, "all name the one transfer");
  for (const again of [
    await move("credit", "60.00", "--id", "bank-17"),
    await move("debit", "50.00", "--id", "bank-17"),
  ]) {
    assert.equal(again.code, 1);
    assert.partialDeepStrictEqual(again.json(), { code: "reference_already_used" });
  }
  assert.partialDeepStrictEqual(await show(), { balance: naira("50.00") });
  const other = await newWallet();
  const elsewhere = await other.move("credit", "50.00", "--id", "bank-17");
  assert.equal(elsewhere.code, 1, "one payment at the bank is one credit, whoever gets it");
  assert.match(elsewhere.out, /bank-17.* was a credit of ₦50\.00 to the live wallet of acc_/);
});

test("no money moves for an account that does not exist, for nothing, or without a reason", async () => {
  const { show, move, account } = await newWallet();
  assert.partialDeepStrictEqual((await move("credit", "0.00")).json(), { code: "validation_failed" });
  assert.equal((await move("credit", "1,000")).code, 2);
  const silent = ["wallet", "credit", "--account", account, "--mode", "live", "--amount", "1"];
  assert.equal((await afara([...silent, "--reason", " "])).code, 1);
  assert.equal((await afara(silent)).code, 2);
  const nobody = "acc_01k9z3v1h8e4rb2m6t0c5w7xyd";
  assert.equal((await afara(["wallet", "show", "--account", nobody, "--mode", "live"])).code, 1);
  assert.partialDeepStrictEqual(await show(), { balance: naira("0.00") });
});

test("after all this the ledger's proof finds nothing, and the audit log is whole", async () => {
  assert.deepEqual(await ledgerFindings(database.connection), []);
  assert.equal((await afara(["audit", "verify"])).code, 0);
});
