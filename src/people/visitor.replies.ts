import { timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOfAddress } from "../http/addresses.ts";
import { sendRefusal } from "../http/refuse.ts";
import { CONFIRMATION_REQUIRED } from "../http/session-entry.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { Visitor } from "./ask-library.ts";
import type { Confirmations } from "./confirmations.ts";
import { SESSION_ENDED } from "./library-refusals.ts";
import type { SignedIn } from "./signed-in.ts";

/** Who comes to the portal's endpoints, and whether they come from its own pages. */
export interface Visits {
  /** Of a request that may come from anywhere, such as a link in a mail. */
  visitor(request: FastifyRequest): Result<Visitor, Refusal>;
  /** Of this machine's own browser, wherever else the portal is reached. */
  local(request: FastifyRequest): Result<Visitor, Refusal>;
  /** Of a request that changes something: from our own pages alone. */
  ownPage(request: FastifyRequest): Result<Visitor, Refusal>;
  /** Of a person who is signed in; where something is changed, with the session's token. */
  signedIn(request: FastifyRequest): Promise<Result<{ readonly visitor: Visitor; readonly by: SignedIn }, Refusal>>;
}

export function makeVisits(options: {
  /** Undefined: reached on this machine alone. */
  readonly publicUrl: string | undefined;
  readonly find: (cookies: string) => Promise<SignedIn | undefined>;
  readonly confirmations: Pick<Confirmations, "byPassword">;
}): Visits {
  const publicOrigin = options.publicUrl === undefined ? undefined : new URL(options.publicUrl).origin;

  const visitor = (request: FastifyRequest) => visitorAt(publicOrigin ?? localOrigin(request), request);

  function visitorAt(origin: string | undefined, request: FastifyRequest): Result<Visitor, Refusal> {
    if (origin === undefined) return refuse(NOT_LOCAL);
    const { headers } = request;
    return ok({
      origin,
      address: callerOfAddress(request.ip),
      userAgent: headers["user-agent"] ?? "",
      cookies: headers.cookie ?? "",
    });
  }

  function ownPage(request: FastifyRequest): Result<Visitor, Refusal> {
    const visiting = visitor(request);
    if (!visiting.ok) return visiting;
    const { origin, "sec-fetch-site": site } = request.headers;
    const isOwn = origin === undefined ? site === "same-origin" : origin === visiting.value.origin;
    return isOwn && (site ?? "same-origin") === "same-origin" ? visiting : refuse(OTHER_SITE);
  }

  /** Whoever gives the password with the request itself has confirmed it. */
  async function whyUnconfirmed(request: FastifyRequest, by: SignedIn): Promise<Refusal | undefined> {
    if (!request.routeOptions.config.confirmed || by.isConfirmed) return undefined;
    const { password } = { ...(request.body as object) } as { readonly password?: string };
    return password === undefined ? CONFIRMATION_REQUIRED : options.confirmations.byPassword(by, password);
  }

  return {
    visitor,
    local: (request) => visitorAt(isPassedOn(request) ? undefined : localOrigin(request), request),
    ownPage,
    async signedIn(request) {
      const isRead = request.method === "GET" || request.method === "HEAD";
      const visiting = isRead ? visitor(request) : ownPage(request);
      if (!visiting.ok) return visiting;
      const by = await options.find(visiting.value.cookies);
      if (!by) return refuse(SESSION_ENDED);
      if (!isRead && !isSame(request.headers["afara-csrf"], by.csrfToken)) return refuse(WRONG_TOKEN);
      const no = await whyUnconfirmed(request, by);
      return no ? refuse(no) : ok({ visitor: visiting.value, by });
    },
  };
}

/** The answer with what the library set, or the refusal. */
export function answer(reply: FastifyReply, asked: Result<{ readonly cookies?: readonly string[] }>, body: object) {
  if (!asked.ok) return sendRefusal(reply, asked.error);
  if (asked.value.cookies) reply.header("set-cookie", asked.value.cookies);
  return reply.send(body);
}

/**
 * The origin under which this machine's own browser reached us. Another name would be one that leads here for a moment: so a page from
 * elsewhere could read mails and sign up.
 */
function localOrigin({ protocol, host }: FastifyRequest): string | undefined {
  const origin = `${protocol}://${host}`;
  if (!URL.canParse(origin)) return undefined;
  return LOOPBACK.test(new URL(origin).hostname) ? new URL(origin).origin : undefined;
}

/** By a proxy, which may have made its own name of that of the host: a tunnel to this machine, say. */
const isPassedOn = ({ headers }: FastifyRequest): boolean =>
  ["forwarded", "via", "x-forwarded-for", "x-forwarded-host"].some((name) => headers[name] !== undefined);

const LOOPBACK = /^(?:localhost|[a-z0-9-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function isSame(given: string | readonly string[] | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const NOT_LOCAL = refusal(
  "cross_site_request",
  "This is for a browser on the gateway's own machine: open it there at http://localhost. Elsewhere the portal needs AFARA_PUBLIC_URL.",
);
const OTHER_SITE = refusal(
  "cross_site_request",
  "This endpoint is for the portal's own pages, and the request comes from elsewhere. Programs send an API key in X-API-Key.",
);
const WRONG_TOKEN = refusal(
  "cross_site_request",
  "The request has no `Afara-CSRF` header, or not the session's own token. Load the page again and repeat what you did.",
);
