import type { Db } from "../db/database.ts";
import type { Mode } from "../kernel/mode.ts";

/** Groups of age, from the youngest; the last has no bound. */
export const AGES: readonly { readonly name: string; readonly belowSeconds: number }[] = [
  { name: "under_5m", belowSeconds: 300 },
  { name: "5m_to_1h", belowSeconds: 3_600 },
  { name: "1h_to_1d", belowSeconds: 86_400 },
  { name: "over_1d", belowSeconds: Number.POSITIVE_INFINITY },
];

/** Undecided orders of one kind. `age`: index into `AGES`. */
export interface Undecided {
  readonly service: string;
  readonly route: string | null;
  readonly mode: Mode;
  readonly age: number;
  readonly orders: number;
  readonly unknown: number;
  readonly kobo: number;
}

/** Most rows looked at of each kind: so that a scrape costs the database some milliseconds whatever has piled up. */
const ROWS_MAX = 10_000;

/**
 * Every open purchase that is due (an undecided one always is), and messages with a lost answer. Both are found by indexes of what
 * is open (`orders_due`, `orders_ambiguous`), never by a scan.
 */
export async function readUndecided(db: Db, purchases: readonly string[], now: Date): Promise<readonly Undecided[]> {
  const { rows } = await db.query<Undecided>(
    {
      name: "standing_undecided",
      text: `with open as (
               (select service, route, mode, created_at, price_kobo, ambiguous_at from orders
                 where queue = any($1::text[]) and due_at is not null and ended_at is null limit $4)
               union all
               (select service, route, mode, created_at, price_kobo, ambiguous_at from orders
                 where ambiguous_at is not null and ended_at is null and ambiguity <> 'requery' limit $4))
             select service, route, mode,
                    width_bucket(extract(epoch from $2::timestamptz - created_at)::float8, $3::float8[]) as age,
                    count(*)::int as orders, count(ambiguous_at)::int as unknown, sum(price_kobo)::float8 as kobo
               from open group by 1, 2, 3, 4`,
    },
    [
      purchases.flatMap((service) => [`${service}:live`, `${service}:test`]),
      now,
      AGES.slice(0, -1).map(({ belowSeconds }) => belowSeconds),
      ROWS_MAX,
    ],
  );
  return rows;
}

/** What is held in all wallets: one row for each account. */
export async function readHeld(db: Db): Promise<readonly { readonly mode: Mode; readonly kobo: number }[]> {
  const { rows } = await db.query<{ mode: Mode; kobo: number }>({
    name: "standing_held",
    text: "select mode, sum(debits_pending)::float8 as kobo from ledger_accounts where kind = 'wallet' group by mode",
  });
  return rows;
}
