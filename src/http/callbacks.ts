import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import Type from "typebox";
import { makeFairRoom } from "../kernel/fair-room.ts";
import { refusal } from "../kernel/refusal.ts";
import type { CallbackGate, CallbackRequest, Provider } from "../ports/provider.ts";
import { callerOfAddress } from "./addresses.ts";
import type { Http } from "./edge.ts";
import { sendRefusal } from "./refuse.ts";
import { isBrowser, sendUnknownPage } from "./unknown-page.ts";

/** Default size limit: far more than any vendor's message about one event. */
const BODY_BYTES_MAX = 3 * 1024 * 1024;

const NO_PROVIDER = refusal("not_found", "No vendor of this gateway calls back here.");

/** Larger calls have hundreds of messages; those of one vendor are processed one after another. */
const LARGE_BYTES = 64 * 1024;
const LARGE_CALLS = { capacity: 2, each: 1, waitingMax: 500, waitingEach: 300, waitMs: 20_000 } as const;
const BUSY = refusal("overloaded", "Too many large calls are waiting. Nothing of this one was stored; call again.", {
  retryAfterSeconds: 5,
});

export type CalledBack = Pick<Provider, "callback" | "callbackGate">;

/**
 * Vendors' callbacks: `/callbacks/<provider>/…`. Bodies are passed on unparsed, as signatures cover the exact bytes. The provider
 * answers once the report is stored; if storage fails, the answer is 503 and the vendor calls again. Until its signature is
 * checked the caller is unauthenticated, so checks that need no body come first.
 */
export function callbackRoutes(app: Http, providers: ReadonlyMap<string, CalledBack>): void {
  const largeCalls = makeFairRoom(LARGE_CALLS);
  app.register(async (scope) => {
    const limitOf = (request: FastifyRequest): number =>
      providers.get(nameIn(request))?.callbackGate?.bytesMax ?? BODY_BYTES_MAX;
    readStrangers(scope as Http, limitOf);
    const look: onRequestHookHandler = (request, reply, done) => {
      const name = nameIn(request);
      const provider = providers.get(name);
      if (!provider?.callback) {
        if (isBrowser(request)) sendUnknownPage(request, reply, NO_PROVIDER);
        else sendRefusal(reply, NO_PROVIDER);
        return;
      }
      const { body: _, ...head } = asReceived(request.method, name, request);
      const refused = provider.callbackGate?.look?.(head);
      if (refused) say(reply, refused);
      else done();
    };
    for (const [method, url] of CALLS)
      scope.route<{ Params: { provider: string } }>({
        method,
        url,
        config: { auth: "public" },
        schema: { hide: true, querystring: ANYTHING, ...(method === "POST" && { body: ANYTHING }) },
        onRequest: look,
        async handler(request, reply) {
          const { provider: name } = request.params;
          const received = asReceived(request.method, name, request);
          const leave = received.body.length > LARGE_BYTES ? await largeCalls.enter(name, 1) : () => undefined;
          if (!leave) return sendRefusal(reply, BUSY);
          try {
            return say(reply, await providers.get(name)!.callback!(received));
          } finally {
            leave();
          }
        },
      });
  });
}

/**
 * Makes a scope's routes read their bodies as bytes, within the memory for unauthenticated callers. `limitOf`: the size limit of
 * one body.
 */
export function readStrangers(scope: Http, limitOf: (request: FastifyRequest) => number): void {
  scope.removeAllContentTypeParsers();
  scope.addHook("onRequest", (request, reply, done) => {
    const slot = scope.edge.strangers.open(callerOfAddress(request.ip));
    request.bodySlot = slot;
    reply.raw.once("close", slot.end);
    done();
  });
  scope.addHook("onSend", (request, _reply, payload, done) => {
    request.bodySlot?.end();
    done(null, payload);
  });
  const read = (request: FastifyRequest, payload: IncomingMessage) => request.bodySlot!.read(payload, limitOf(request));
  scope.addContentTypeParser("*", read);
}

const nameIn = ({ params }: FastifyRequest): string => (params as { readonly provider: string }).provider;

const say = (
  reply: FastifyReply,
  { status, contentType, body }: NonNullable<ReturnType<NonNullable<CallbackGate["look"]>>>,
) => reply.code(status).header("content-type", contentType).send(Buffer.from(body));

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
