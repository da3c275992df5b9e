import type { Role } from "../accounts/roles.ts";
import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";

export interface Member {
  readonly personId: Uuid;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

export interface Invitation {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly accountName: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface MemberRow {
  person_id: Uuid;
  name: string;
  email: string;
  role: Role;
  created_at: Date;
}

/** In the order in which they came. */
export async function listMembers(db: Db, accountId: Uuid): Promise<readonly Member[]> {
  const { rows } = await db.query<MemberRow>(
    `select m.person_id, p.name, p.email, m.role, m.created_at
       from account_members m join auth_people p on p.id = m.person_id
      where m.account_id = $1 order by m.created_at, m.person_id`,
    [accountId],
  );
  return rows.map(({ person_id, name, email, role, created_at }) => ({
    personId: person_id,
    name,
    email,
    role,
    createdAt: created_at,
  }));
}

export async function insertMember(
  db: Db,
  { accountId, personId, role, at }: { accountId: Uuid; personId: Uuid; role: Role; at: Date },
): Promise<void> {
  await db.query(
    `insert into account_members (account_id, person_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (account_id, person_id) do nothing`,
    [accountId, personId, role, at],
  );
}

export async function updateRole(db: Db, accountId: Uuid, personId: Uuid, role: Role): Promise<void> {
  await db.query("update account_members set role = $3 where account_id = $1 and person_id = $2", [
    accountId,
    personId,
    role,
  ]);
}

export async function deleteMember(db: Db, accountId: Uuid, personId: Uuid): Promise<void> {
  await db.query("delete from account_members where account_id = $1 and person_id = $2", [accountId, personId]);
}

export async function hasAccount(db: Db, personId: Uuid): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(
    "select exists (select from account_members where person_id = $1) as has",
    [personId],
  );
  return rows[0]!.has;
}

interface InvitationRow {
  id: Uuid;
  account_id: Uuid;
  account_name: string;
  email: string;
  role: Role;
  created_at: Date;
  expires_at: Date;
}

const INVITATIONS = `
  select i.id, i.account_id, a.name as account_name, i.email, i.role, i.created_at, i.expires_at
    from account_invitations i join accounts a on a.id = i.account_id`;

const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  accountId: row.account_id,
  accountName: row.account_name,
  email: row.email,
  role: row.role,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Open ones of an account, newest first. */
export async function invitationsOf(db: Db, accountId: Uuid, now: Date): Promise<readonly Invitation[]> {
  const { rows } = await db.query<InvitationRow>(
    `${INVITATIONS} where i.account_id = $1 and i.expires_at > $2 order by i.created_at desc, i.id desc`,
    [accountId, now],
  );
  return rows.map(invitationOf);
}

/** Open ones to an address, newest first. */
export async function invitationsTo(db: Db, email: string, now: Date): Promise<readonly Invitation[]> {
  const { rows } = await db.query<InvitationRow>(
    `${INVITATIONS} where i.email = $1 and i.expires_at > $2 order by i.created_at desc, i.id desc limit 100`,
    [email, now],
  );
  return rows.map(invitationOf);
}

/** A new one takes the place of an earlier one to the same address. */
export async function putInvitation(db: Db, invitation: Omit<Invitation, "accountName">): Promise<void> {
  const { id, accountId, email, role, createdAt, expiresAt } = invitation;
  await db.query(
    `insert into account_invitations (id, account_id, email, role, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id, email)
     do update set id = excluded.id, role = excluded.role, created_at = excluded.created_at, expires_at = excluded.expires_at`,
    [id, accountId, email, role, createdAt, expiresAt],
  );
}

/** Takes an open invitation to this address away, so that only one can accept or refuse it. */
export async function takeInvitation(
  db: Db,
  { id, email, now }: { readonly id: Uuid; readonly email: string; readonly now: Date },
): Promise<{ readonly accountId: Uuid; readonly role: Role } | undefined> {
  const { rows } = await db.query<{ account_id: Uuid; role: Role }>(
    "delete from account_invitations where id = $1 and email = $2 and expires_at > $3 returning account_id, role",
    [id, email, now],
  );
  return rows[0] && { accountId: rows[0].account_id, role: rows[0].role };
}

/** Withdraws an invitation of the account; resolves with whom it was to. */
export async function withdrawInvitation(db: Db, accountId: Uuid, id: Uuid): Promise<string | undefined> {
  const { rows } = await db.query<{ email: string }>(
    "delete from account_invitations where id = $1 and account_id = $2 returning email",
    [id, accountId],
  );
  return rows[0]?.email;
}
