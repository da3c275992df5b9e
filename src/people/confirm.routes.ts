import type Type from "typebox";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import type { Visitor } from "./ask-library.ts";
import type { Confirmations } from "./confirmations.ts";
import { BASE_PATH } from "./library.ts";
import type { Passkeys } from "./passkeys.service.ts";
import * as schemas from "./people.schemas.ts";
import { BODY_BYTES } from "./sign-in.routes.ts";
import type { SignedIn } from "./signed-in.ts";
import { answer, type Visits } from "./visitor.replies.ts";

type Given = Type.Static<typeof schemas.Confirmation>;

const PATH = `${BASE_PATH}/confirm`;

/** A signed-in person shows that it is they, before what opens an account to others (ADR 52). */
export function confirmRoutes(
  app: Http,
  {
    visits,
    confirmations,
    passkeys,
  }: { readonly visits: Visits; readonly confirmations: Confirmations; readonly passkeys: Passkeys },
): void {
  const config = { auth: "public" as const };

  function whyNot(visitor: Visitor, by: SignedIn, given: Given): Promise<Refusal | undefined> | Refusal {
    if (given.passkey) return confirmations.byPasskey(visitor, by, given.passkey);
    if (given.code !== undefined) return confirmations.byCode(visitor, by, given.code);
    return given.password === undefined ? NOTHING_GIVEN : confirmations.byPassword(by, given.password);
  }

  app.post(
    PATH,
    { config, bodyLimit: BODY_BYTES, schema: { hide: true, body: schemas.Confirmation } },
    async (request, reply) => {
      const from = await visits.signedIn(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const no = await whyNot(from.value.visitor, from.value.by, request.body);
      return no ? sendRefusal(reply, no) : reply.send({ object: "confirmation" });
    },
  );

  app.post(`${PATH}/passkey-options`, { config, schema: { hide: true } }, async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const asked = await passkeys.ask(from.value.visitor, from.value.by.person);
    return answer(reply, asked, { object: "passkey_options", options: asked.ok && asked.value.options });
  });
}

const NOTHING_GIVEN = refusal("validation_failed", "Send one of `password`, `code` and `passkey`.");
