import { findAccount } from "../accounts/accounts.repo.ts";
import type { Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { type Report, refusedReport } from "./report.ts";

export const noSuchAccount = (id: Uuid): Refusal =>
  refusal("not_found", `There is no account ${encodeId("acc", id)}. ./afara account list shows those there are.`);

/**
 * What `act` finds of one account, or, without an id, of all. An account that is not there is refused: an empty list would look as
 * if it were there and had nothing.
 */
export async function ofAccount(db: Db, id: Uuid | undefined, act: () => Promise<Report>): Promise<Report> {
  if (id !== undefined && !(await findAccount(db, id))) return refusedReport(noSuchAccount(id));
  return act();
}
