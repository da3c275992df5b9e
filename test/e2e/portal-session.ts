import type { Role } from "../../src/accounts/roles.ts";
import { encodeId, newUuid, type Uuid } from "../../src/kernel/ids.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import { insertMember } from "../../src/people/members.repo.ts";
import { makeSessionKeys } from "../../src/people/session-keys.ts";
import { insertSession } from "../../src/people/sessions.repo.ts";
import type { Rig } from "./rig.ts";

/** Somebody who is signed in, and asks as the portal's pages do. */
export interface SignedIn {
  /** What their browser sends besides. */
  readonly headers: Readonly<Record<string, string>>;
  /** The session's cookie, as a browser keeps it. */
  readonly cookie: { readonly name: string; readonly value: string };
  ask<Body>(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: Body }>;
  /** An answer that is no JSON. */
  text(path: string): Promise<{ readonly text: string; readonly headers: Headers }>;
}

/** A person with this role in the account, and a session that has begun. */
export async function signIn(rig: Rig, accountId: Uuid, role: Role, mode: Mode = "test"): Promise<SignedIn> {
  const keys = makeSessionKeys(rig.secret, false);
  const [personId, sessionId, token, at] = [newUuid(), newUuid(), `token of ${newUuid()}`, new Date()];
  await rig.db.query("insert into auth_people (id, name, email, email_verified) values ($1, $2, $3, true)", [
    personId,
    role,
    `${personId}@example.com`,
  ]);
  await insertMember(rig.db, { accountId, personId, role, at });
  const expiresAt = new Date(at.getTime() + 3_600_000);
  await insertSession(rig.db, {
    id: sessionId,
    personId,
    token,
    address: "127.0.0.1",
    userAgent: "test",
    at,
    expiresAt,
  });
  const cookie = keys.cookieOf(token).split(";")[0]!;
  const split = cookie.indexOf("=");
  const headers = {
    cookie,
    "sec-fetch-site": "same-origin",
    "afara-csrf": keys.csrfTokenOf(sessionId),
    "afara-account": encodeId("acc", accountId),
    "afara-mode": mode,
  };
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${rig.gateway.base}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    headers,
    cookie: { name: cookie.slice(0, split), value: cookie.slice(split + 1) },
    async ask<Body>(method: string, path: string, body?: unknown) {
      const answer = await send(method, path, body);
      const text = await answer.text();
      return { status: answer.status, body: (text === "" ? undefined : JSON.parse(text)) as Body };
    },
    async text(path) {
      const answer = await send("GET", path);
      return {
        text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer()),
        headers: answer.headers,
      };
    },
  };
}
