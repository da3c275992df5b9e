import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { DisabledReason, Endpoint, ShownEndpoint, Status, Whose } from "./endpoint.ts";

export interface EndpointRow {
  id: Uuid;
  account_id: Uuid;
  mode: Mode;
  url: string;
  types: string[];
  description: string | null;
  may_vend: boolean;
  status: Status;
  disabled_reason: DisabledReason | null;
  missed_before: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const endpointFrom = (row: EndpointRow): Endpoint => ({
  id: row.id,
  accountId: row.account_id,
  mode: row.mode,
  url: row.url,
  types: row.types,
  description: row.description,
  mayVend: row.may_vend,
  status: row.status,
  disabledReason: row.disabled_reason,
  missedBefore: row.missed_before,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** An endpoint that starts after this position of the feed. Call it with the account's row locked. */
export async function insertEndpoint(db: Db, endpoint: Endpoint, position: bigint): Promise<void> {
  await db.query(
    `insert into webhook_endpoints (id, account_id, mode, url, types, description, may_vend, status, created_at, updated_at, position)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`,
    [
      endpoint.id,
      endpoint.accountId,
      endpoint.mode,
      endpoint.url,
      endpoint.types,
      endpoint.description,
      endpoint.mayVend,
      endpoint.status,
      endpoint.createdAt,
      position,
    ],
  );
}

/** The number of an account's endpoints. Those who make one wait for each other, so that they can be counted. */
export async function lockAndCount(db: Db, { accountId, mode }: Whose): Promise<number> {
  await db.query("select 1 from accounts where id = $1 for no key update", [accountId]);
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from webhook_endpoints where account_id = $1 and mode = $2",
    [accountId, mode],
  );
  return rows[0]!.count;
}

const SHOWN = `select e.*, (select k.public_key from webhook_keys k where k.endpoint_id = e.id and k.expires_at is null) as public_key
  from webhook_endpoints e`;

interface ShownRow extends EndpointRow {
  public_key: string;
  waiting: number;
  failing_since: Date | null;
  rest_until: Date | null;
}

const shownFrom = (row: ShownRow): ShownEndpoint => ({
  ...endpointFrom(row),
  publicKey: row.public_key,
  waiting: row.waiting,
  failingSince: row.failing_since,
  restUntil: row.rest_until,
});

/** Newest first. */
export async function listEndpoints(
  db: Db,
  { accountId, mode, beforeId, limit }: Whose & { readonly beforeId: Uuid | undefined; readonly limit: number },
): Promise<readonly ShownEndpoint[]> {
  const { rows } = await db.query<ShownRow>(
    `${SHOWN} where e.account_id = $1 and e.mode = $2 and ($3::uuid is null or e.id < $3) order by e.id desc limit $4`,
    [accountId, mode, beforeId ?? null, limit],
  );
  return rows.map(shownFrom);
}

export async function findEndpoint(db: Db, { accountId, mode }: Whose, id: Uuid): Promise<ShownEndpoint | undefined> {
  const { rows } = await db.query<ShownRow>(`${SHOWN} where e.id = $1 and e.account_id = $2 and e.mode = $3`, [
    id,
    accountId,
    mode,
  ]);
  return rows[0] && shownFrom(rows[0]);
}

/** The same, for a change in this transaction. */
export async function lockEndpoint(db: Db, { accountId, mode }: Whose, id: Uuid): Promise<Endpoint | undefined> {
  const { rows } = await db.query<EndpointRow>(
    "select * from webhook_endpoints where id = $1 and account_id = $2 and mode = $3 for no key update",
    [id, accountId, mode],
  );
  return rows[0] && endpointFrom(rows[0]);
}

/**
 * Stores what a person has changed. With another address or status the holder's lease ends at once, and the endpoint begins with a clean
 * slate.
 */
export async function updateEndpoint(db: Db, endpoint: Endpoint, isAnew: boolean): Promise<void> {
  await db.query(
    `update webhook_endpoints
        set url = $2, types = $3, description = $4, status = $5, disabled_reason = $6, updated_at = $7, may_vend = $8
      where id = $1`,
    [
      endpoint.id,
      endpoint.url,
      endpoint.types,
      endpoint.description,
      endpoint.status,
      endpoint.disabledReason,
      endpoint.updatedAt,
      endpoint.mayVend,
    ],
  );
  if (!isAnew) return;
  await db.query(
    `update webhook_endpoints
        set lease_epoch = lease_epoch + 1, leased_by = null, leased_until = null, next_at = $2,
            failures = 0, failing_since = null, rests = 0, rest_until = null
      where id = $1`,
    [endpoint.id, endpoint.updatedAt],
  );
}

/** The keys changed: whoever delivers reads them anew. */
export async function touchEndpoint(db: Db, id: Uuid, at: Date): Promise<void> {
  await db.query("update webhook_endpoints set updated_at = $2 where id = $1", [id, at]);
}

export async function deleteEndpoint(db: Db, id: Uuid): Promise<void> {
  await db.query("delete from webhook_endpoints where id = $1", [id]);
}

/** Endpoints without anything to read go on with the feed, so that they do not seem to have missed what is dropped from it. */
export async function moveIdle(db: Db, head: bigint): Promise<void> {
  await db.query(
    `update webhook_endpoints e set position = $1
      where e.position < $1 and e.leased_until is null and e.done = '{}'
        and not exists (select 1 from feed f where f.account_id = e.account_id and f.mode = e.mode and f.position > e.position)`,
    [head],
  );
}

/** Endpoints that have not read what is leaving the feed: they go on behind it, and say so. */
export async function markMissed(db: Db, oldest: bigint, oldestAt: Date): Promise<readonly Endpoint[]> {
  const { rows } = await db.query<EndpointRow>(
    `update webhook_endpoints set position = $1, done = '{}', missed_before = $2
      where position < $1 and leased_until is null returning *`,
    [oldest, oldestAt],
  );
  return rows.map(endpointFrom);
}
