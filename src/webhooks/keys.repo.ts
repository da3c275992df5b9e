import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { SealedKey, WebhookSeal } from "./sealed.ts";
import type { SigningKey } from "./signing.ts";

interface KeyRow {
  id: Uuid;
  endpoint_id: Uuid;
  secret: string;
  private_key: string;
  expires_at: Date | null;
}

/** A key that signs until its end. */
export interface EndingKey extends SigningKey {
  /** Null: the current key. */
  readonly expiresAt: Date | null;
}

/** The keys that sign now, by endpoint; the current one first. Without those that can't be opened. */
export async function keysOf(
  db: Db,
  seal: WebhookSeal,
  endpointIds: readonly Uuid[],
  now: Date,
): Promise<ReadonlyMap<Uuid, readonly EndingKey[]>> {
  const { rows } = await db.query<KeyRow>(
    {
      name: "webhook_keys_of",
      text: `select id, endpoint_id, secret, private_key, expires_at from webhook_keys
              where endpoint_id = any($1::uuid[]) and (expires_at is null or expires_at > $2)
              order by expires_at desc nulls first`,
    },
    [endpointIds, now],
  );
  const open = ({ id, secret, private_key, expires_at }: KeyRow): EndingKey | readonly [] => {
    try {
      return { ...seal.openKey({ id, secret, privateKey: private_key }), expiresAt: expires_at };
    } catch {
      // Tampered with, or sealed with another secret of the server.
      return [];
    }
  };
  return new Map(
    [...Map.groupBy(rows, ({ endpoint_id }) => endpoint_id)].map(([id, same]) => [id, same.flatMap(open)]),
  );
}

/** A public key, as receivers see it. */
export interface PublicKey {
  readonly publicKey: string;
  readonly createdAt: Date;
  /** Null: the current key. */
  readonly expiresAt: Date | null;
}

/** The current key first. Empty: there is no such endpoint. */
export async function publicKeysOf(db: Db, endpointId: Uuid, now: Date): Promise<readonly PublicKey[]> {
  const { rows } = await db.query<{ public_key: string; created_at: Date; expires_at: Date | null }>(
    `select public_key, created_at, expires_at from webhook_keys
      where endpoint_id = $1 and (expires_at is null or expires_at > $2) order by expires_at desc nulls first`,
    [endpointId, now],
  );
  return rows.map((row) => ({ publicKey: row.public_key, createdAt: row.created_at, expiresAt: row.expires_at }));
}

export interface NewKey {
  readonly endpointId: Uuid;
  readonly sealed: SealedKey;
  readonly publicKey: string;
  readonly at: Date;
}

export async function insertKey(db: Db, { endpointId, sealed, publicKey, at }: NewKey): Promise<void> {
  await db.query(
    "insert into webhook_keys (id, endpoint_id, secret, private_key, public_key, created_at) values ($1, $2, $3, $4, $5, $6)",
    [sealed.id, endpointId, sealed.secret, sealed.privateKey, publicKey, at],
  );
}

/** Ends all keys of an endpoint at that time, or earlier if that was decided before; forgets ended ones. Returns how many sign now. */
export async function endKeys(db: Db, endpointId: Uuid, until: Date, now: Date): Promise<number> {
  await db.query("delete from webhook_keys where endpoint_id = $1 and expires_at <= $2", [endpointId, now]);
  const { rowCount } = await db.query(
    "update webhook_keys set expires_at = least(expires_at, $2) where endpoint_id = $1",
    [endpointId, until],
  );
  return rowCount ?? 0;
}
