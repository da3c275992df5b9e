import { createHash, randomBytes } from "node:crypto";
import type { Db } from "../db/database.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import type { Visitor } from "./ask-library.ts";
import type { SessionKeys } from "./session-keys.ts";
import { IDLE_MS, insertSession } from "./sessions.repo.ts";

export const newToken = (): string => randomBytes(32).toString("base64url");

/** In which form tokens of links are kept. */
export const hashOfToken = (token: string): string => createHash("sha256").update(token).digest("base64url");

const USER_AGENT_MAX = 300;

/** `Set-Cookie` of a new session of this person, for those ways in that are not the library's. */
export async function openSession(
  db: Db,
  keys: SessionKeys,
  of: {
    readonly personId: Uuid;
    readonly visitor: Pick<Visitor, "address" | "userAgent">;
    readonly at: Date;
  },
): Promise<string> {
  const { personId, visitor, at } = of;
  const token = newToken();
  await insertSession(db, {
    id: newUuid(),
    personId,
    token,
    address: visitor.address,
    userAgent: visitor.userAgent.slice(0, USER_AGENT_MAX),
    at,
    expiresAt: new Date(at.getTime() + IDLE_MS),
  });
  return keys.cookieOf(token);
}
