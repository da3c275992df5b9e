import type pg from "pg";
import { PERSONAL_KINDS } from "../src/kernel/purged.ts";
import { DEFAULT_RETENTION } from "../src/retention/retention.settings.ts";

/** Messages made by SQL after one that was really delivered, with everything that the gateway itself writes for one. */
export interface Forged {
  readonly accountId: string;
  /** Orders that the account has now. */
  readonly orders: number;
}

const PRICE_KOBO = 320;
/** Holds in one line of the wallet's statement. */
const BATCH = 100;
const CHUNK = 100_000;
const DAYS = 365;

/** Months back from now, which a gateway that has run so long would have. */
const PARTITIONS = `do $$
declare parent text; parent_key text; first_day timestamptz; child text;
begin
  for parent, parent_key in select name, key from partitioned_tables where key <> 'position' order by name loop
    for back in 1..13 loop
      first_day := (date_trunc('month', now() at time zone 'UTC') - make_interval(months => back)) at time zone 'UTC';
      child := format('%s_%s', parent, to_char(first_day at time zone 'UTC', 'YYYY_MM'));
      execute format('create table if not exists %I partition of %I for values from (%L) to (%L)', child, parent,
        uuidv7_floor(first_day), uuidv7_floor(first_day + interval '1 month'));
    end loop;
  end loop;
end $$`;

/**
 * $1 account, $2 number of the first order, $3 how many, $4 how many in all. Order n is n of all through the year, the oldest first, so
 * that statements and sums are what a year would have left. Its id is a v7 of its moment, with its number at the end.
 */
const ORDERS = `
with real as materialized (
  select payload, pieces, facts, route, tax_kobo from orders where account_id = $1 and state = 'delivered' order by id limit 1),
made as (
  select n, at, (left(uuidv7_floor(at)::text, 14) || '7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
         '234803' || lpad((n % 10000000)::text, 7, '0') as phone, $5::bigint + n / ${BATCH} as batch,
         case n % 100 when 0 then 'undelivered' when 1 then 'expired' else 'delivered' end as state
    from generate_series($2::int, $2::int + $3::int - 1) n
    cross join lateral (select now() - interval '${DAYS} days' * (1 - n::float8 / $4::int) - interval '1 hour' as at) a),
orders_made as (
  insert into orders (account_id, id, mode, service, queue, state, version, event_sequence, priority, ambiguity, attempt, route, price_kobo,
                      tax_kobo, recipient, reference, payload, pieces, facts, created_at, updated_at, ended_at)
  select $1, id, 'test', 'sms', 'sms:test', state, 3, 2, 1, 'retry', 1, real.route, ${PRICE_KOBO}, real.tax_kobo, phone, 'forged-' || n,
         real.payload, real.pieces, real.facts, at, at + interval '2 seconds', at + interval '2 seconds'
    from made cross join real),
transfers_made as (
  insert into transfers (account_id, id, order_id, mode, kind, debit_kind, credit_kind, amount_kobo, state, posted_kobo, created_at,
                         decided_at, opened_in, decided_in)
  select $1, id, id, 'test', 'hold', 'wallet', 'sales:sms', ${PRICE_KOBO}, 'posted', ${PRICE_KOBO}, at, at, batch, batch from made),
events_made as (
  insert into events (account_id, order_id, version, mode, id, type, sequence, status, previous_status, at)
  select $1, m.id, e.version, 'test', gen_random_uuid(), 'sms.' || e.status, e.version - 1, e.status, e.previous, m.at
    from made m cross join lateral (values (2, 'sent', 'queued'), (3, m.state, 'sent')) e(version, status, previous)),
keys_made as (
  insert into order_keys (account_id, mode, kind, key, target_id, fingerprint, created_at)
  select $1, 'test', 'reference', 'forged-' || n, id, ''::bytea, at from made),
references_made as (
  insert into provider_references (route, reference, account_id, order_id, attempt, piece, created_at)
  select 'sim', 'f' || n, $1, id, 1, 0, at from made),
commits_made as (
  insert into wallet_commits (account_id, mode, position, batch, balance_kobo, held_kobo, opened, decided, at)
  select $1, 'test', batch, batch, $6::bigint - ${PRICE_KOBO} * (max(n) + 1 - $7::bigint), 0, array_agg(id), array_agg(id), max(at)
    from made group by batch),
usage_made as (
  insert into usage_days as d (account_id, mode, day, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo)
  select $1, 'test', (at at time zone 'Africa/Lagos')::date, 'sms', state, count(*), count(*) * ${PRICE_KOBO}, 0, count(*) * ${PRICE_KOBO}, 0
    from made group by 3, 5
  on conflict (account_id, mode, day, service, state) do update
    set orders = d.orders + excluded.orders, price_kobo = d.price_kobo + excluded.price_kobo, charged_kobo = d.charged_kobo + excluded.charged_kobo)
update ledger_accounts set debits_posted = debits_posted + case when kind = 'wallet' then $3::bigint * ${PRICE_KOBO} else 0 end,
       credits_posted = credits_posted + case when kind = 'wallet' then 0 else $3::bigint * ${PRICE_KOBO} end
 where account_id = $1 and mode = 'test' and kind in ('wallet', 'sales:sms')`;

/** Personal data of what is older than its days was purged as the year went by, and the purge does not begin at its start. */
const PURGED = `
insert into purge_progress (account_id, kind, up_to)
select $1, kind, uuidv7_floor(date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - make_interval(days => days))
  from unnest($2::text[], $3::int[]) as r(kind, days)
on conflict (account_id, kind) do update set up_to = excluded.up_to`;

/** Adds orders to an account until it has \`orders\`, as if \`most\` were spread over a year. The gateway must be still meanwhile. */
export async function forge(
  database: pg.Client,
  { accountId, orders }: Forged,
  { to, most, progress }: { readonly to: number; readonly most: number; readonly progress: (line: string) => void },
): Promise<Forged> {
  await database.query(PARTITIONS);
  await database.query(PURGED, [accountId, PERSONAL_KINDS, PERSONAL_KINDS.map((kind) => DEFAULT_RETENTION[kind])]);
  // An order that is lost in a crash is made anew with all others.
  await database.query("set synchronous_commit = off");
  for (let first = orders; first < to; first += CHUNK) {
    const count = Math.min(CHUNK, to - first);
    const { rows } = await database.query<{ number: string; balance: string }>(
      `select setval('wallet_numbers', nextval('wallet_numbers') + $2)::bigint - $2 as number,
              (select credits_posted - debits_posted from ledger_accounts where account_id = $1 and mode = 'test' and kind = 'wallet') as balance`,
      [accountId, count / BATCH + 2],
    );
    const { number, balance } = rows[0]!;
    await database.query(ORDERS, [accountId, first, count, most, Number(number) - first / BATCH, balance, first]);
    if ((first / CHUNK) % 5 === 4) progress(`${((first + count) / 1e6).toFixed(1)} million orders made …`);
  }
  for (const table of ["orders", "transfers", "events", "order_keys", "provider_references", "wallet_commits"])
    await database.query(`vacuum analyze ${table}`);
  return { accountId, orders: to };
}
