import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { KeyTerms } from "./key-terms.ts";

export interface NewKey {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly hash: Buffer;
  readonly start: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly services?: readonly string[] | null;
  readonly cidrs?: readonly string[] | null;
  readonly expiresAt?: Date | null;
  readonly spendCapKobo?: Kobo | null;
  /** The key whose cap it shares: the one it replaces. */
  readonly spendsAs?: Uuid | null;
  /** The person who makes it in the portal. */
  readonly madeBy?: Uuid | null;
}

/** False if the same key is already stored. */
export async function insertKey(db: Db, key: NewKey): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into api_keys (id, account_id, mode, hash, start, last4, scopes, services, cidrs, expires_at, spend_cap_kobo, spends_as, made_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict (hash) do nothing`,
    [
      key.id,
      key.accountId,
      key.mode,
      key.hash,
      key.start,
      key.last4,
      key.scopes,
      key.services ?? null,
      key.cidrs ?? null,
      key.expiresAt ?? null,
      key.spendCapKobo ?? null,
      key.spendsAs ?? null,
      key.madeBy ?? null,
    ],
  );
  return (rowCount ?? 0) > 0;
}

export interface KeyRow {
  id: Uuid;
  account_id: Uuid;
  suspended: boolean;
  mode: Mode;
  services: string[] | null;
  scopes: string[];
  cidrs: string[] | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  rolled_at: Date | null;
  rolled_until: Date | null;
  spend_cap_kobo: bigint | null;
  spends_as: Uuid;
  default_sender: string | null;
  subscriptions: Record<string, { plan: string }>;
}

/** Keys by the HMAC of their text (in hex), with all their permissions, in one query. */
export async function findKeys(db: Db, hashes: readonly Buffer[]): Promise<ReadonlyMap<string, KeyRow>> {
  const { rows } = await db.query<KeyRow & { hash: Buffer }>(
    {
      name: "find_keys",
      text: `select k.hash, k.id, k.account_id, a.suspended_at is not null as suspended, k.mode, k.services, k.scopes, k.cidrs,
                    k.expires_at, k.revoked_at, k.rolled_at, k.rolled_until, k.spend_cap_kobo, coalesce(k.spends_as, k.id) as spends_as, a.default_sender,
                    coalesce((select jsonb_object_agg(s.service, jsonb_build_object('plan', s.plan))
                                from subscriptions s where s.account_id = k.account_id), '{}') as subscriptions
               from api_keys k join accounts a on a.id = k.account_id where k.hash = any($1::bytea[])`,
    },
    [hashes],
  );
  return new Map(rows.map((row) => [row.hash.toString("hex"), row]));
}

export type AccountTermsRow = Pick<KeyRow, "suspended" | "default_sender" | "subscriptions">;

/** What all keys of an account, and its people, have in common. */
export async function findAccountTerms(db: Db, accountId: Uuid): Promise<AccountTermsRow | undefined> {
  const { rows } = await db.query<AccountTermsRow>(
    {
      name: "find_account_terms",
      text: `select a.suspended_at is not null as suspended, a.default_sender,
                    coalesce((select jsonb_object_agg(s.service, jsonb_build_object('plan', s.plan))
                                from subscriptions s where s.account_id = a.id), '{}') as subscriptions
               from accounts a where a.id = $1`,
    },
    [accountId],
  );
  return rows[0];
}

/** A key as shown to people: never in full. */
export interface StoredKey extends KeyTerms {
  readonly id: Uuid;
  readonly start: string;
  readonly last4: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  readonly rolled: { readonly at: Date; readonly until: Date; readonly by: Uuid } | null;
  readonly spendsAs: Uuid;
  /** The person who made it in the portal, and whether they are a member yet. */
  readonly madeBy: { readonly id: Uuid; readonly name: string; readonly isMember: boolean } | null;
  /** To about two minutes. */
  readonly lastUsedAt: Date | null;
}

interface StoredRow {
  id: Uuid;
  account_id: Uuid;
  mode: Mode;
  start: string;
  last4: string;
  services: string[] | null;
  scopes: string[];
  cidrs: string[] | null;
  expires_at: Date | null;
  spend_cap_kobo: bigint | null;
  created_at: Date;
  revoked_at: Date | null;
  rolled_at: Date | null;
  rolled_until: Date | null;
  replaced_by: Uuid | null;
  spends_as: Uuid;
  made_by: { readonly id: Uuid; readonly name: string; readonly isMember: boolean } | null;
  last_used_at: Date | null;
}

const storedOf = (row: StoredRow): StoredKey => ({
  id: row.id,
  accountId: row.account_id,
  mode: row.mode,
  start: row.start,
  last4: row.last4,
  services: row.services,
  scopes: row.scopes,
  cidrs: row.cidrs,
  expiresAt: row.expires_at,
  spendCapKobo: row.spend_cap_kobo === null ? null : kobo(row.spend_cap_kobo),
  createdAt: row.created_at,
  spendsAs: row.spends_as,
  revokedAt: row.revoked_at,
  rolled:
    row.rolled_at && row.rolled_until && row.replaced_by
      ? { at: row.rolled_at, until: row.rolled_until, by: row.replaced_by }
      : null,
  madeBy: row.made_by,
  lastUsedAt: row.last_used_at,
});

const STORED = `id, account_id, mode, start, last4, services, scopes, cidrs, expires_at, spend_cap_kobo, created_at, revoked_at,
                rolled_at, rolled_until, replaced_by, coalesce(spends_as, id) as spends_as, last_used_at,
                (select json_build_object('id', p.id, 'name', p.name, 'isMember', exists (
                          select from account_members m where m.account_id = api_keys.account_id and m.person_id = p.id))
                   from auth_people p where p.id = made_by) as made_by`;

/** Newest first. */
export async function listKeys(db: Db, accountId: Uuid): Promise<readonly StoredKey[]> {
  const { rows } = await db.query<StoredRow>(`select ${STORED} from api_keys where account_id = $1 order by id desc`, [
    accountId,
  ]);
  return rows.map(storedOf);
}

/** A page of an account's keys in one mode, newest first. */
export async function keysPage(
  db: Db,
  page: {
    readonly accountId: Uuid;
    readonly mode: Mode;
    readonly beforeId: Uuid | undefined;
    readonly limit: number;
  },
): Promise<readonly StoredKey[]> {
  const { rows } = await db.query<StoredRow>(
    `select ${STORED} from api_keys
      where account_id = $1 and mode = $2 and ($3::uuid is null or id < $3) order by id desc limit $4`,
    [page.accountId, page.mode, page.beforeId ?? null, page.limit],
  );
  return rows.map(storedOf);
}

export async function findKey(db: Db, id: Uuid): Promise<StoredKey | undefined> {
  const { rows } = await db.query<StoredRow>(`select ${STORED} from api_keys where id = $1`, [id]);
  return rows[0] && storedOf(rows[0]);
}

/** Locks the key's row until the transaction ends, so that concurrent changes see each other. */
export async function lockKey(db: Db, id: Uuid): Promise<StoredKey | undefined> {
  const { rows } = await db.query<StoredRow>(`select ${STORED} from api_keys where id = $1 for update`, [id]);
  return rows[0] && storedOf(rows[0]);
}

export async function setTerms(db: Db, id: Uuid, { cidrs, spendCapKobo }: KeyTerms): Promise<void> {
  await db.query("update api_keys set cidrs = $2, spend_cap_kobo = $3 where id = $1", [id, cidrs, spendCapKobo]);
}

export async function setRevoked(db: Db, id: Uuid, at: Date): Promise<void> {
  await db.query("update api_keys set revoked_at = $2 where id = $1", [id, at]);
}

export async function setRolled(db: Db, id: Uuid, rolled: { by: Uuid; at: Date; until: Date }): Promise<void> {
  await db.query("update api_keys set replaced_by = $2, rolled_at = $3, rolled_until = $4 where id = $1", [
    id,
    rolled.by,
    rolled.at,
    rolled.until,
  ]);
}

/** Revokes the keys that a person made and that still work. */
export async function revokeKeysOf(db: Db, accountId: Uuid, personId: Uuid, at: Date): Promise<readonly Uuid[]> {
  const { rows } = await db.query<{ id: Uuid }>(
    `update api_keys set revoked_at = $3 where account_id = $1 and made_by = $2 and ${LIVES} returning id`,
    [accountId, personId, at],
  );
  return rows.map(({ id }) => id);
}

/** Keys of both modes that a person made and that still work, newest first. */
export async function liveKeysOf(db: Db, accountId: Uuid, personId: Uuid, at: Date): Promise<readonly StoredKey[]> {
  const { rows } = await db.query<StoredRow>(
    `select ${STORED} from api_keys where account_id = $1 and made_by = $2 and ${LIVES} order by id desc limit 500`,
    [accountId, personId, at],
  );
  return rows.map(storedOf);
}

/** Of a key at the time `$3`. */
const LIVES =
  "revoked_at is null and (expires_at is null or expires_at > $3) and (rolled_until is null or rolled_until > $3)";

/** At most one write per minute and key, from any number of nodes. */
export async function recordLastUsed(db: Db, uses: readonly { keyId: string; at: Date }[]): Promise<void> {
  await db.query(
    {
      name: "record_last_used",
      text: `update api_keys k set last_used_at = u.at from unnest($1::uuid[], $2::timestamptz[]) u(id, at)
              where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at - interval '1 minute')`,
    },
    [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at)],
  );
}
