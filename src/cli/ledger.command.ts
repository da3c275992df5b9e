import { HOLD_RULES } from "../app/services.ts";
import type { Database } from "../db/database.ts";
import { encodeId } from "../kernel/ids.ts";
import { proveLedger } from "../ledger/ledger.repo.ts";
import { type Report, tableText } from "./report.ts";

/** Proves the ledger in one snapshot, without stopping orders. */
export async function ledgerCheck(db: Database): Promise<Report> {
  const { rules, findings } = await db.snapshot((look) => proveLedger(look, HOLD_RULES));
  const ok = findings.length === 0;
  const shown = findings.map(({ rule, accountId, detail }) => ({ rule, account: encodeId("acc", accountId), detail }));
  const lines = rules.map((rule) => `${rule.ok ? "✔" : "✖"} ${rule.rule}`);
  const found = shown.map(({ rule, account, detail }) => [account, rule, detail]);
  const end = ok
    ? "The ledger is in order."
    : `${tableText(["ACCOUNT", "RULE", "FOUND"], found)}\n\nThe ledger is not in order: leave the database unchanged and examine these accounts' transfers.`;
  return { ok, json: { ok, rules, findings: shown }, text: `${lines.join("\n")}\n\n${end}` };
}
