import pg from "pg";
import type { Connection } from "../../src/db/database.ts";
import type { Uuid } from "../../src/kernel/ids.ts";

const COLUMNS =
  "mode, service, queue, state, version, event_sequence, priority, ambiguity, attempt, route, tries, tried".concat(
    ", pieces, price_kobo, tax_kobo, metadata, send_at, expires_at, ended_at",
  );

/**
 * As many copies of each of the account's orders as told, one every 150 ms up to now. Copy n of each has the number n as its
 * recipient, and that of the oldest the reference `copy-<n>`. Tokens are left out: they are sealed for their own order. By a connection
 * of its own, which waits as long as it takes.
 */
export async function copyOrders(connection: Connection, accountId: Uuid, copies: number): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(
      `with original as (
         select *, row_number() over (order by id) as place, count(*) over () as many from orders where account_id = $1),
       copied as (
         insert into orders (account_id, id, recipient, reference, payload, facts, created_at, updated_at, ${COLUMNS})
         select o.account_id, uuidv7_floor(at.moment),
                case o.service when 'electricity' then '13' || lpad(n::text, 9, '0')
                               when 'cable' then '13' || lpad(n::text, 8, '0')
                               else '234803' || lpad(n::text, 7, '0') end,
                case when o.place = 1 then 'copy-' || n end,
                case when o.payload ? 'phone'
                     then o.payload || jsonb_build_object('phone', '234803' || lpad(n::text, 7, '0')) else o.payload end,
                o.facts - 'sealed_tokens', at.moment, at.moment, ${COLUMNS}
           from original o
          cross join generate_series(1, $2::int) n
          cross join lateral (select now() - ((n * o.many + o.place) * 150) * interval '1 millisecond' as moment) at
         returning account_id, mode, reference, id, created_at)
       insert into order_keys (account_id, mode, kind, key, target_id, fingerprint, created_at)
       select account_id, mode, 'reference', reference, id, ''::bytea, created_at from copied where reference is not null`,
      [accountId, copies],
    );
    await client.query("analyze orders");
  } finally {
    await client.end();
  }
}
