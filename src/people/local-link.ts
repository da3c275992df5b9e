import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { ensureLocalOwner, putLocalLink, takeLocalLink } from "./local-link.repo.ts";
import { insertMember } from "./members.repo.ts";
import { hashOfToken, newToken, openSession } from "./open-session.ts";
import type { SessionKeys } from "./session-keys.ts";

export interface LocalLinks {
  /** The token of a link that signs in the owner of this account once. An earlier one is worth nothing any more. */
  make(accountId: Uuid): Promise<string>;
  /** `Set-Cookie` of a new session; undefined: the token is used, replaced or a day old. */
  enter(token: string, visitor: { readonly address: string; readonly userAgent: string }): Promise<string | undefined>;
}

/** Nobody has to sign up to look around on their own machine: its terminal shows a link. Not made in production. */
export function makeLocalLinks(parts: {
  readonly db: Database;
  readonly clock: Clock;
  readonly keys: SessionKeys;
}): LocalLinks {
  const { db, clock, keys } = parts;
  return {
    make: (accountId) =>
      db.transaction(async (tx) => {
        const at = clock.now();
        const personId = await ensureLocalOwner(tx, newUuid());
        await insertMember(tx, { accountId, personId, role: "owner", at });
        const token = newToken();
        const expiresAt = new Date(at.getTime() + DAY_MS);
        await putLocalLink(tx, { id: newUuid(), hash: hashOfToken(token), personId, expiresAt });
        return token;
      }),
    enter: (token, visitor) =>
      db.transaction(async (tx) => {
        const at = clock.now();
        const personId = await takeLocalLink(tx, hashOfToken(token), at);
        return personId && openSession(tx, keys, { personId, visitor, at });
      }),
  };
}
