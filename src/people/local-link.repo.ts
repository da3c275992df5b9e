import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";

/** No mail can reach it, so nobody else can sign up with it. */
export const LOCAL_OWNER = "owner@localhost.invalid";
const PREFIX = "local-link:";

/** The person who owns the local account; made with this id if there is none. */
export async function ensureLocalOwner(db: Db, id: Uuid): Promise<Uuid> {
  await db.query(
    "insert into auth_people (id, name, email, email_verified) values ($1, 'Owner', $2, true) on conflict (email) do nothing",
    [id, LOCAL_OWNER],
  );
  const { rows } = await db.query<{ id: Uuid }>("select id from auth_people where email = $1", [LOCAL_OWNER]);
  return rows[0]!.id;
}

/** Keeps a link by the hash of its token, in place of all earlier ones. */
export async function putLocalLink(
  db: Db,
  link: { readonly id: Uuid; readonly hash: string; readonly personId: Uuid; readonly expiresAt: Date },
): Promise<void> {
  await db.query("delete from auth_verifications where identifier like $1", [`${PREFIX}%`]);
  await db.query("insert into auth_verifications (id, identifier, value, expires_at) values ($1, $2, $3, $4)", [
    link.id,
    `${PREFIX}${link.hash}`,
    link.personId,
    link.expiresAt,
  ]);
}

/** Whose link it is; takes it away, so that it works once. */
export async function takeLocalLink(db: Db, hash: string, now: Date): Promise<Uuid | undefined> {
  const { rows } = await db.query<{ value: Uuid }>(
    "delete from auth_verifications where identifier = $1 and expires_at > $2 returning value",
    [`${PREFIX}${hash}`, now],
  );
  return rows[0]?.value;
}
