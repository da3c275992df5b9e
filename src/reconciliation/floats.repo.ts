import type { Db } from "../db/database.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";

/** The last reading of our balance at a vendor. */
export interface Float {
  readonly provider: string;
  readonly at: Date;
  readonly balanceKobo: Kobo;
  /** The previous reading; null: this is the first. */
  readonly since: Date | null;
  /** Our recorded spending there since then, less refunds. */
  readonly spentKobo: Kobo | null;
  /** The unexplained change of the balance: positive for a deposit, negative for missing money. */
  readonly unexplainedKobo: Kobo | null;
  /** The maximum cost of purchases that were undecided at the reading. */
  readonly undecidedKobo: Kobo;
  readonly undecidedSince: Date | null;
}

interface FloatRow {
  provider: string;
  at: Date;
  balance_kobo: bigint;
  since: Date | null;
  spent_kobo: bigint | null;
  unexplained_kobo: bigint | null;
  undecided_kobo: bigint;
  undecided_since: Date | null;
}

const orNull = (value: bigint | null): Kobo | null => (value === null ? null : kobo(value));

const floatFrom = (row: FloatRow): Float => ({
  provider: row.provider,
  at: row.at,
  balanceKobo: kobo(row.balance_kobo),
  since: row.since,
  spentKobo: orNull(row.spent_kobo),
  unexplainedKobo: orNull(row.unexplained_kobo),
  undecidedKobo: kobo(row.undecided_kobo),
  undecidedSince: row.undecided_since,
});

export async function readFloats(db: Db): Promise<ReadonlyMap<string, Float>> {
  const { rows } = await db.query<FloatRow>("select * from vendor_floats where at is not null");
  return new Map(rows.map((row) => [row.provider, floatFrom(row)]));
}

/** One node at a time reads the balance, at most once per `everyMs`. */
export async function claimLook(db: Db, provider: string, now: Date, everyMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    {
      name: "claim_float_look",
      text: `insert into vendor_floats (provider, claimed_at) values ($1, $2)
             on conflict (provider) do update set claimed_at = excluded.claimed_at
              where vendor_floats.claimed_at <= excluded.claimed_at - $3 * interval '1 millisecond'`,
    },
    [provider, now, everyMs],
  );
  return rowCount === 1;
}

export async function saveFloat(db: Db, float: Float): Promise<void> {
  await db.query(
    `update vendor_floats set at = $2, balance_kobo = $3, since = $4, spent_kobo = $5, unexplained_kobo = $6,
            undecided_kobo = $7, undecided_since = $8 where provider = $1`,
    [
      float.provider,
      float.at,
      float.balanceKobo,
      float.since,
      float.spentKobo,
      float.unexplainedKobo,
      float.undecidedKobo,
      float.undecidedSince,
    ],
  );
}

const COST = "coalesce(round((o.facts->>'cost')::numeric * 100)::bigint, 0)";
/** An order's maximum cost to us. */
const MOST = "coalesce((o.payload->>'amount_kobo')::bigint, (o.payload->'plan'->>'cost_kobo')::bigint, o.price_kobo)";

/** The cost of purchases at a provider in a period. */
export interface Spent {
  readonly spentKobo: Kobo;
  /** Delivered at an unknown cost: at most this. */
  readonly uncertainKobo: Kobo;
}

/**
 * After `from`, up to `to`: by when an end was recorded. `begunSince`: no attempt that ended in that time began before.
 */
export async function readSpent(
  db: Db,
  {
    provider,
    from,
    to,
    begunSince,
  }: { readonly provider: string; readonly from: Date; readonly to: Date; readonly begunSince: Date },
): Promise<Spent> {
  const { rows } = await db.query<{ spent: string | null; uncertain: string | null }>(
    {
      name: "spent_at_provider",
      text: `select sum(s.cost) as spent, sum(s.uncertain) as uncertain from (
               select ${COST} as cost, case when o.facts->>'cost' is null then ${MOST} else 0 end as uncertain
                 from attempts a join orders o on o.account_id = a.account_id and o.id = a.order_id and o.attempt = a.attempt
                where a.route = $1 and a.begun_at >= $4 and o.ended_at > $2 and o.ended_at <= $3 and o.state in ('successful', 'reversed')
               union all
               select case t.kind when 'loss' then ${COST} else -${COST} end, 0
                 from transfers t join orders o on o.account_id = t.account_id and o.id = t.order_id
                where t.kind in ('refund', 'loss', 'loss_undone') and t.created_at > $2 and t.created_at <= $3 and o.route = $1) s`,
    },
    [provider, from, to, begunSince],
  );
  return { spentKobo: kobo(rows[0]?.spent ?? 0), uncertainKobo: kobo(rows[0]?.uncertain ?? 0) };
}

/** Attempts at a provider that were open at any time between the two moments. */
export async function readUndecided(
  db: Db,
  {
    provider,
    from,
    to,
    begunSince,
  }: { readonly provider: string; readonly from: Date; readonly to: Date; readonly begunSince: Date },
): Promise<{ readonly undecidedKobo: Kobo; readonly undecidedSince: Date | null }> {
  const { rows } = await db.query<{ undecided: string | null; since: Date | null }>(
    {
      name: "undecided_at_provider",
      text: `select sum(${MOST}) as undecided, min(a.begun_at) as since
               from attempts a join orders o on o.account_id = a.account_id and o.id = a.order_id and o.attempt = a.attempt
              where a.route = $1 and a.begun_at >= $4 and a.begun_at <= $3 and (o.ended_at is null or o.ended_at > $2)`,
    },
    [provider, from, to, begunSince],
  );
  return { undecidedKobo: kobo(rows[0]?.undecided ?? 0), undecidedSince: rows[0]?.since ?? null };
}
