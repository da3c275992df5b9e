import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";

/** Orders that count against the monthly quotas so far, by service. `month` is Lagos's, e.g. `2026-11`. */
export async function readUsage(
  db: Db,
  accountId: Uuid,
  mode: Mode,
  month: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ service: string; used: bigint }>(
    "select service, used from usage_counters where account_id = $1 and mode = $2 and period = $3",
    [accountId, mode, month],
  );
  return new Map(rows.map((row) => [row.service, Number(row.used)]));
}
