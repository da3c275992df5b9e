import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { PersonalKind } from "../kernel/purged.ts";
import type { PersonalColumns } from "../orders/personal-data.ts";
import type { Facts } from "../ports/provider.ts";

/** Rows of orders, and of what belongs to them, without their personal data. Each call is made in the transaction of one slice. */

/** One transaction purges at a time, on whichever node. False: another one does. */
export async function takeTurn(tx: Db): Promise<boolean> {
  await tx.query("select set_config('lock_timeout', '2s', true)");
  const { rows } = await tx.query<{ mine: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('afara.purge')) as mine",
  );
  return rows[0]!.mine;
}

/** The same, after whoever has its turn. */
export async function waitForTurn(tx: Db): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('afara.purge'))");
}

/** Accounts whose orders up to `before` were not all looked at for this kind, with how far it has come. */
export async function accountsToPurge(
  db: Db,
  kind: PersonalKind,
  before: Date,
): Promise<readonly { readonly accountId: Uuid; readonly upTo: Uuid }[]> {
  const { rows } = await db.query<{ account_id: Uuid; up_to: Uuid }>(
    `select a.id as account_id, coalesce(p.up_to, uuidv7_floor('epoch')) as up_to
       from accounts a left join purge_progress p on p.account_id = a.id and p.kind = $1
      where p.up_to is null or p.up_to < uuidv7_floor($2)`,
    [kind, before],
  );
  return rows.map((row) => ({ accountId: row.account_id, upTo: row.up_to }));
}

/** The account's next orders after `upTo`, made before `before`, in the order of their ids. */
export async function nextOrders(
  tx: Db,
  accountId: Uuid,
  upTo: Uuid,
  before: Date,
  limit: number,
): Promise<readonly Uuid[]> {
  const { rows } = await tx.query<{ id: Uuid }>(
    `select id from orders where account_id = $1 and id > $2 and id < uuidv7_floor($3) order by id limit $4`,
    [accountId, upTo, before, limit],
  );
  return rows.map(({ id }) => id);
}

/** How far this kind has come; null: as far as `before`. */
export async function noteProgress(
  tx: Db,
  accountId: Uuid,
  kind: PersonalKind,
  upTo: Uuid | null,
  before: Date,
): Promise<void> {
  await tx.query(
    `insert into purge_progress (account_id, kind, up_to) values ($1, $2, coalesce($3, uuidv7_floor($4)))
     on conflict (account_id, kind) do update set up_to = excluded.up_to`,
    [accountId, kind, upTo, before],
  );
}

/** Orders that wait for their end. */
export async function dueAgain(
  tx: Db,
  kind: string,
  now: Date,
  limit: number,
): Promise<ReadonlyMap<Uuid, readonly Uuid[]>> {
  const { rows } = await tx.query<{ account_id: Uuid; order_id: Uuid }>(
    "select account_id, order_id from purges_put_off where kind = $1 and due_at <= $2 order by due_at limit $3",
    [kind, now, limit],
  );
  const byAccount = Map.groupBy(rows, (row) => row.account_id);
  return new Map([...byAccount].map(([account, same]) => [account, same.map((row) => row.order_id)]));
}

export async function putOff(tx: Db, kind: string, accountId: Uuid, ids: readonly Uuid[], dueAt: Date): Promise<void> {
  await tx.query(
    `insert into purges_put_off (kind, account_id, order_id, due_at) select $1, $2, id, $4 from unnest($3::uuid[]) id
     on conflict (kind, account_id, order_id) do update set due_at = excluded.due_at`,
    [kind, accountId, ids, dueAt],
  );
}

export async function putOffNoMore(tx: Db, kind: string, accountId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await tx.query("delete from purges_put_off where kind = $1 and account_id = $2 and order_id = any($3::uuid[])", [
    kind,
    accountId,
    ids,
  ]);
}

export interface PurgeableOrder extends PersonalColumns {
  readonly id: Uuid;
  readonly mode: Mode;
  readonly service: string;
  readonly reference: string | null;
  readonly groupId: Uuid | null;
}

/** For so long after an attempt its vendor may still be asked about it, to compare its books: by the number. */
const COMPARED_DAYS = 5;

/** Whether nothing needs the personal data of an order: it ended by `endedBy`, has no open case, and its vendors' books were compared. */
export const isPurgeable = (order: string, endedBy: string, now: string): string =>
  `${order}.ended_at <= ${endedBy}
   and not exists (select from cases c where c.order_id = ${order}.id and c.closed_at is null)
   and not exists (select from attempts a where a.account_id = ${order}.account_id and a.order_id = ${order}.id
                      and a.reconciled_at is null and a.begun_at > ${now}::timestamptz - interval '${COMPARED_DAYS} days')`;

/** Locks those of the orders whose personal data nothing needs. */
export async function lockEnded(
  tx: Db,
  accountId: Uuid,
  ids: readonly Uuid[],
  endedBy: Date,
  now: Date,
): Promise<readonly PurgeableOrder[]> {
  const { rows } = await tx.query<PersonalColumns & Omit<PurgeableOrder, "groupId"> & { group_id: Uuid | null }>(
    `select id, mode, service, recipient, payload, facts, metadata, reference, group_id from orders o
      where account_id = $1 and id = any($2::uuid[]) and ${isPurgeable("o", "$3", "$4")}
      order by id for update skip locked`,
    [accountId, ids, endedBy, now],
  );
  return rows.map(({ group_id: groupId, ...row }) => ({ ...row, groupId }));
}

/** A change that was decided on the row as it was before is stale, so the version goes on. */
export async function storeColumns(
  tx: Db,
  accountId: Uuid,
  orders: readonly (PersonalColumns & { readonly id: Uuid })[],
): Promise<void> {
  const json = (value: unknown | Facts | null) => (value === null ? null : JSON.stringify(value));
  await tx.query(
    `update orders o
        set recipient = c.recipient, payload = c.payload, facts = c.facts, metadata = c.metadata, version = o.version + 1
       from unnest($2::uuid[], $3::text[], $4::jsonb[], $5::jsonb[], $6::jsonb[]) c(id, recipient, payload, facts, metadata)
      where o.account_id = $1 and o.id = c.id`,
    [
      accountId,
      orders.map(({ id }) => id),
      orders.map(({ recipient }) => recipient),
      orders.map(({ payload }) => json(payload)),
      orders.map(({ facts }) => json(facts)),
      orders.map(({ metadata }) => json(metadata)),
    ],
  );
}

/** Free words in entries of timelines: vendors', and the proof that the operator gave. */
const WORDS = ["answer", "proof", "requery"];

/** Vendors' words in timelines, in closed cases and in what customers were not told. */
export async function forgetWords(tx: Db, accountId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await tx.query(
    `update events set detail = detail - $3::text[]
      where account_id = $1 and order_id = any($2::uuid[]) and detail ?| $3::text[]`,
    [accountId, ids, WORDS],
  );
  await tx.query(
    `update notices set refusal = refusal || '{"detail": ""}'
      where account_id = $1 and order_id = any($2::uuid[]) and refusal is not null`,
    [accountId, ids],
  );
  await tx.query("update cases set evidence = '{}', resolution = null where order_id = any($1::uuid[])", [ids]);
}

/** The fingerprint of a request could be found again by trying numbers; without it the reference is only known as used. */
export async function forgetFingerprints(
  tx: Db,
  accountId: Uuid,
  references: readonly { readonly mode: Mode; readonly reference: string }[],
): Promise<void> {
  if (references.length === 0) return;
  await tx.query(
    `update order_keys k set fingerprint = '' from unnest($2::text[], $3::text[]) r(mode, reference)
      where k.account_id = $1 and k.mode = r.mode and k.kind = 'reference' and k.key = r.reference and k.fingerprint <> ''`,
    [accountId, references.map(({ mode }) => mode), references.map(({ reference }) => reference)],
  );
}

export interface PurgeableGroup {
  readonly id: Uuid;
  readonly mode: Mode;
  readonly service: string;
  readonly payload: unknown;
}

/** Locks the groups among these that have ended. */
export async function lockGroups(tx: Db, accountId: Uuid, ids: readonly Uuid[]): Promise<readonly PurgeableGroup[]> {
  const { rows } = await tx.query<PurgeableGroup & { [column: string]: unknown }>(
    `select id, mode, service, payload from order_groups
      where account_id = $1 and id = any($2::uuid[]) and ended_at is not null order by id for update`,
    [accountId, ids],
  );
  return rows;
}

export async function storeGroup(tx: Db, accountId: Uuid, id: Uuid, payload: unknown): Promise<void> {
  await tx.query("update order_groups set payload = $3 where account_id = $1 and id = $2", [
    accountId,
    id,
    JSON.stringify(payload),
  ]);
}
