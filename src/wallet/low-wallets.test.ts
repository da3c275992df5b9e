import assert from "node:assert/strict";
import { test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { openLedgerAccounts, postTransfer } from "../ledger/ledger.repo.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { tellLowWallets } from "./low-wallets.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

async function newAccount(thresholdKobo: bigint | null): Promise<Uuid> {
  const id = newUuid();
  await insertAccount(db, { id, name: "Low" });
  await db.query("update accounts set low_balance_kobo = $2 where id = $1", [id, thresholdKobo]);
  for (const mode of ["live", "test"] as const) await openLedgerAccounts(db, id, mode, ["wallet", "funding"]);
  return id;
}

const move = (accountId: Uuid, kind: "credit" | "debit", amount: number, mode: Mode = "live") =>
  postTransfer(db, {
    accountId,
    id: newUuid(),
    mode,
    kind,
    debit: kind === "credit" ? "funding" : "wallet",
    credit: kind === "credit" ? "wallet" : "funding",
    amountKobo: kobo(amount),
    reason: "a test",
    at: new Date(),
  });

async function told(accountId: Uuid): Promise<readonly string[]> {
  await tellLowWallets(db, new Date());
  const { rows } = await db.query<{ mode: string; sequence: number; detail: { available: string } }>(
    "select mode, sequence, detail from events where account_id = $1 and type = 'wallet.low' order by sequence, mode",
    [accountId],
  );
  return rows.map(({ mode, sequence, detail }) => `${sequence} ${mode} ${detail.available}`);
}

test("each crossing of the threshold is told once, and the next one after there was enough again", async () => {
  const accountId = await newAccount(1_000n);
  assert.deepEqual(await told(accountId), [], "a wallet that never had money is unused");
  await move(accountId, "credit", 1_500);
  assert.deepEqual(await told(accountId), []);
  await move(accountId, "debit", 501);
  assert.deepEqual(await told(accountId), ["1 live 9.99"]);
  await move(accountId, "debit", 100);
  assert.deepEqual(await told(accountId), ["1 live 9.99"]);
  await move(accountId, "credit", 101);
  assert.deepEqual(await told(accountId), ["1 live 9.99"], "exactly the threshold is enough");
  await move(accountId, "debit", 1);
  assert.deepEqual(await told(accountId), ["1 live 9.99", "2 live 9.99"]);
});

test("live and test are told apart, each numbered from 1", async () => {
  const accountId = await newAccount(1_000n);
  await move(accountId, "credit", 1, "live");
  await move(accountId, "credit", 2, "test");
  assert.deepEqual(await told(accountId), ["1 live 0.01", "1 test 0.02"]);
});

test("an account without a threshold hears nothing", async () => {
  const accountId = await newAccount(null);
  await move(accountId, "credit", 1);
  assert.deepEqual(await told(accountId), []);
});

test("many nodes that look at once tell it once", async () => {
  const accountId = await newAccount(1_000n);
  await move(accountId, "credit", 1);
  await Promise.all(Array.from({ length: 8 }, () => tellLowWallets(db, new Date())));
  assert.deepEqual(await told(accountId), ["1 live 0.01"]);
});
