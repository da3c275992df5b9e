import Type from "typebox";
import { readStrangers } from "../http/callbacks.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import type { Log } from "../kernel/log.ts";
import { loggedCode } from "../kernel/logged-code.ts";
import { refusal } from "../kernel/refusal.ts";
import type { FundingProvider } from "../ports/funding.ts";
import type { Verifier } from "./verifier.ts";

export interface CallbackOptions {
  readonly provider: FundingProvider;
  readonly verifier: Pick<Verifier, "reported">;
  readonly log: Log;
}

/** Many times the largest of these messages. */
const BODY_BYTES_MAX = 64 * 1024;

const FORGED = refusal(
  "invalid_signature",
  "The signature does not fit the body. It is made of the very bytes that are sent, with the secret key.",
);
const UNREADABLE = refusal("invalid_json", "The message is signed, but it can't be read.");

/** The funding provider's callback. Answers 200 only once the report is committed. */
export function fundingCallback(app: Http, { provider, verifier, log }: CallbackOptions): void {
  const isSigned = (headers: Readonly<Record<string, unknown>>): boolean =>
    provider.signatureHeader === undefined || typeof headers[provider.signatureHeader] === "string";
  // A separate scope without parsing, as signatures cover the exact bytes.
  app.register(async (scope) => {
    readStrangers(scope as Http, () => BODY_BYTES_MAX);
    scope.post(
      `/callbacks/${provider.name}`,
      {
        config: { auth: "public" },
        onRequest: (request, reply, done) => {
          if (isSigned(request.headers)) done();
          else sendRefusal(reply, FORGED);
        },
        schema: { hide: true, body: Type.Unsafe<Buffer | undefined>({}) },
      },
      async (request, reply) => {
        const { body = Buffer.alloc(0), headers } = request;
        const callback = provider.readCallback(body as Buffer, (name) => {
          const value = headers[name];
          return typeof value === "string" ? value : undefined;
        });
        switch (callback.kind) {
          case "forged":
            log.warn({ provider: provider.name }, "a callback with a wrong signature was refused");
            return sendRefusal(reply, FORGED);
          case "unreadable":
            log.error({ provider: provider.name }, "a signed callback can't be read");
            return sendRefusal(reply, UNREADABLE);
          case "ignored":
            log.info({ provider: provider.name, event: loggedCode(callback.event) }, "a callback that credits nothing");
            return reply.code(200).send({});
          case "payment":
            await verifier.reported(callback.reference);
            return reply.code(200).send({});
        }
      },
    );
  });
}
