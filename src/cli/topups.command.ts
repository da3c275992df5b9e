import { audit } from "../accounts/audit.repo.ts";
import type { Database, Db } from "../db/database.ts";
import { closeKept, keptPayments } from "../funding/payments.repo.ts";
import { encodeId } from "../kernel/ids.ts";
import { koboForPeople, koboToNaira } from "../kernel/kobo.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Session } from "./cli.ts";
import { type Report, refusedReport, tableWithNotes, timeText } from "./report.ts";

export async function topupsKept(db: Db): Promise<Report> {
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
  const text = ok ? "No payment needs a decision." : tableWithNotes(["REFERENCE", "PROVIDER", "PAID", "SINCE"], rows);
  return { ok, json: { ok, payments }, text };
}

export function topupsClose(
  db: Database,
  operator: Session["operator"],
  reference: string,
  reason: string,
): Promise<Report> {
  return db.transaction(async (tx) => {
    if (!(await closeKept(tx, reference)))
      return refusedReport(
        refusal("not_found", `No payment ${reference} needs a decision; ./afara topups kept lists those that do.`),
      );
    await audit(tx, { actor: operator, action: "wallet.payment_closed", subject: reference, reason });
    return { ok: true, json: { ok: true, reference }, text: `${reference} is closed.` };
  });
}
