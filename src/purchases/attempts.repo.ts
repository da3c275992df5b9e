import type { Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";

/** A purchase by one of our references at a vendor. */
export interface AttemptedPurchase {
  readonly reference: string;
  readonly purchaseId: string;
  /** Of a plan that was bought (`plan.id` of the payload). */
  readonly planId: string | null;
}

/** Those of these references that name purchases of the account, made at these providers. */
export async function ownAttempts(
  db: Db,
  accountId: Uuid,
  providers: readonly string[],
  references: readonly string[],
): Promise<ReadonlyMap<string, AttemptedPurchase>> {
  if (references.length === 0) return new Map();
  const { rows } = await db.query<{ reference: string; order_id: Uuid; plan_id: string | null }>(
    {
      name: "own_attempts",
      text: `select a.reference, a.order_id, o.payload->'plan'->>'id' as plan_id
               from attempts a join orders o on o.account_id = a.account_id and o.id = a.order_id
              where a.route = any($2::text[]) and a.reference = any($3::text[]) and a.account_id = $1`,
    },
    [accountId, providers, references],
  );
  return new Map(
    rows.map(({ reference, order_id, plan_id }) => [
      reference,
      { reference, purchaseId: encodeId("pur", order_id), planId: plan_id },
    ]),
  );
}
