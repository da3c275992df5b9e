import { findAccount } from "../accounts/accounts.repo.ts";
import type { Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { type Report, refusedReport } from "./report.ts";

export const noSuchAccount = (id: Uuid): Refusal =>
  refusal("not_found", `There is no account ${encodeId("acc", id)}. ./afara account list shows all accounts.`);

/**
 * Runs `act` for one account, or for all without an id. An unknown account is refused: an empty list would suggest that it
 * exists and has nothing.
 */
export async function ofAccount(db: Db, id: Uuid | undefined, act: () => Promise<Report>): Promise<Report> {
  if (id !== undefined && !(await findAccount(db, id))) return refusedReport(noSuchAccount(id));
  return act();
}
