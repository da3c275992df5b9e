import type { Db } from "../db/database.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kernel/duration.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Membership, Person } from "./signed-in.ts";

/** An unused session ends after this time, and any after `SESSION_MS`. */
export const IDLE_MS = 12 * HOUR_MS;
export const SESSION_MS = 30 * DAY_MS;
/** Those of operators. */
const OPERATOR = { idleMs: HOUR_MS, sessionMs: 8 * HOUR_MS } as const;
/** Use is written down at most this often. */
const TOUCH_MS = 5 * MINUTE_MS;

interface SessionRow {
  session_id: Uuid;
  expires_at: Date;
  created_at: Date;
  confirmed_at: Date;
  id: Uuid;
  name: string;
  email: string;
  email_verified: boolean;
  two_factor_enabled: boolean;
  has_password: boolean;
  passkeys: number;
  is_operator: boolean;
  memberships: Membership[];
}

export interface FoundSession {
  readonly sessionId: Uuid;
  /** When the person last showed that it is they: when it began, if not since. */
  readonly confirmedAt: Date;
  readonly person: Person;
  readonly memberships: readonly Membership[];
}

const FIND = {
  name: "find_session",
  text: `
    select s.id as session_id, s.expires_at, s.created_at, coalesce(s.confirmed_at, s.created_at) as confirmed_at,
           p.id, p.name, p.email, p.email_verified, p.two_factor_enabled, k.passkeys, o.is_operator,
           exists (select from auth_credentials c where c.person_id = p.id and c.password is not null) as has_password,
           coalesce((select json_agg(json_build_object('accountId', m.account_id, 'accountName', a.name, 'role', m.role)
                                     order by m.created_at, m.account_id)
                       from account_members m join accounts a on a.id = m.account_id where m.person_id = p.id), '[]') as memberships
      from auth_sessions s join auth_people p on p.id = s.person_id
     cross join lateral (select count(*)::int as passkeys from auth_passkeys where person_id = p.id) k
     cross join lateral (select (p.two_factor_enabled or k.passkeys > 0)
                            and (p.email = $6 or exists (select from operators where person_id = p.id)) as is_operator) o
     where s.token = $1 and s.expires_at > $2 and s.created_at > $3 and p.email_verified and p.approved
       and (not o.is_operator or (s.updated_at > $4 and s.created_at > $5))`,
};

/**
 * The session with this token, and with it the person and their accounts. Its use moves its end on. Whoever has the address
 * `operatorEmail` runs the gateway.
 */
export async function findSession(
  db: Db,
  token: string,
  now: Date,
  operatorEmail: string | undefined,
): Promise<FoundSession | undefined> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const { rows } = await db.query<SessionRow>(FIND, [
    token,
    now,
    ago(SESSION_MS),
    ago(OPERATOR.idleMs),
    ago(OPERATOR.sessionMs),
    operatorEmail ?? null,
  ]);
  const [row] = rows;
  if (!row) return undefined;
  const end = Math.min(now.getTime() + IDLE_MS, row.created_at.getTime() + SESSION_MS);
  if (end - row.expires_at.getTime() > TOUCH_MS)
    await db.query(
      "update auth_sessions set expires_at = greatest(expires_at, $2::timestamptz), updated_at = $3 where id = $1",
      [row.session_id, new Date(end), now],
    );
  return {
    sessionId: row.session_id,
    confirmedAt: row.confirmed_at,
    person: {
      id: row.id,
      name: row.name,
      email: row.email,
      emailVerified: row.email_verified,
      twoFactor: row.two_factor_enabled,
      hasPassword: row.has_password,
      passkeys: row.passkeys,
      isOperator: row.is_operator,
    },
    memberships: row.memberships,
  };
}

export interface ListedSession {
  readonly id: Uuid;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** A person's sessions that have not ended, newest first. */
export async function listSessions(db: Db, person: Person, now: Date): Promise<readonly ListedSession[]> {
  const { idleMs, sessionMs } = person.isOperator ? OPERATOR : { idleMs: IDLE_MS, sessionMs: SESSION_MS };
  const { rows } = await db.query<{
    id: Uuid;
    created_at: Date;
    updated_at: Date;
    ip_address: string | null;
    user_agent: string | null;
  }>(
    `select id, created_at, updated_at, ip_address, user_agent from auth_sessions
      where person_id = $1 and expires_at > $2 and updated_at > $3 and created_at > $4
      order by created_at desc, id desc limit 100`,
    [person.id, now, new Date(now.getTime() - idleMs), new Date(now.getTime() - sessionMs)],
  );
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastUsedAt: row.updated_at,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
  }));
}

export async function confirmSession(db: Db, id: Uuid, at: Date): Promise<void> {
  await db.query("update auth_sessions set confirmed_at = $2 where id = $1", [id, at]);
}

/** Ends a session of the person. False: they have no such session. */
export async function endSession(db: Db, personId: Uuid, sessionId: Uuid): Promise<boolean> {
  const { rowCount } = await db.query("delete from auth_sessions where id = $1 and person_id = $2", [
    sessionId,
    personId,
  ]);
  return rowCount === 1;
}

/** Ends a person's sessions, all but one if it is named. */
export async function endSessions(db: Db, personId: Uuid, except?: Uuid): Promise<void> {
  await db.query("delete from auth_sessions where person_id = $1 and id is distinct from $2::uuid", [
    personId,
    except ?? null,
  ]);
}

export async function insertSession(
  db: Db,
  session: {
    readonly id: Uuid;
    readonly personId: Uuid;
    readonly token: string;
    readonly address: string;
    readonly userAgent: string;
    readonly at: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  const { id, personId, token, address, userAgent, at, expiresAt } = session;
  await db.query(
    `insert into auth_sessions (id, person_id, token, ip_address, user_agent, created_at, updated_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $6, $7)`,
    [id, personId, token, address, userAgent, at, expiresAt],
  );
}

const HASH_LENGTH = 43;
/** As many as are good at once. */
const CODES_KEPT = 3;

/** Notes the code that opened this session. False: it is among those that the person used last. */
export async function useCode(db: Db, token: string, codeHash: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update auth_second_factors f set last_code = left(concat_ws(' ', $2::text, f.last_code), $3) from auth_sessions s
      where s.token = $1 and f.person_id = s.person_id and strpos(coalesce(f.last_code, ''), $2) = 0`,
    [token, codeHash, CODES_KEPT * (HASH_LENGTH + 1) - 1],
  );
  return rowCount === 1;
}

export async function endSessionOf(db: Db, token: string): Promise<void> {
  await db.query("delete from auth_sessions where token = $1", [token]);
}
