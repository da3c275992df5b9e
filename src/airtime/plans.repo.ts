import type { Database, Db } from "../db/database.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Network } from "../kernel/networks.ts";
import type { DataPlan, PlanUpdate } from "./catalogue.ts";
import type { PlanKind } from "./parse-plan.ts";

interface PlanRow {
  plan_id: string;
  provider: string;
  code: string;
  generation: number;
  network: Network;
  name: string;
  cost_kobo: bigint;
  size_mb: number | null;
  validity_hours: number | null;
  kind: PlanKind | null;
  added_at: Date;
  changed_at: Date;
  gone_at: Date | null;
}

const planFrom = (row: PlanRow): DataPlan => ({
  planId: row.plan_id,
  provider: row.provider,
  code: row.code,
  generation: row.generation,
  network: row.network,
  name: row.name,
  costKobo: kobo(row.cost_kobo),
  sizeMb: row.size_mb,
  validityHours: row.validity_hours,
  kind: row.kind,
  addedAt: row.added_at,
  changedAt: row.changed_at,
  goneAt: row.gone_at,
});

/** When each of these providers' lists was fetched; those that never were are absent. */
export async function readListTimes(db: Db, providers: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await db.query<{ provider: string; fetched_at: Date }>(
    "select provider, fetched_at from data_plan_lists where provider = any($1::text[])",
    [providers],
  );
  return new Map(rows.map((row) => [row.provider, row.fetched_at]));
}

/** The plans of these providers, with those that went after `goneAfter`. */
export async function listPlans(
  db: Db,
  { providers, network, goneAfter }: { providers: readonly string[]; network?: Network; goneAfter: Date },
): Promise<readonly DataPlan[]> {
  const { rows } = await db.query<PlanRow>(
    `select * from data_plans
      where provider = any($1::text[]) and ($2::text is null or network = $2) and (gone_at is null or gone_at > $3)
      order by network, size_mb nulls last, cost_kobo, plan_id`,
    [providers, network ?? null, goneAfter],
  );
  return rows.map(planFrom);
}

export async function findPlan(db: Db, planId: string): Promise<DataPlan | undefined> {
  const { rows } = await db.query<PlanRow>("select * from data_plans where plan_id = $1", [planId]);
  return rows[0] && planFrom(rows[0]);
}

/**
 * Takes in a provider's list that was asked for at `fetchedAt`: `compare` says what it changes. False: a newer list is there
 * already, from this node or another.
 */
export function storeList(
  db: Database,
  provider: string,
  fetchedAt: Date,
  compare: (known: readonly DataPlan[]) => readonly PlanUpdate[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Its row is the lock: nodes take in one list after the other.
    const { rowCount } = await tx.query(
      `insert into data_plan_lists (provider, fetched_at) values ($1, $2)
       on conflict (provider) do update set fetched_at = excluded.fetched_at
         where data_plan_lists.fetched_at < excluded.fetched_at`,
      [provider, fetchedAt],
    );
    if (rowCount === 0) return false;
    const { rows } = await tx.query<PlanRow>("select * from data_plans where provider = $1", [provider]);
    await writePlans(tx, compare(rows.map(planFrom)), fetchedAt);
    return true;
  });
}

async function writePlans(tx: Db, updates: readonly PlanUpdate[], at: Date): Promise<void> {
  // One after the other: a code's old plan has to be gone before its new one comes.
  for (const { plan, changes } of updates) {
    await tx.query(
      `insert into data_plans (plan_id, provider, code, generation, network, name, cost_kobo, size_mb, validity_hours, kind,
                               added_at, changed_at, gone_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       on conflict (provider, code, generation) do update
         set name = excluded.name, cost_kobo = excluded.cost_kobo, size_mb = excluded.size_mb, kind = excluded.kind,
             validity_hours = excluded.validity_hours, changed_at = excluded.changed_at, gone_at = excluded.gone_at`,
      [
        plan.planId,
        plan.provider,
        plan.code,
        plan.generation,
        plan.network,
        plan.name,
        plan.costKobo,
        plan.sizeMb,
        plan.validityHours,
        plan.kind,
        plan.addedAt,
        plan.changedAt,
        plan.goneAt,
      ],
    );
    for (const change of changes)
      await tx.query(
        "insert into data_plan_changes (plan_id, at, change, name, cost_kobo) values ($1, $2, $3, $4, $5)",
        [plan.planId, at, change, plan.name, plan.costKobo],
      );
  }
}
