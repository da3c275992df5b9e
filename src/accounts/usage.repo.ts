import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
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

export const USAGE_BY = ["day", "service", "status"] as const;
export type UsageBy = (typeof USAGE_BY)[number];

/** Orders of a time with what became of their price: all of it is held, charged, returned or refunded. */
export interface UsageSum {
  /** A day in Lagos, a service or a status. */
  readonly key: string;
  readonly orders: number;
  readonly heldKobo: Kobo;
  readonly chargedKobo: Kobo;
  /** What went back at the end of an order. */
  readonly returnedKobo: Kobo;
  /** What had been charged, and went back later. */
  readonly refundedKobo: Kobo;
}

interface UsageQuestion {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly from: Date;
  readonly before: Date;
  readonly by: UsageBy;
  /** Only this one; all of them by default. */
  readonly service?: string | undefined;
}

const KEYS: Readonly<Record<UsageBy, string>> = {
  day: "to_char(day, 'YYYY-MM-DD')",
  service: "service",
  status: "state",
};

/** The sums that are kept, with what is not added to them yet: at any moment both together are right. */
const KEPT = `
  select day, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo from usage_days
   where account_id = $1 and mode = $2 and day >= ($3::timestamptz at time zone 'Africa/Lagos')::date
     and day < ($4::timestamptz at time zone 'Africa/Lagos')::date
  union all
  select (hour at time zone 'Africa/Lagos')::date, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo
    from usage_changes where account_id = $1 and mode = $2 and hour >= $3 and hour < $4`;

/** Before a moment the sums are not filled in yet; those orders are read. One statement, thus one snapshot. */
const KEPT_AND_READ = `
  select kept.* from (${KEPT.replace("from usage_changes where", "from usage_changes where hour >= (select moment from filled) and")}) kept
  union all
  select day, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo
    from filled cross join lateral sum_usage($1, $2, $3, least($4, filled.moment)) where filled.moment > $3`;
const FILLED =
  "with filled as (select coalesce((select filled_from from usage_fills where account_id = $1), 'epoch') as moment)";

/**
 * Sums over the orders accepted from `from` up to, not including, `before`: both the beginning of a day in Lagos. After an upgrade
 * they take longer until the job `usage` has filled in what is older.
 */
export async function sumUsage(
  db: Db,
  { accountId, mode, from, before, by, service }: UsageQuestion,
): Promise<readonly UsageSum[]> {
  const filledFrom = await readFilledFrom(db, accountId);
  const isFilled = filledFrom === undefined || filledFrom <= from;
  const { rows } = await db.query<{
    key: string;
    orders: bigint;
    held: bigint;
    charged: bigint;
    returned: bigint;
    refunded: bigint;
  }>(
    {
      name: `sum_usage_by_${by}${isFilled ? "" : "_unfilled"}`,
      text: `${isFilled ? "" : FILLED}
             select ${KEYS[by]} as key, sum(orders)::bigint as orders, sum(held_kobo)::bigint as held,
                    sum(charged_kobo)::bigint as charged, sum(refunded_kobo)::bigint as refunded,
                    sum(price_kobo - held_kobo - charged_kobo - refunded_kobo)::bigint as returned
               from (${isFilled ? KEPT : KEPT_AND_READ}) sums
              where $5::text is null or service = $5
              group by key having sum(orders) > 0 order by key`,
    },
    [accountId, mode, from, before, service ?? null],
  );
  return rows.map(({ key, orders, held, charged, returned, refunded }) => ({
    key,
    orders: Number(orders),
    heldKobo: kobo(held),
    chargedKobo: kobo(charged),
    returnedKobo: kobo(returned),
    refundedKobo: kobo(refunded),
  }));
}

/** From when on an account's sums are kept; undefined: all of them are. */
export async function readFilledFrom(db: Db, accountId: Uuid): Promise<Date | undefined> {
  const { rows } = await db.query<{ filled_from: Date }>(
    { name: "usage_filled_from", text: "select filled_from from usage_fills where account_id = $1" },
    [accountId],
  );
  return rows[0]?.filled_from;
}

/** Changes of orders that are added to the sums in one go, and orders that are filled in. */
const FOLDED_MAX = 10_000;
const FILLED_MAX = 20_000;

/** Adds the changes of orders to the sums, and fills in some of what is older than the sums. */
export async function keepUsage(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ folded: bigint }>(
      { name: "fold_usage", text: "select fold_usage($1) as folded" },
      [FOLDED_MAX],
    );
    if (rows[0]!.folded < FOLDED_MAX) break;
  }
  await db.query({ name: "fill_usage", text: "select fill_usage($1)" }, [FILLED_MAX]);
}

/** What a key with a spend cap has spent on a day in Lagos, e.g. `2026-11-27`. */
export async function readKeySpend(db: Db, keyId: Uuid, day: string): Promise<Kobo> {
  const { rows } = await db.query<{ spent: bigint }>(
    { name: "key_spend", text: "select spent_kobo as spent from key_spend where key_id = $1 and day = $2" },
    [keyId, day],
  );
  return kobo(rows[0]?.spent ?? 0n);
}
