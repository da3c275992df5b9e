import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";

export interface StoredOperator {
  readonly id: Uuid;
  readonly email: string;
  /** Null: invited, and has not come. */
  readonly personId: Uuid | null;
  readonly hasSecondFactor: boolean;
  readonly linkExpiresAt: Date | null;
  readonly createdAt: Date;
}

interface OperatorRow {
  id: Uuid;
  email: string;
  person_id: Uuid | null;
  has_second_factor: boolean;
  link_expires_at: Date | null;
  created_at: Date;
}

/** The address $1 is that of a person who is one without having been invited. */
const OPERATORS = `
  select o.id, o.email, o.person_id, o.link_expires_at, o.created_at,
         coalesce(p.two_factor_enabled, false) or exists (select from auth_passkeys k where k.person_id = p.id) as has_second_factor
    from (select id, email, person_id, link_expires_at, created_at from operators
          union all select id, email, id, null, created_at from auth_people where email = $1) o
    left join auth_people p on p.id = o.person_id
   order by o.email`;

const operatorOf = (row: OperatorRow): StoredOperator => ({
  id: row.id,
  email: row.email,
  personId: row.person_id,
  hasSecondFactor: row.has_second_factor,
  linkExpiresAt: row.link_expires_at,
  createdAt: row.created_at,
});

/** In the order of their addresses. */
export async function listOperators(db: Db, ownerEmail: string | undefined): Promise<readonly StoredOperator[]> {
  const { rows } = await db.query<OperatorRow>(OPERATORS, [ownerEmail ?? null]);
  return rows.map(operatorOf);
}

/** Keeps an invitation by the hash of its link, in place of an earlier one. Undefined: there is such an operator. */
export async function putOperatorInvitation(
  db: Db,
  invitation: {
    readonly id: Uuid;
    readonly email: string;
    readonly linkHash: string;
    readonly at: Date;
    readonly expiresAt: Date;
  },
): Promise<Uuid | undefined> {
  const { id, email, linkHash, at, expiresAt } = invitation;
  const { rows } = await db.query<{ id: Uuid }>(
    `insert into operators as o (id, email, link_hash, link_expires_at, created_at) values ($1, $2, $3, $4, $5)
     on conflict (email) do update set link_hash = excluded.link_hash, link_expires_at = excluded.link_expires_at
      where o.person_id is null returning id`,
    [id, email, linkHash, expiresAt, at],
  );
  return rows[0]?.id;
}

/** Whether `takeOperatorInvitation` would take it. */
export async function hasOperatorInvitation(
  db: Db,
  { email, linkHash, now }: { readonly email: string; readonly linkHash: string; readonly now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean }>(
    `select exists (select from operators
      where email = $1 and person_id is null and link_hash = $2 and link_expires_at > $3) as is`,
    [email, linkHash, now],
  );
  return rows[0]!.is;
}

/** Takes the invitation of this person up, so that its link works once. */
export async function takeOperatorInvitation(
  db: Db,
  taken: { readonly email: string; readonly personId: Uuid; readonly linkHash: string; readonly now: Date },
): Promise<Uuid | undefined> {
  const { email, personId, linkHash, now } = taken;
  const { rows } = await db.query<{ id: Uuid }>(
    `update operators set person_id = $2, link_hash = null, link_expires_at = null
      where email = $1 and person_id is null and link_hash = $3 and link_expires_at > $4 returning id`,
    [email, personId, linkHash, now],
  );
  return rows[0]?.id;
}

/** Whether somebody with this address is invited and has not come. */
export async function isInvitedAsOperator(db: Db, email: string, now: Date): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean }>(
    "select exists (select from operators where email = $1 and person_id is null and link_expires_at > $2) as is",
    [email, now],
  );
  return rows[0]!.is;
}

export async function deleteOperator(db: Db, email: string): Promise<StoredOperator | undefined> {
  const { rows } = await db.query<OperatorRow>(
    `delete from operators where email = $1
     returning id, email, person_id, link_expires_at, created_at, false as has_second_factor`,
    [email],
  );
  return rows[0] && operatorOf(rows[0]);
}

export async function forgetOldInvitations(db: Db, now: Date): Promise<void> {
  await db.query("delete from operators where person_id is null and link_expires_at < $1", [now]);
}
