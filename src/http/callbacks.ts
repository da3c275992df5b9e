import Type from "typebox";
import { refusal } from "../kernel/refusal.ts";
import type { CallbackRequest, Provider } from "../providers/provider.ts";
import type { Http } from "./edge.ts";
import { sendRefusal } from "./refuse.ts";

/** Meta puts up to a thousand messages and states into one call, of about 3 MB; a vendor's whole price list is far shorter. */
const BODY_BYTES_MAX = 3 * 1024 * 1024;

const NO_PROVIDER = refusal("not_found", "No vendor of this gateway calls back here.");

/**
 * Where vendors call us: `/callbacks/<provider>/…`. Nothing is read on the way, as signatures are about the very bytes; the
 * provider answers, once what it was told is stored. When it can't be stored that is a 503, and the vendor calls again.
 */
export function callbackRoutes(app: Http, providers: ReadonlyMap<string, Pick<Provider, "callback">>): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (_request, bytes, done) => done(null, bytes));
    for (const [method, url] of CALLS)
      scope.route<{ Params: { provider: string } }>({
        method,
        url,
        bodyLimit: BODY_BYTES_MAX,
        config: { auth: "public" },
        schema: { hide: true, querystring: ANYTHING, ...(method === "POST" && { body: ANYTHING }) },
        async handler(request, reply) {
          const { provider: name } = request.params;
          const provider = providers.get(name);
          if (!provider?.callback) return sendRefusal(reply, NO_PROVIDER);
          const answer = await provider.callback(asReceived(request.method, name, request));
          return reply.code(answer.status).header("content-type", answer.contentType).send(Buffer.from(answer.body));
        },
      });
  });
}

const CALLS = ["GET", "POST"].flatMap((method) =>
  ["/callbacks/:provider", "/callbacks/:provider/*"].map((url) => [method, url] as const),
);

const ANYTHING = Type.Unsafe<unknown>({});

interface Received {
  readonly url: string;
  readonly headers: CallbackRequest["headers"];
  readonly body: unknown;
}

const asReceived = (method: string, provider: string, { url, headers, body }: Received): CallbackRequest => ({
  method,
  path: url.slice(`/callbacks/${provider}`.length),
  headers,
  body: body instanceof Buffer ? body : Buffer.alloc(0),
});
