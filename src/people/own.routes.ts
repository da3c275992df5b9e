import type { Database } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import type { Clock } from "../kernel/clock.ts";
import { decodeId, encodeId, newUuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import type { AskLibrary } from "./ask-library.ts";
import { BASE_PATH } from "./library.ts";
import { guessable, isGuessable } from "./passwords.ts";
import { hasPassword, insertPassword, lockPerson } from "./people.repo.ts";
import * as schemas from "./people.schemas.ts";
import { endSession, endSessions, listSessions } from "./sessions.repo.ts";
import { BODY_BYTES } from "./sign-in.routes.ts";
import type { Person } from "./signed-in.ts";
import type { Throttle } from "./throttle.ts";
import { answer, type Visits } from "./visitor.replies.ts";

export interface OwnRoutesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly visits: Visits;
  readonly ask: AskLibrary;
  readonly throttle: Throttle;
  readonly passwordChanged: (person: Person, origin: string) => Promise<void>;
}

/** What signed-in people do with their own password, second factor and sessions. */
export function ownRoutes(app: Http, { db, clock, visits, ask, throttle, passwordChanged }: OwnRoutesOptions): void {
  const config = { auth: "public" as const };
  const confirmed = { ...config, confirmed: true as const };

  app.post(`${BASE_PATH}/sign-out`, { config, schema: { hide: true } }, async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const asked = await ask(from.value.visitor, { method: "POST", path: "/sign-out" });
    return answer(reply, asked, { object: "sign_out" });
  });

  app.post(
    `${BASE_PATH}/change-password`,
    { config, bodyLimit: BODY_BYTES, schema: { hide: true, body: schemas.ChangePassword } },
    async (request, reply) => {
      const from = await visits.signedIn(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const { visitor, by } = from.value;
      const { currentPassword, newPassword } = request.body;
      if (await isGuessable(newPassword, by.person.email)) return sendRefusal(reply, guessable("newPassword"));
      const no = await throttle.confirm(by.sessionId);
      if (no) return sendRefusal(reply, no);
      const body = { currentPassword, newPassword, revokeOtherSessions: true };
      const asked = await ask(visitor, { method: "POST", path: "/change-password", body });
      if (asked.ok) await passwordChanged(by.person, visitor.origin);
      return answer(reply, asked, { object: "password_change" });
    },
  );

  app.post(
    `${BASE_PATH}/set-password`,
    { config: confirmed, bodyLimit: BODY_BYTES, schema: { hide: true, body: schemas.SetPassword } },
    async (request, reply) => {
      const from = await visits.signedIn(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const { visitor, by } = from.value;
      const { newPassword } = request.body;
      if (await isGuessable(newPassword, by.person.email)) return sendRefusal(reply, guessable("newPassword"));
      const { hashPassword } = await import("better-auth/crypto");
      const hash = await hashPassword(newPassword);
      const isSet = await db.transaction(async (tx) => {
        await lockPerson(tx, by.person.id);
        if (await hasPassword(tx, by.person.id)) return false;
        await insertPassword(tx, newUuid(), by.person.id, hash);
        return true;
      });
      if (!isSet) return sendRefusal(reply, HAS_PASSWORD);
      await passwordChanged(by.person, visitor.origin);
      return reply.send({ object: "password_change" });
    },
  );

  for (const act of ["enable", "disable", "generate-backup-codes"] as const)
    app.post(
      `${BASE_PATH}/two-factor/${act}`,
      { config: confirmed, bodyLimit: BODY_BYTES, schema: { hide: true, body: schemas.Confirm } },
      async (request, reply) => {
        const from = await visits.signedIn(request);
        if (!from.ok) return sendRefusal(reply, from.error);
        const { visitor, by } = from.value;
        const no = await throttle.confirm(by.sessionId);
        if (no) return sendRefusal(reply, no);
        const asked = await ask(visitor, { method: "POST", path: `/two-factor/${act}`, body: request.body });
        const { totpURI, backupCodes } = asked.ok ? asked.value.body : {};
        return answer(reply, asked, { object: "second_factor", totpURI, backupCodes });
      },
    );

  app.get(`${BASE_PATH}/list-sessions`, { config, schema: { hide: true } }, async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const { person, sessionId } = from.value.by;
    const data = (await listSessions(db, person, clock.now())).map((session) => ({
      id: encodeId("ses", session.id),
      object: "portal_session",
      current: session.id === sessionId,
      ip_address: session.ipAddress,
      user_agent: session.userAgent,
      created_at: session.createdAt.toISOString(),
      last_used_at: session.lastUsedAt.toISOString(),
    }));
    return reply.send({ object: "list", data });
  });

  app.post(
    `${BASE_PATH}/revoke-session`,
    { config, bodyLimit: BODY_BYTES, schema: { hide: true, body: schemas.EndSession } },
    async (request, reply) => {
      const from = await visits.signedIn(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const id = decodeId("ses", request.body.id);
      const ended = id !== undefined && (await endSession(db, from.value.by.person.id, id));
      return ended ? reply.send({ object: "portal_session_end" }) : sendRefusal(reply, NO_SESSION);
    },
  );

  app.post(`${BASE_PATH}/revoke-other-sessions`, { config, schema: { hide: true } }, async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const { person, sessionId } = from.value.by;
    await endSessions(db, person.id, sessionId);
    return reply.send({ object: "portal_session_end" });
  });
}

const HAS_PASSWORD = refusal("invalid_state", "You have a password. Change it with the current one.");
const NO_SESSION = refusal("not_found", "You have no such session.");
