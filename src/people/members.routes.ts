import type { FastifyReply } from "fastify";
import type { StoredKey } from "../accounts/keys.repo.ts";
import type { Db } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import type { Clock } from "../kernel/clock.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import type { Result } from "../kernel/result.ts";
import { BASE_PATH } from "./library.ts";
import { type Invitation, invitationsTo, type Member } from "./members.repo.ts";
import type { Members } from "./members.service.ts";
import * as schemas from "./people.schemas.ts";
import { BODY_BYTES } from "./sign-in.routes.ts";
import type { Throttle } from "./throttle.ts";
import type { Visits } from "./visitor.replies.ts";

const PREFIX = `${BASE_PATH}/organization`;

export interface MembersRoutesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly visits: Visits;
  readonly members: Members;
  readonly throttle: Throttle;
  readonly invited: (invitation: Invitation, origin: string) => void;
}

/** The people of an account. Paths and fields are those of better-auth's organisations; the account's ID is `organizationId`. */
export function membersRoutes(app: Http, options: MembersRoutesOptions): void {
  const { db, clock, visits, members, throttle, invited } = options;
  const post = <Body>(body: Body, more: { readonly confirmed?: true } = {}) => ({
    config: { auth: "public" as const, ...more },
    bodyLimit: BODY_BYTES,
    schema: { hide: true, body },
  });
  const get = <Query>(querystring: Query) => ({
    config: { auth: "public" as const },
    schema: { hide: true, querystring },
  });

  app.get(`${PREFIX}/list-members`, get(schemas.OfAccount), async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const by = { person: from.value.by.person.id };
    const listed = await members.list(by, accountOf(request.query));
    return listed.ok ? reply.send(list(listed.value, memberView)) : sendRefusal(reply, listed.error);
  });

  app.get(`${PREFIX}/list-member-keys`, get(schemas.OfMember), async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const by = { person: from.value.by.person.id };
    const keys = await members.keysOf(by, accountOf(request.query), personOf(request.query));
    return keys.ok ? reply.send(list(keys.value, keyView)) : sendRefusal(reply, keys.error);
  });

  app.get(`${PREFIX}/list-invitations`, get(schemas.OfAccount), async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const by = { person: from.value.by.person.id };
    const listed = await members.invitations(by, accountOf(request.query));
    return listed.ok ? reply.send(list(listed.value, invitationView)) : sendRefusal(reply, listed.error);
  });

  app.get(
    `${PREFIX}/list-user-invitations`,
    { config: { auth: "public" }, schema: { hide: true } },
    async (request, reply) => {
      const from = await visits.signedIn(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const found = await invitationsTo(db, from.value.by.person.email, clock.now());
      return reply.send(list(found, invitationView));
    },
  );

  app.post(`${PREFIX}/invite-member`, post(schemas.Invite, { confirmed: true }), async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const { by, visitor } = from.value;
    const { role } = request.body;
    const email = request.body.email.toLowerCase();
    const no = await throttle.mail(visitor.address, email);
    if (no) return sendRefusal(reply, no);
    const made = await members.invite({ person: by.person.id }, accountOf(request.body), email, role);
    if (!made.ok) return sendRefusal(reply, made.error);
    invited(made.value, visitor.origin);
    return reply.send(invitationView(made.value));
  });

  app.post(`${PREFIX}/cancel-invitation`, post(schemas.Withdraw), async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const by = { person: from.value.by.person.id };
    return done(reply, await members.withdraw(by, accountOf(request.body), invitationOf(request.body)));
  });

  app.post(`${PREFIX}/update-member-role`, post(schemas.ChangeRole, { confirmed: true }), async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const by = { person: from.value.by.person.id };
    const { role } = request.body;
    return done(reply, await members.changeRole(by, accountOf(request.body), personOf(request.body), role));
  });

  app.post(`${PREFIX}/remove-member`, post(schemas.Remove), async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const by = { person: from.value.by.person.id };
    const { endKeys } = request.body;
    return done(reply, await members.remove(by, accountOf(request.body), personOf(request.body), endKeys));
  });

  app.post(`${PREFIX}/accept-invitation`, post(schemas.Answer), async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const accepted = await members.accept(from.value.by.person, invitationOf(request.body));
    if (!accepted.ok) return sendRefusal(reply, accepted.error);
    return reply.send({ object: "membership", account: encodeId("acc", accepted.value.accountId) });
  });

  app.post(`${PREFIX}/reject-invitation`, post(schemas.Answer), async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    return done(reply, await members.decline(from.value.by.person, invitationOf(request.body)));
  });
}

// The schemas take nothing that does not decode.
const accountOf = ({ organizationId }: { organizationId: string }) => decodeId("acc", organizationId) as Uuid;
const personOf = ({ memberId }: { memberId: string }) => decodeId("usr", memberId) as Uuid;
const invitationOf = ({ invitationId }: { invitationId: string }) => decodeId("inv", invitationId) as Uuid;

const list = <Row>(rows: readonly Row[], view: (row: Row) => object) => ({ object: "list", data: rows.map(view) });

const done = (reply: FastifyReply, result: Result<undefined>) =>
  result.ok ? reply.code(204).send() : sendRefusal(reply, result.error);

const memberView = ({ personId, name, email, role, createdAt }: Member) => ({
  id: encodeId("usr", personId),
  object: "member",
  name,
  email,
  role,
  created_at: createdAt.toISOString(),
});

const keyView = ({ id, mode, start, last4, scopes }: StoredKey) => ({
  id: encodeId("key", id),
  object: "member_key",
  mode,
  starts: start,
  ends: last4,
  scopes,
});

const invitationView = (invitation: Invitation) => ({
  id: encodeId("inv", invitation.id),
  object: "invitation",
  account: { id: encodeId("acc", invitation.accountId), name: invitation.accountName },
  email: invitation.email,
  role: invitation.role,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});
