import type { Role } from "../accounts/roles.ts";
import type { Db } from "../db/database.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { insertMember } from "../people/members.repo.ts";
import { makeSessionKeys } from "../people/session-keys.ts";
import { insertSession } from "../people/sessions.repo.ts";

/** A new person with this role in the account, signed in, and what their browser sends. `secret`: the gateway's. */
export async function signInPerson(db: Db, secret: string, accountId: Uuid, role: Role) {
  const keys = makeSessionKeys(secret, false);
  const [personId, sessionId, token, at] = [newUuid(), newUuid(), `token of ${newUuid()}`, new Date()];
  const email = `${personId}@example.com`;
  await db.query("insert into auth_people (id, name, email, email_verified) values ($1, $2, $3, true)", [
    personId,
    role,
    email,
  ]);
  await insertMember(db, { accountId, personId, role, at });
  const expiresAt = new Date(at.getTime() + 3_600_000);
  await insertSession(db, { id: sessionId, personId, token, address: "127.0.0.1", userAgent: "test", at, expiresAt });
  const cookie = keys.cookieOf(token).split(";")[0]!;
  return { personId, headers: { cookie, "sec-fetch-site": "same-origin", "afara-csrf": keys.csrfTokenOf(sessionId) } };
}
