import type { Db } from "../../src/db/database.ts";
import type { Uuid } from "../../src/kernel/ids.ts";

const COLUMNS =
  "mode, service, queue, state, version, event_sequence, priority, ambiguity, attempt, route, tries, tried".concat(
    ", pieces, price_kobo, tax_kobo, metadata, facts, send_at, expires_at, ended_at",
  );

/**
 * As many copies of each of the account's orders as told, one every 150 ms up to now. Copy n of each has the number n as its
 * recipient, and the first of each the reference `copy-<n>`.
 */
export async function copyOrders(db: Db, accountId: Uuid, copies: number): Promise<void> {
  await db.query(
    `insert into orders (account_id, id, recipient, reference, payload, created_at, updated_at, ${COLUMNS})
     select o.account_id, uuidv7_floor(at.moment),
            case o.service when 'electricity' then '13' || lpad(n::text, 9, '0')
                           when 'cable' then '13' || lpad(n::text, 8, '0')
                           else '234803' || lpad(n::text, 7, '0') end,
            case when o.place = 1 then 'copy-' || n end,
            case when o.payload ? 'phone' then o.payload || jsonb_build_object('phone', '234803' || lpad(n::text, 7, '0')) else o.payload end,
            at.moment, at.moment, ${COLUMNS}
       from (select *, row_number() over (order by id) as place, count(*) over () as many from orders where account_id = $1) o
      cross join generate_series(1, $2::int) n
      cross join lateral (select now() - ((n * o.many + o.place) * 150) * interval '1 millisecond' as moment) at`,
    [accountId, copies],
  );
  await db.query(
    `insert into order_keys (account_id, mode, kind, key, target_id, fingerprint, created_at)
     select account_id, mode, 'reference', reference, id, ''::bytea, created_at from orders
      where account_id = $1 and reference like 'copy-%'`,
    [accountId],
  );
  await db.query("analyze orders");
}
