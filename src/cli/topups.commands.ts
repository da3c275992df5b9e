import { audit } from "../accounts/audit.repo.ts";
import type { Database, Db } from "../db/database.ts";
import { closeKept, keptPayments } from "../funding/payments.repo.ts";
import { encodeId } from "../kernel/ids.ts";
import { koboForPeople, koboToNaira } from "../kernel/kobo.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Cli, JsonOption, Session } from "./cli.ts";
import { type Report, refusedReport, tableWithNotes, timeText } from "./report.ts";

interface CloseOptions extends JsonOption {
  readonly reason: string;
}

export function topupsCommands({ group, command, onDatabase }: Cli): void {
  const topups = group("topups", "payments that no rule could credit: kept, close");
  command(topups, "kept", "payments that wait for you; exit code 1 while there are any", [
    "./afara topups kept",
    "./afara topups kept --json",
  ]).action((options: JsonOption) => onDatabase(options, ({ db }) => topupsKept(db)));
  command(topups, "close <reference>", "you have credited it by hand, or given it back", [
    './afara topups close T1001 --reason "credited to acc_01k9z3v1h8e4rb2m6t0c5w7xyd"',
  ])
    .requiredOption("--reason <text>", "what you did, for the audit log")
    .action((reference: string, { reason, ...options }: CloseOptions) =>
      onDatabase(options, ({ db, operator }) => topupsClose(db, operator, reference, reason)),
    );
}

async function topupsKept(db: Db): Promise<Report> {
  const kept = await keptPayments(db);
  const rows = kept.map(({ reference, provider, accountId, paidKobo, at, why }) => ({
    cells: [reference, provider, paidKobo === null ? "" : koboForPeople(paidKobo), timeText(at)],
    notes: [why, accountId === null ? "" : `of account ${encodeId("acc", accountId)}`],
  }));
  const payments = kept.map(({ accountId, paidKobo, at, ...payment }) => ({
    ...payment,
    account: accountId === null ? null : encodeId("acc", accountId),
    paid: paidKobo === null ? null : koboToNaira(paidKobo),
    at: at.toISOString(),
  }));
  const ok = kept.length === 0;
  const text = ok ? "Nothing waits for you." : tableWithNotes(["REFERENCE", "PROVIDER", "PAID", "SINCE"], rows);
  return { ok, json: { ok, payments }, text };
}

function topupsClose(db: Database, operator: Session["operator"], reference: string, reason: string): Promise<Report> {
  return db.transaction(async (tx) => {
    if (!(await closeKept(tx, reference)))
      return refusedReport(
        refusal("not_found", `No payment ${reference} waits; ./afara topups kept shows those that do.`),
      );
    await audit(tx, { actor: operator, action: "wallet.payment_closed", subject: reference, reason });
    return { ok: true, json: { ok: true, reference }, text: `${reference} is closed.` };
  });
}
