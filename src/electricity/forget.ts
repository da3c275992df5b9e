import type { Db } from "../db/database.ts";
import { lagosDay } from "../kernel/lagos.ts";
import { forgetResends } from "./resends.repo.ts";
import { forgetVerifications } from "./verifications.repo.ts";

/** What is kept of meters and their customers for a while only. */
export async function forgetMeterData(db: Db, now: Date): Promise<void> {
  await forgetVerifications(db, now);
  await forgetResends(db, lagosDay(now));
}
