import type { Database, Db } from "../db/database.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Plan, PlanUpdate } from "./catalogue.ts";

interface PlanRow<Group extends string> {
  plan_id: string;
  provider: string;
  code: string;
  generation: number;
  plan_group: Group;
  name: string;
  cost_kobo: bigint;
  added_at: Date;
  changed_at: Date;
  gone_at: Date | null;
}

const planFrom = <Group extends string>(row: PlanRow<Group>): Plan<Group> => ({
  planId: row.plan_id,
  provider: row.provider,
  code: row.code,
  generation: row.generation,
  group: row.plan_group,
  name: row.name,
  costKobo: kobo(row.cost_kobo),
  addedAt: row.added_at,
  changedAt: row.changed_at,
  goneAt: row.gone_at,
});

/** When each of these providers' lists of a product was fetched; those that never were are absent. */
export async function readListTimes(
  db: Db,
  product: string,
  providers: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await db.query<{ provider: string; fetched_at: Date }>(
    "select provider, fetched_at from catalogue_lists where product = $1 and provider = any($2::text[])",
    [product, providers],
  );
  return new Map(rows.map((row) => [row.provider, row.fetched_at]));
}

interface Wanted<Group> {
  readonly product: string;
  readonly providers: readonly string[];
  readonly group?: Group;
  readonly goneAfter: Date;
}

/** The plans of these providers, with those that went after `goneAfter`, by group, cost and id. */
export async function listPlans<Group extends string>(
  db: Db,
  { product, providers, group, goneAfter }: Wanted<Group>,
): Promise<readonly Plan<Group>[]> {
  const { rows } = await db.query<PlanRow<Group>>(
    `select * from catalogue_plans
      where product = $1 and provider = any($2::text[]) and ($3::text is null or plan_group = $3)
        and (gone_at is null or gone_at > $4)
      order by plan_group, cost_kobo, plan_id`,
    [product, providers, group ?? null, goneAfter],
  );
  return rows.map(planFrom);
}

export async function findPlan<Group extends string>(
  db: Db,
  product: string,
  planId: string,
): Promise<Plan<Group> | undefined> {
  const { rows } = await db.query<PlanRow<Group>>("select * from catalogue_plans where plan_id = $1 and product = $2", [
    planId,
    product,
  ]);
  return rows[0] && planFrom(rows[0]);
}

interface FetchedList {
  readonly product: string;
  readonly provider: string;
  /** When it was asked for. */
  readonly fetchedAt: Date;
}

/**
 * Takes in a provider's list of a product: `compare` says what it changes. False: a newer list is there already, from this node or
 * another.
 */
export function storeList<Group extends string>(
  db: Database,
  { product, provider, fetchedAt }: FetchedList,
  compare: (known: readonly Plan<Group>[]) => readonly PlanUpdate<Group>[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Its row is the lock: nodes take in one list after the other.
    const { rowCount } = await tx.query(
      `insert into catalogue_lists (product, provider, fetched_at) values ($1, $2, $3)
       on conflict (product, provider) do update set fetched_at = excluded.fetched_at
         where catalogue_lists.fetched_at < excluded.fetched_at`,
      [product, provider, fetchedAt],
    );
    if (rowCount === 0) return false;
    const { rows } = await tx.query<PlanRow<Group>>(
      "select * from catalogue_plans where product = $1 and provider = $2",
      [product, provider],
    );
    await writePlans(tx, product, compare(rows.map(planFrom)), fetchedAt);
    return true;
  });
}

async function writePlans(tx: Db, product: string, updates: readonly PlanUpdate[], at: Date): Promise<void> {
  // One after the other: a code's old plan has to be gone before its new one comes.
  for (const { plan, changes } of updates) {
    await tx.query(
      `insert into catalogue_plans (plan_id, product, provider, code, generation, plan_group, name, cost_kobo,
                                    added_at, changed_at, gone_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (product, provider, code, generation) do update
         set name = excluded.name, cost_kobo = excluded.cost_kobo, changed_at = excluded.changed_at,
             gone_at = excluded.gone_at`,
      [
        plan.planId,
        product,
        plan.provider,
        plan.code,
        plan.generation,
        plan.group,
        plan.name,
        plan.costKobo,
        plan.addedAt,
        plan.changedAt,
        plan.goneAt,
      ],
    );
    for (const change of changes)
      await tx.query(
        "insert into catalogue_changes (plan_id, at, change, name, cost_kobo) values ($1, $2, $3, $4, $5)",
        [plan.planId, at, change, plan.name, plan.costKobo],
      );
  }
}
