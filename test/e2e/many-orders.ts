import type { Database, Db } from "../../src/db/database.ts";
import type { Uuid } from "../../src/kernel/ids.ts";

const COLUMNS =
  "mode, service, queue, state, version, event_sequence, priority, ambiguity, attempt, route, tries, tried".concat(
    ", pieces, price_kobo, tax_kobo, metadata, send_at, expires_at, ended_at",
  );

/** Copies of one statement. */
const SLICE = 2_500;

/**
 * As many copies of each of the account's orders as told, one every 150 ms up to now. Copy n of each has the number n as its
 * recipient, and that of the oldest the reference `copy-<n>`. Tokens are left out: they are sealed for their own order.
 */
export async function copyOrders(db: Database, accountId: Uuid, copies: number): Promise<void> {
  const { rows } = await db.query<{ id: Uuid }>("select id from orders where account_id = $1 order by id", [accountId]);
  const originals = rows.map(({ id }) => id);
  const until = new Date();
  for (let first = 1; first <= copies; first += SLICE)
    await copySlice(db, { accountId, originals, until, first, last: Math.min(first + SLICE - 1, copies) });
  await db.transaction(async (tx) => {
    await tx.query("set local statement_timeout = 0");
    await tx.query("analyze orders");
  });
}

interface Slice {
  readonly accountId: Uuid;
  readonly originals: readonly Uuid[];
  readonly until: Date;
  readonly first: number;
  readonly last: number;
}

async function copySlice(db: Db, { accountId, originals, until, first, last }: Slice): Promise<void> {
  await db.query(
    `with copied as (
       insert into orders (account_id, id, recipient, reference, payload, facts, created_at, updated_at, ${COLUMNS})
       select o.account_id, uuidv7_floor(at.moment),
              case o.service when 'electricity' then '13' || lpad(n::text, 9, '0')
                             when 'cable' then '13' || lpad(n::text, 8, '0')
                             else '234803' || lpad(n::text, 7, '0') end,
              case when o.id = ($2::uuid[])[1] then 'copy-' || n end,
              case when o.payload ? 'phone'
                   then o.payload || jsonb_build_object('phone', '234803' || lpad(n::text, 7, '0')) else o.payload end,
              o.facts - 'sealed_tokens', at.moment, at.moment, ${COLUMNS}
         from orders o
        cross join generate_series($3::int, $4::int) n
        cross join lateral (
          select $5::timestamptz - ((n * cardinality($2::uuid[]) + array_position($2::uuid[], o.id)) * 150) * interval '1 millisecond' as moment) at
        where o.account_id = $1 and o.id = any($2::uuid[])
       returning account_id, mode, reference, id, created_at)
     insert into order_keys (account_id, mode, kind, key, target_id, fingerprint, created_at)
     select account_id, mode, 'reference', reference, id, ''::bytea, created_at from copied where reference is not null`,
    [accountId, originals, first, last, until],
  );
}
