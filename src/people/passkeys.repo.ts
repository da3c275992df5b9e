import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";

export interface Passkey {
  readonly id: Uuid;
  readonly personId: Uuid;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  /** Goes up with each use, or is always 0. */
  readonly counter: number;
  /** How the browser reaches it, as it says itself: `internal`, `hybrid`, `usb` … */
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

interface PasskeyRow {
  id: Uuid;
  person_id: Uuid;
  credential_id: Buffer;
  public_key: Buffer;
  counter: bigint;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

const COLUMNS = "id, person_id, credential_id, public_key, counter, transports, name, created_at, last_used_at";

const passkeyOf = (row: PasskeyRow): Passkey => ({
  id: row.id,
  personId: row.person_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: Number(row.counter),
  transports: row.transports,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

/** Of a person, in the order in which they were added. */
export async function listPasskeys(db: Db, personId: Uuid): Promise<readonly Passkey[]> {
  const { rows } = await db.query<PasskeyRow>(
    `select ${COLUMNS} from auth_passkeys where person_id = $1 order by created_at, id`,
    [personId],
  );
  return rows.map(passkeyOf);
}

export async function findPasskey(db: Db, credentialId: Buffer): Promise<Passkey | undefined> {
  const { rows } = await db.query<PasskeyRow>(`select ${COLUMNS} from auth_passkeys where credential_id = $1`, [
    credentialId,
  ]);
  return rows[0] && passkeyOf(rows[0]);
}

/** False: somebody has it already. */
export async function insertPasskey(db: Db, passkey: Omit<Passkey, "lastUsedAt">): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into auth_passkeys (id, person_id, credential_id, public_key, counter, transports, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing`,
    [
      passkey.id,
      passkey.personId,
      passkey.credentialId,
      passkey.publicKey,
      passkey.counter,
      passkey.transports,
      passkey.name,
      passkey.createdAt,
    ],
  );
  return rowCount === 1;
}

/** Notes a use. False: its counter has not gone up, so that there are two of it. */
export async function usePasskey(db: Db, id: Uuid, counter: number, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update auth_passkeys set counter = $2, last_used_at = $3
      where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
    [id, counter, at],
  );
  return rowCount === 1;
}

export async function deletePasskey(db: Db, personId: Uuid, id: Uuid): Promise<boolean> {
  const { rowCount } = await db.query("delete from auth_passkeys where id = $1 and person_id = $2", [id, personId]);
  return rowCount === 1;
}

/** False: what has this id was spent before. Kept until its end, when it is worth nothing anyway. */
export async function spendOnce(db: Db, id: Uuid, endsAt: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into auth_verifications (id, identifier, value, expires_at) values ($1, 'passkey-challenge', '', $2)
     on conflict (id) do nothing`,
    [id, endsAt],
  );
  return rowCount === 1;
}
