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

const KEYS: Readonly<Record<UsageBy, string>> = {
  day: "to_char(o.created_at at time zone 'Africa/Lagos', 'YYYY-MM-DD')",
  service: "o.service",
  status: "o.state",
};

/**
 * Sums over the orders accepted from `from` up to, not including, `before`. An order's id is made within moments of its
 * acceptance, so a day more on each side of the ids finds all of them, and their partitions.
 */
export async function sumUsage(
  db: Db,
  wanted: { accountId: Uuid; mode: Mode; from: Date; before: Date; by: UsageBy },
): Promise<readonly UsageSum[]> {
  const { rows } = await db.query<{
    key: string;
    orders: bigint;
    held: bigint;
    charged: bigint;
    returned: bigint;
    refunded: bigint;
  }>(
    {
      name: `sum_usage_by_${wanted.by}`,
      text: `with low as (select uuidv7_floor($3::timestamptz - interval '1 day') as id),
                  high as (select uuidv7_floor($4::timestamptz + interval '1 day') as id),
                  refunds as (
                    select order_id, posted_kobo as kobo from transfers
                     where account_id = $1 and mode = $2 and kind <> 'hold' and kind = 'refund'
                       and id between (select id from low) and (select id from high)),
                  counted as (
                    select ${KEYS[wanted.by]} as key, o.price_kobo,
                           case when t.state = 'pending' then t.amount_kobo else 0 end as held,
                           coalesce(t.posted_kobo, 0) - coalesce(r.kobo, 0) as charged,
                           coalesce(r.kobo, 0) as refunded
                      from orders o
                      left join transfers t on t.account_id = o.account_id and t.id = o.id and t.kind = 'hold'
                                           and t.id between (select id from low) and (select id from high)
                      left join refunds r on r.order_id = o.id
                     where o.account_id = $1 and o.mode = $2 and o.created_at >= $3 and o.created_at < $4
                       and o.id between (select id from low) and (select id from high))
             select key, count(*) as orders, sum(held)::bigint as held, sum(charged)::bigint as charged,
                    sum(price_kobo - held - charged - refunded)::bigint as returned,
                    sum(refunded)::bigint as refunded
               from counted group by key order by key`,
    },
    [wanted.accountId, wanted.mode, wanted.from, wanted.before],
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

/** What a key with a spend cap has spent on a day in Lagos, e.g. `2026-11-27`. */
export async function readKeySpend(db: Db, keyId: Uuid, day: string): Promise<Kobo> {
  const { rows } = await db.query<{ spent: bigint }>(
    { name: "key_spend", text: "select spent_kobo as spent from key_spend where key_id = $1 and day = $2" },
    [keyId, day],
  );
  return kobo(rows[0]?.spent ?? 0n);
}
