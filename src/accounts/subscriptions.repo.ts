import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";

export interface SubscriptionRow {
  readonly service: string;
  readonly plan: string;
  readonly since: Date;
}

export async function listSubscriptions(db: Db, accountId: Uuid): Promise<readonly SubscriptionRow[]> {
  const { rows } = await db.query<{ service: string; plan: string; since: Date }>(
    "select service, plan, since from subscriptions where account_id = $1 order by service",
    [accountId],
  );
  return rows;
}

/** Puts an account on a plan, replacing any other. Moves no money, unlike `makeSubscriptions`. */
export async function subscribe(db: Db, accountId: Uuid, service: string, plan: string, since: Date): Promise<void> {
  await db.query(
    `insert into subscriptions (account_id, service, plan, since) values ($1, $2, $3, $4)
     on conflict (account_id, service) do update set plan = excluded.plan, since = excluded.since where subscriptions.plan <> excluded.plan`,
    [accountId, service, plan, since],
  );
}

/** How many accounts are on each plan. */
export async function countByPlan(
  db: Db,
): Promise<readonly { readonly service: string; readonly plan: string; readonly accounts: number }[]> {
  const { rows } = await db.query<{ service: string; plan: string; accounts: bigint }>(
    "select service, plan, count(*) as accounts from subscriptions group by service, plan order by service, plan",
  );
  return rows.map((row) => ({ ...row, accounts: Number(row.accounts) }));
}

export async function unsubscribe(db: Db, accountId: Uuid, service: string): Promise<void> {
  await db.query("delete from subscriptions where account_id = $1 and service = $2", [accountId, service]);
}

/** The account pays no fees, whatever its plans. */
export async function waiveFees(db: Db, accountId: Uuid): Promise<void> {
  await db.query("update accounts set fees_waived = true where id = $1", [accountId]);
}

/** An account's standing with a service in a month. */
export interface Standing {
  readonly current: SubscriptionRow | undefined;
  /** The fee paid for the rest of the month; undefined if the month is not settled. */
  readonly settledKobo: Kobo | undefined;
  readonly feesWaived: boolean;
  readonly suspended: boolean;
}

/** Undefined when there is no such account. `month` is Lagos's, e.g. `2026-11`. */
export async function readStanding(
  db: Db,
  accountId: Uuid,
  service: string,
  month: string,
): Promise<Standing | undefined> {
  const { rows } = await db.query<{
    plan: string | null;
    since: Date | null;
    fee_kobo: bigint | null;
    fees_waived: boolean;
    suspended: boolean;
  }>(
    `select s.plan, s.since, f.fee_kobo, a.fees_waived, a.suspended_at is not null as suspended
       from accounts a
       left join subscriptions s on s.account_id = a.id and s.service = $2
       left join subscription_fees f on f.account_id = a.id and f.service = $2 and f.period = $3
      where a.id = $1`,
    [accountId, service, month],
  );
  const row = rows[0];
  return (
    row && {
      current: row.plan === null || row.since === null ? undefined : { service, plan: row.plan, since: row.since },
      settledKobo: row.fee_kobo === null ? undefined : kobo(row.fee_kobo),
      feesWaived: row.fees_waived,
      suspended: row.suspended,
    }
  );
}

/** Records the fee paid for the rest of the month; a smaller one changes nothing. */
export async function settleMonth(
  db: Db,
  accountId: Uuid,
  service: string,
  month: string,
  feeKobo: Kobo,
): Promise<void> {
  await db.query(
    `insert into subscription_fees (account_id, service, period, fee_kobo) values ($1, $2, $3, $4)
     on conflict (account_id, service, period) do update set fee_kobo = greatest(subscription_fees.fee_kobo, excluded.fee_kobo)`,
    [accountId, service, month, feeKobo],
  );
}

export interface Unsettled {
  readonly accountId: Uuid;
  readonly service: string;
}

/**
 * Subscriptions whose month is not settled, after `after` in the order of account and service. Suspended accounts pay once
 * they may work again.
 */
export async function findUnsettled(
  db: Db,
  month: string,
  after: Unsettled | undefined,
  max: number,
): Promise<readonly Unsettled[]> {
  const { rows } = await db.query<{ account_id: Uuid; service: string }>(
    `select s.account_id, s.service
       from subscriptions s join accounts a on a.id = s.account_id
      where not a.fees_waived and a.suspended_at is null
        and ($2::uuid is null or (s.account_id, s.service) > ($2, $3))
        and not exists (select 1 from subscription_fees f
                         where f.account_id = s.account_id and f.service = s.service and f.period = $1)
      order by s.account_id, s.service limit $4`,
    [month, after?.accountId ?? null, after?.service ?? null, max],
  );
  return rows.map((row) => ({ accountId: row.account_id, service: row.service }));
}
