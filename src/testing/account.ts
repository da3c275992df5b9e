import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { hashApiKey, keyEnds, makeApiKey } from "../accounts/api-key.ts";
import { insertKey } from "../accounts/keys.repo.ts";
import { SCOPES, type Scope } from "../accounts/scopes.ts";
import { subscribe, waiveFees } from "../accounts/subscriptions.repo.ts";
import type { Db } from "../db/database.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { parseKobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { openLedgerAccounts, postTransfer } from "../ledger/ledger.repo.ts";

export interface TestAccount {
  readonly accountId: Uuid;
  /** The key in full, as it goes into `X-API-Key`. */
  readonly key: string;
}

export interface TestAccountOptions {
  /** The gateway's secret, which is the pepper of its keys: `readSecret`. */
  readonly secret: string;
  /** Of SMS. */
  readonly plan: string;
  /** Further services by name, each with a plan of it: `{ airtime: "scale" }`. */
  readonly also?: Readonly<Record<string, string>>;
  /** What the wallet starts with, in naira, e.g. "160.00"; "0.00" unless told. */
  readonly balance?: string;
  readonly mode?: Mode;
}

/** An account of its own on a running gateway's database, subscribed to SMS and others without a fee, with a key and money. */
export async function makeTestAccount(db: Db, options: TestAccountOptions): Promise<TestAccount> {
  const { secret, plan, also = {}, balance = "0.00", mode = "test" } = options;
  const services = { sms: plan, ...also };
  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: `Test ${accountId}` });
  const sales = Object.keys(services).map((service) => `sales:${service}`);
  await openLedgerAccounts(db, accountId, mode, ["wallet", "funding", "refunds", "loss", ...sales]);
  await waiveFees(db, accountId);
  for (const [service, chosen] of Object.entries(services)) await subscribe(db, accountId, service, chosen, new Date());
  const amountKobo = parseKobo(balance);
  if (amountKobo > 0n)
    await postTransfer(db, {
      accountId,
      id: newUuid(),
      mode,
      kind: "credit",
      debit: "funding",
      credit: "wallet",
      amountKobo,
      reason: "what the test begins with",
      at: new Date(),
    });
  return { accountId, key: await makeTestKey(db, { secret, accountId, mode }) };
}

/** A further key of an account, with every scope unless told. */
export async function makeTestKey(
  db: Db,
  {
    secret,
    accountId,
    mode,
    scopes = SCOPES,
    services,
  }: {
    readonly secret: string;
    readonly accountId: Uuid;
    readonly mode: Mode;
    readonly scopes?: readonly Scope[];
    readonly services?: readonly string[];
  },
): Promise<string> {
  const key = makeApiKey(mode, randomBytes);
  await insertKey(db, {
    id: newUuid(),
    accountId,
    mode,
    hash: hashApiKey(secret, key),
    ...keyEnds(key),
    scopes,
    ...(services && { services }),
  });
  return key;
}

/** The secret that a gateway in local mode made for itself. */
export const readSecret = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, "secret"), "utf8")).trim();
