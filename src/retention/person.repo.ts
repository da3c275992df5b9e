import type { Db } from "../db/database.ts";
import type { ErasedName } from "../kernel/erased-name.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Addresses } from "./addresses.repo.ts";
import { isPurgeable } from "./orders.repo.ts";
import { deleteRequests, readRequests, requestsAbout } from "./requests.repo.ts";

const valuesOf = ({ accounts, modes, addresses }: Addresses) => [accounts, modes, addresses];

/** Rows of `t` whose column is one of the addresses, in its account and mode. */
const isOne = (column: string) =>
  `exists (select from unnest($1::uuid[], $2::text[], $3::text[]) a(account_id, mode, address)
            where ${column} = a.address and (a.account_id is null or t.account_id = a.account_id) and (a.mode is null or t.mode = a.mode))`;

export interface PersonsOrder {
  readonly accountId: Uuid;
  readonly id: Uuid;
  /** Nothing needs its personal data any more. */
  readonly isPurgeable: boolean;
}

/** Orders to the person, and those bought for a thing with the number as the customer's phone. */
export async function ordersOf(db: Db, addresses: Addresses, now: Date): Promise<readonly PersonsOrder[]> {
  const { rows } = await db.query<{ account_id: Uuid; id: Uuid; purgeable: boolean }>(
    `select t.account_id, t.id, coalesce(${isPurgeable("t", "$4", "$4")}, false) as purgeable
       from unnest($1::uuid[], $2::text[], $3::text[]) a(account_id, mode, address)
       join accounts c on a.account_id is null or c.id = a.account_id
       join orders t on t.account_id = c.id and t.recipient = a.address and (a.mode is null or t.mode = a.mode)
     union
     select t.account_id, t.id, coalesce(${isPurgeable("t", "$4", "$4")}, false)
       from unnest($1::uuid[], $2::text[], $3::text[]) a(account_id, mode, address)
       join orders t on t.payload ->> 'phone' = a.address
        and (a.account_id is null or t.account_id = a.account_id) and (a.mode is null or t.mode = a.mode)
      order by account_id, id`,
    [...valuesOf(addresses), now],
  );
  return rows.map((row) => ({ accountId: row.account_id, id: row.id, isPurgeable: row.purgeable }));
}

/** Tables besides orders in which the person's addresses stand, with the condition on a row `t`. */
const HELD: readonly { readonly table: string; readonly where: string }[] = [
  { table: "inbound_messages", where: isOne("t.sender") },
  { table: "chat_inbound", where: `(${isOne("t.sender")} or ${isOne("t.facts ->> 'user_id'")})` },
  { table: "people", where: isOne("t.address") },
  { table: "opt_ins", where: isOne("t.person") },
];
/** Rows that name no account: that of the number the person wrote to. */
const WINDOWS = `exists (select from unnest($1::uuid[], $2::text[], $3::text[]) a(account_id, mode, address)
   where t.recipient = a.address and (a.mode is null or t.mode = a.mode) and (a.account_id is null or exists (
     select from chat_numbers n where n.number = t.number and n.mode = t.mode and n.account_id = a.account_id)))`;
const OPT_OUTS = isOne("t.person");

/** How many rows each table has about the person, orders aside. */
export async function countHeld(db: Db, addresses: Addresses): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { table, where } of [
    ...HELD,
    { table: "chat_windows", where: WINDOWS },
    { table: "suppressions", where: OPT_OUTS },
  ]) {
    const { rows } = await db.query<{ n: bigint }>(
      `select count(*) as n from ${table} t where ${where}`,
      valuesOf(addresses),
    );
    counts[table] = Number(rows[0]!.n);
  }
  counts.request_log = (await requestsAbout(db, addresses)).length;
  return counts;
}

/** Columns that only run the gateway, and sealed secrets, which are nobody's to read in a file. */
const LEFT_OUT = ["leased_by", "leased_until", "lease_epoch", "fingerprint", "bytes"];

/** All rows about the person, as JSON, table by table: `orders` are those of `ordersOf`. */
export async function* rowsAbout(
  db: Db,
  addresses: Addresses,
  orders: readonly PersonsOrder[],
): AsyncGenerator<{ readonly table: string; readonly row: unknown }> {
  const ofOrders = [orders.map(({ accountId }) => accountId), orders.map(({ id }) => id)];
  const belongs = (column: string) =>
    `exists (select from unnest($1::uuid[], $2::uuid[]) o(account_id, id) where t.account_id = o.account_id and t.${column} = o.id)`;
  const tables = [
    { table: "orders", where: belongs("id"), values: ofOrders },
    ...["events", "notices", "attempts", "token_resends", "cases"].map((table) => ({
      table,
      where: belongs("order_id"),
      values: ofOrders,
    })),
    ...HELD.map((held) => ({ ...held, values: valuesOf(addresses) })),
    { table: "chat_windows", where: WINDOWS, values: valuesOf(addresses) },
    { table: "suppressions", where: OPT_OUTS, values: valuesOf(addresses) },
  ];
  for (const { table, where, values } of tables) {
    const { rows } = await db.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) - $${values.length + 1}::text[] as row from ${table} t where ${where}`,
      [...values, LEFT_OUT],
    );
    for (const { row } of rows) yield { table, row: withoutSealed(row) };
  }
  for (const row of await readRequests(db, await requestsAbout(db, addresses))) yield { table: "request_log", row };
}

function withoutSealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSealed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      name.startsWith("sealed_") ? [] : [[name, withoutSealed(member)]],
    ),
  );
}

/** Deletes what is not an order. Opt-outs go on under the erased names of the addresses. */
export async function deleteHeld(tx: Db, addresses: Addresses, erasedName: ErasedName): Promise<void> {
  const values = valuesOf(addresses);
  const names = addresses.addresses.map(erasedName);
  await tx.query(
    `insert into suppressions (account_id, mode, person, channel, source, id, reason, created_at, expires_at)
     select t.account_id, t.mode, a.name, t.channel, t.source, uuidv7_now(),
            case t.source when 'account' then 'manual' else t.reason end, t.created_at, t.expires_at
       from suppressions t
       join unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) a(account_id, mode, address, name)
         on (a.account_id is null or t.account_id = a.account_id) and (a.mode is null or t.mode = a.mode)
      where ${OPT_OUTS}
     on conflict (account_id, mode, person, channel, source) do nothing`,
    [...values, names],
  );
  await tx.query(`delete from suppressions t where ${OPT_OUTS}`, values);
  for (const { table, where } of HELD) await tx.query(`delete from ${table} t where ${where}`, values);
  await tx.query(`delete from chat_windows t where ${WINDOWS}`, values);
  await deleteRequests(tx, await requestsAbout(tx, addresses));
}
