import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { BASE_PATH } from "./library.ts";
import type { Operators } from "./operators.service.ts";
import { OperatorLink } from "./people.schemas.ts";
import { BODY_BYTES } from "./sign-in.routes.ts";
import type { Visits } from "./visitor.replies.ts";

/** The link that `./afara operator invite` shows leads to a page, which asks here. Uncounted: its token can't be guessed. */
export function operatorsRoutes(
  app: Http,
  { visits, operators }: { readonly visits: Visits; readonly operators: Operators },
): void {
  const options = { bodyLimit: BODY_BYTES, schema: { hide: true, body: OperatorLink } };

  // The page asks before it greets. The body has the token, as addresses are written to logs.
  app.post(`${BASE_PATH}/operator/check`, { ...options, config: { auth: "public" } }, async (request, reply) => {
    const from = await visits.signedIn(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const no = await operators.whyNot(from.value.by.person, request.body.token);
    return no ? sendRefusal(reply, no) : reply.code(204).send();
  });

  app.post(
    `${BASE_PATH}/operator/accept`,
    { ...options, config: { auth: "public", confirmed: true } },
    async (request, reply) => {
      const from = await visits.signedIn(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const accepted = await operators.accept(from.value.by.person, request.body.token);
      return accepted.ok ? reply.code(204).send() : sendRefusal(reply, accepted.error);
    },
  );
}
