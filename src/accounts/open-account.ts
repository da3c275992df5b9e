import type { ConfigFile } from "../config/operator-file.ts";
import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { parseKobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { openLedgerAccounts, postTransfer } from "../ledger/ledger.repo.ts";
import { insertAccount } from "./accounts.repo.ts";

const MODES: readonly Mode[] = ["live", "test"];

/**
 * Opens an account in live and test mode: the ledger accounts of both, and play money in test mode, once per account. Safe to
 * repeat, which adds the ledger accounts of newly configured services.
 */
export async function openAccount(
  db: Db,
  config: Pick<ConfigFile, "services" | "playMoney">,
  { id, name, at }: { readonly id: Uuid; readonly name: string; readonly at: Date },
): Promise<void> {
  await insertAccount(db, { id, name });
  const sales = Object.keys(config.services).map((service) => `sales:${service}`);
  for (const mode of MODES) await openLedgerAccounts(db, id, mode, ["wallet", "funding", "refunds", "loss", ...sales]);
  await postTransfer(db, {
    accountId: id,
    id, // once per account
    mode: "test",
    kind: "credit",
    debit: "funding",
    credit: "wallet",
    amountKobo: parseKobo(config.playMoney),
    reason: "play money",
    at,
  });
}
