import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import { BASE_PATH } from "./library.ts";
import type { Passkey } from "./passkeys.repo.ts";
import type { Passkeys } from "./passkeys.service.ts";
import * as schemas from "./people.schemas.ts";
import { BODY_BYTES } from "./sign-in.routes.ts";
import { answer, type Visits } from "./visitor.replies.ts";

const PREFIX = `${BASE_PATH}/passkey`;

/** Signing in with passkeys, and a person's own. */
export function passkeysRoutes(
  app: Http,
  { visits, passkeys }: { readonly visits: Visits; readonly passkeys: Passkeys },
): void {
  const config = { auth: "public" as const };
  const confirmed = { ...config, confirmed: true as const };

  app.post(`${PREFIX}/generate-authenticate-options`, { config, schema: { hide: true } }, async (request, reply) => {
    const from = visits.ownPage(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const asked = await passkeys.ask(from.value);
    return answer(reply, asked, { object: "passkey_options", options: asked.ok && asked.value.options });
  });

  app.post(
    `${PREFIX}/verify-authentication`,
    { config, bodyLimit: BODY_BYTES, schema: { hide: true, body: schemas.PasskeyAnswer } },
    async (request, reply) => {
      const from = visits.ownPage(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const entered = await passkeys.signIn(from.value, request.body);
      return answer(reply, entered, { object: "sign_in", twoFactorRedirect: false });
    },
  );

  app.get(`${PREFIX}/list-user-passkeys`, { config, schema: { hide: true } }, async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    return reply.send({ object: "list", data: (await passkeys.list(from.value.by.person.id)).map(view) });
  });

  app.post(
    `${PREFIX}/generate-register-options`,
    { config: confirmed, schema: { hide: true } },
    async (request, reply) => {
      const from = await visits.signedIn(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const offered = await passkeys.offerNew(from.value.visitor, from.value.by.person);
      return answer(reply, offered, { object: "passkey_options", options: offered.ok && offered.value.options });
    },
  );

  app.post(
    `${PREFIX}/verify-registration`,
    { config: confirmed, bodyLimit: BODY_BYTES, schema: { hide: true, body: schemas.NewPasskey } },
    async (request, reply) => {
      const from = await visits.signedIn(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const added = await passkeys.add(from.value.visitor, from.value.by.person, request.body);
      return added.ok ? reply.code(201).send(view(added.value)) : sendRefusal(reply, added.error);
    },
  );

  app.post(
    `${PREFIX}/delete-passkey`,
    { config: confirmed, bodyLimit: BODY_BYTES, schema: { hide: true, body: schemas.RemovePasskey } },
    async (request, reply) => {
      const from = await visits.signedIn(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const removed = await passkeys.remove(from.value.by.person, decodeId("psk", request.body.id) as Uuid);
      return removed.ok ? reply.code(204).send() : sendRefusal(reply, removed.error);
    },
  );
}

const view = ({ id, name, createdAt, lastUsedAt }: Passkey) => ({
  id: encodeId("psk", id),
  object: "passkey",
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});
