import type { Db } from "../db/database.ts";
import { DAY_MS } from "../kernel/duration.ts";
import type { Uuid } from "../kernel/ids.ts";
import { forgetOldInvitations } from "./operators.repo.ts";
import { SESSION_MS } from "./sessions.repo.ts";

export interface StoredPerson {
  readonly id: Uuid;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly approved: boolean;
}

interface PersonRow {
  id: Uuid;
  name: string;
  email: string;
  email_verified: boolean;
  approved: boolean;
}

const COLUMNS = "id, name, email, email_verified, approved";
const personOf = ({ id, name, email, email_verified, approved }: PersonRow): StoredPerson => ({
  id,
  name,
  email,
  emailVerified: email_verified,
  approved,
});

/** Locks the person's row until the transaction ends. */
export async function lockPerson(db: Db, id: Uuid): Promise<StoredPerson | undefined> {
  const { rows } = await db.query<PersonRow>(`select ${COLUMNS} from auth_people where id = $1 for update`, [id]);
  return rows[0] && personOf(rows[0]);
}

export async function findPersonByEmail(db: Db, email: string): Promise<StoredPerson | undefined> {
  const { rows } = await db.query<PersonRow>(`select ${COLUMNS} from auth_people where email = $1`, [email]);
  return rows[0] && personOf(rows[0]);
}

export async function isApproved(db: Db, id: Uuid): Promise<boolean> {
  const { rows } = await db.query<{ approved: boolean }>("select approved from auth_people where id = $1", [id]);
  return rows[0]?.approved === true;
}

/** Its scrypt hash; undefined: the person has none. */
export async function findPasswordHash(db: Db, personId: Uuid): Promise<string | undefined> {
  const { rows } = await db.query<{ password: string }>(
    "select password from auth_credentials where person_id = $1 and provider_id = 'credential' and password is not null",
    [personId],
  );
  return rows[0]?.password;
}

export const hasPassword = async (db: Db, personId: Uuid): Promise<boolean> =>
  (await findPasswordHash(db, personId)) !== undefined;

/** Of a person who has none, in the form of the library. */
export async function insertPassword(db: Db, id: Uuid, personId: Uuid, hash: string): Promise<void> {
  await db.query(
    `insert into auth_credentials (id, person_id, provider_id, external_id, password)
     values ($1, $2, 'credential', $2::uuid::text, $3)`,
    [id, personId, hash],
  );
}

/**
 * Forgets who signed up with this address and never proved it: their password must not become that of the address's owner
 * when the latter signs up.
 */
export async function forgetUnproven(db: Db, email: string): Promise<void> {
  await db.query("delete from auth_people where email = $1 and not email_verified", [email]);
}

/** Proved their address, and wait for the operator; in the order of signing up. */
export async function awaitingApproval(db: Db): Promise<readonly (StoredPerson & { readonly createdAt: Date })[]> {
  const { rows } = await db.query<PersonRow & { created_at: Date }>(
    `select ${COLUMNS}, created_at from auth_people where email_verified and not approved order by created_at, id`,
  );
  return rows.map((row) => ({ ...personOf(row), createdAt: row.created_at }));
}

export async function approvePerson(db: Db, id: Uuid): Promise<void> {
  await db.query("update auth_people set approved = true, updated_at = now() where id = $1", [id]);
}

export async function deletePerson(db: Db, id: Uuid): Promise<void> {
  await db.query("delete from auth_people where id = $1", [id]);
}

/** Forgets links for a new password, and sign-ins that wait for a second factor: they were begun with the password before. */
export async function forgetBegun(db: Db, id: Uuid): Promise<void> {
  await db.query("delete from auth_verifications where value = $1", [id]);
}

const UNPROVEN_MS = 7 * DAY_MS;
const INVITATION_MS = 90 * DAY_MS;

/** Deletes what has ended: sessions, links, sign-ups that nobody proved, old invitations. */
export async function forgetEnded(db: Db, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await db.query("delete from auth_sessions where expires_at < $1 or created_at < $2", [now, ago(SESSION_MS)]);
  await db.query("delete from auth_verifications where expires_at < $1", [now]);
  await db.query("delete from auth_people where not email_verified and created_at < $1", [ago(UNPROVEN_MS)]);
  await db.query("delete from account_invitations where expires_at < $1", [ago(INVITATION_MS)]);
  await forgetOldInvitations(db, now);
}

/** Rejects while storage is away. */
export async function isReachable(db: Db): Promise<void> {
  await db.query("select");
}
