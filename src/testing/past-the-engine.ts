// Orders changed past the engine: states that only a crash or an older build leaves behind.

import type { Database } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";

/** Sums an account's usage up anew, which the functions would have kept. */
export async function sumUsageAgain(db: Database, accountId: Uuid): Promise<void> {
  await db.query("select sum_usage_again($1)", [accountId]);
  for (;;) {
    await db.query("select fill_usage(100)");
    const { rows } = await db.query("select 1 from usage_fills where account_id = $1", [accountId]);
    if (rows.length === 0) return;
  }
}

/** The pieces of a purchase whose call is under way. */
export const OPEN_PIECE = '[{"status": "open"}]';

export interface Begun {
  readonly state: "sending" | "processing";
  readonly route: string;
  readonly reference?: string;
  readonly pieces?: string;
  readonly expiresAt?: Date;
}

/** Leaves an order as a node that died in the middle of its first call: begun, and without an answer. */
export async function leaveBegun(
  db: Database,
  order: { readonly accountId: Uuid; readonly id: Uuid },
  { state, route, reference, pieces, expiresAt }: Begun,
): Promise<void> {
  await db.query(
    `update orders set state = $3, begun_at = now(), attempt = 1, route = $4, attempt_reference = $5,
            pieces = coalesce($6, pieces), expires_at = coalesce($7, expires_at),
            lease_epoch = case when $5::text is null then lease_epoch else 1 end
      where account_id = $1 and id = $2`,
    [order.accountId, order.id, state, route, reference ?? null, pieces ?? null, expiresAt ?? null],
  );
  await sumUsageAgain(db, order.accountId);
}
