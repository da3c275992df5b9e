import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { BASE_PATH } from "./library.ts";
import type { Operators } from "./operators.service.ts";
import { OperatorLink } from "./people.schemas.ts";
import { BODY_BYTES } from "./sign-in.routes.ts";
import type { Throttle } from "./throttle.ts";
import type { Visits } from "./visitor.replies.ts";

/** The link that `./afara operator invite` shows leads to a page, which asks here. */
export function operatorsRoutes(
  app: Http,
  {
    visits,
    operators,
    throttle,
  }: { readonly visits: Visits; readonly operators: Operators; readonly throttle: Throttle },
): void {
  app.post(
    `${BASE_PATH}/operator/accept`,
    {
      config: { auth: "public", confirmed: "always" },
      bodyLimit: BODY_BYTES,
      schema: { hide: true, body: OperatorLink },
    },
    async (request, reply) => {
      const from = await visits.signedIn(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const { visitor, by } = from.value;
      const no = await throttle.enter(visitor.address, by.person.email);
      if (no) return sendRefusal(reply, no);
      const accepted = await operators.accept(by.person, request.body.token);
      return accepted.ok ? reply.code(204).send() : sendRefusal(reply, accepted.error);
    },
  );
}
