import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { makeTestAccount, readSecret } from "../../src/testing/account.ts";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { endWithFile } from "../../src/testing/end-with-file.ts";
import { freePort, makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/** The running program and the running simulator, both as an operator starts them. */
const MAIN = join(import.meta.dirname, "..", "..", "src", "simulators", "paystack", "main.ts");
const database = await makeTestDatabase();
const data = await makeDataDir();
const port = await freePort();

const simulator = spawn(
  process.execPath,
  [MAIN, "--port=0", `--callback=http://127.0.0.1:${port}/callbacks/paystack`, "--secret-key=sk_test_e2e"],
  { stdio: ["ignore", "pipe", "inherit"] },
);
endWithFile(simulator);
const [line] = (await once(createInterface({ input: simulator.stdout }), "line")) as [string];
const vendor = `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`;

const { path } = await writeTestConfig(data.dir, (config) => ({
  ...config,
  funding: {
    adapter: "paystack",
    settings: {
      secretKey: "sk_test_e2e",
      sandbox: true,
      customerEmail: "topups+{account}@example.ng",
      baseUrl: vendor,
    },
  },
}));
const gateway = await startGateway({
  dataDir: data.dir,
  environment: { DATABASE_URL: database.url, AFARA_CONFIG: path, AFARA_PORT: String(port) },
});
after(async () => {
  await gateway.stop();
  simulator.kill();
  await data.remove();
});

const secret = await readSecret(data.dir);
const { key } = await makeTestAccount(database.open(), { secret, plan: "free", mode: "live" });
const asLive = { "x-api-key": key };

interface Topup {
  readonly id: string;
  readonly status: string;
  readonly payment_url?: string;
  readonly bank_account?: { readonly account_number: string };
}

const untilSuccessful = (id: string) =>
  waitFor(`${id} to be successful`, async () => {
    const { body } = await gateway.call<Topup>("GET", `/wallet/topups/${id}`, undefined, asLive);
    return body.status === "successful" && body;
  });
const available = async () =>
  (await gateway.call<{ available: { amount: string } }>("GET", "/wallet", undefined, asLive)).body.available.amount;

test("a payer opens the page, presses the button, and the money is in the wallet", async () => {
  const made = await gateway.call<Topup>("POST", "/wallet/topups", { amount: "2500.00", method: "link" }, asLive);
  assert.equal(made.status, 201);
  const url = made.body.payment_url ?? "";
  assert.match(await (await fetch(url)).text(), /Pay NGN 2500\.00/);
  assert.match(await (await fetch(url, { method: "POST" })).text(), /Paid/);
  await untilSuccessful(made.body.id);
  assert.equal(await available(), "2500.00");
});

test("a bank transfer is reported five times and credited once", async () => {
  const made = await gateway.call<Topup>("POST", "/wallet/topups", { amount: 300, method: "bank_transfer" }, asLive);
  const number = made.body.bank_account?.account_number;
  const transfer = { account_number: number, amount: 30_000, times: 5 };
  const answer = await fetch(`${vendor}/control/transfer`, { method: "POST", body: JSON.stringify(transfer) });
  assert.deepEqual(((await answer.json()) as { delivered: number[] }).delivered, [200, 200, 200, 200, 200]);
  await untilSuccessful(made.body.id);
  assert.equal(await available(), "2800.00");
});

test("a test key is credited at once, with play money, and Paystack hears nothing of it", async () => {
  const calls = async () => ((await (await fetch(`${vendor}/control/calls`)).json()) as string[]).length;
  const before = await calls();
  const made = await gateway.call<Topup>("POST", "/wallet/topups", { amount: 100, method: "link" });
  assert.deepEqual([made.status, made.body.status], [201, "successful"]);
  assert.equal(await calls(), before);
});

test("the ledger holds", async () => {
  assert.deepEqual(await ledgerFindings(database.connection), []);
});
