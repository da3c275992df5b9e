import assert from "node:assert/strict";
import { after, test } from "node:test";
import { encodeId } from "../kernel/ids.ts";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeFundingRig } from "../testing/funding-rig.ts";
import { makeDataDir } from "../testing/gateway.ts";
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
const rig = await makeFundingRig(database.open());

test("a payment of nobody we know is shown until the operator closes it, and no later report opens it again", async () => {
  assert.equal((await afara(["topups", "kept"])).code, 0);
  const { bank } = rig.simulator;
  const made = bank.transfer(bank.customer("stranger@example.ng"), 50_000, "NGN");
  await rig.simulator.report(made);
  await rig.verifier.runOnce();

  const kept = await afara(["topups", "kept", "--json"]);
  assert.equal(kept.code, 1);
  assert.partialDeepStrictEqual(kept.json(), { payments: [{ reference: made.reference, paid: "500.00" }] });
  assert.match((await afara(["topups", "kept"])).out, new RegExp(`^${made.reference} +paystack +₦500\\.00 `, "m"));

  const close = ["topups", "close", made.reference, "--reason", "given back"];
  assert.equal((await afara(close)).code, 0);
  assert.equal((await afara(close)).code, 1, "there is nothing left to close");
  const { out } = await afara(["audit", "list", "--subject", made.reference]);
  assert.match(out, /ada +wallet\.payment_closed\n +T\d+\n +given back/);

  await rig.simulator.report(made, { times: 3 });
  await rig.verifier.runOnce();
  assert.equal((await afara(["topups", "kept"])).code, 0);
});

test("a payment that no wallet may hold is shown with how much of which currency came, and whose number was paid", async () => {
  const link = await rig.topUp("800.00");
  assert.ok(link.payment_url);
  const announced = await rig.topUp("500.00", "bank_transfer");
  const { account_number, account_name } = announced.bank_account!;
  assert.equal(account_name, "AFARA / EXAMPLE LTD", "the name came after the customer, whom a payment page had made");
  const { reference } = await rig.control("/transfer", { account_number, amount: 123_456, currency: "USD" });
  await rig.verifier.runOnce();

  const account = encodeId("acc", rig.accountId);
  const { payments } = (await afara(["topups", "kept", "--json"])).json<{ payments: object[] }>();
  assert.partialDeepStrictEqual(payments, [{ reference, account, paid: null, why: "paid 1234.56 USD, not in naira" }]);
  assert.match(
    (await afara(["topups", "kept"])).out,
    new RegExp(`\n +paid 1234\\.56 USD, not in naira\n +of account ${account}\n`),
  );
  const { out } = await afara(["audit", "list", "--subject", reference!, "--json"]);
  assert.match(out, new RegExp(account));
  await afara(["topups", "close", reference!, "--reason", "given back"]);
});
