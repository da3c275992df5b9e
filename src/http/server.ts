import type { IncomingMessage } from "node:http";
import compress from "@fastify/compress";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { type FastifyReply, type FastifyRequest, fastify, type RouteOptions } from "fastify";
import type { LimitFor } from "../accounts/key-record.ts";
import { API_VERSIONS } from "../kernel/api-version.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { type InSlices, makeSlices } from "../kernel/slices.ts";
import type { KeepRequest } from "../ports/answered-request.ts";
import { type Metrics, NO_METRICS } from "../ports/metrics.ts";
import { NO_TRACING, type Tracing } from "../ports/tracing.ts";
import { DOCS_PREFIX, makeDocuments } from "../reference/documents.ts";
import { COLLECTION_URL } from "../reference/pages.ts";
import { type Authenticator, type Keys, makeAuthenticator } from "./authenticate.ts";
import { type BodyRoomOptions, makeBodyRoom } from "./body-room.ts";
import { COMMON_REFUSALS } from "./common.refusals.ts";
import { cursorKeyOf } from "./cursor.ts";
import { docsRoutes } from "./docs.ts";
import type { Edge, Http } from "./edge.ts";
import { expectContinue, letContinue } from "./expect-continue.ts";
import { believable } from "./forwarded.ts";
import { BODY_TOO_LARGE, refusalOfError } from "./framework-errors.ts";
import { healthRoutes, type Readiness } from "./health.ts";
import { parseJsonBody } from "./json-body.ts";
import { LARGE_WORK_LIMITS, type LargeRequests, type LargeWorkLimits, makeLargeRequests } from "./large-work.ts";
import type { Limits } from "./limits.ts";
import { formsOfList, refuseOtherForms } from "./list-forms.ts";
import { NO_BODY, NO_QUERY } from "./no-input.ts";
import { registerOpenApi } from "./openapi.ts";
import type { Tag } from "./openapi-tags.ts";
import { countRead, isLastRead } from "./pipelining.ts";
import { makeProblems, type OwnRefusals, RefusedError } from "./problems.ts";
import { readBody } from "./read-body.ts";
import { sendRefusal } from "./refuse.ts";
import { makeRequestLog } from "./request-log.ts";
import { makeRequestMetrics } from "./request-metrics.ts";
import { makeRequestSpans } from "./request-spans.ts";
import { serializerCompiler } from "./serialization.ts";
import { answerConnect, answerSocketError } from "./socket-errors.ts";
import { endStalledReaders } from "./stalled-readers.ts";
import { STANDARD_HEADERS, STRICT_TRANSPORT } from "./standard-headers.ts";
import { answerUnknown } from "./unknown-endpoint.ts";
import { isBrowser, sendUnknownPage } from "./unknown-page.ts";
import { endUnread } from "./unread-body.ts";
import { makeValidatorCompiler } from "./validation.ts";

export interface HttpOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly keys: Keys;
  readonly limits: Limits;
  readonly limitFor: LimitFor;
  readonly readiness: Readiness;
  /** Each service's group of the reference, in its order. */
  readonly serviceTags?: readonly Tag[];
  /** The error codes that each part brings besides the common ones. */
  readonly refusals?: readonly OwnRefusals[];
  /** The server's secret: root of what it signs, the same on all nodes. */
  readonly secret: string;
  /** Whose `X-Forwarded-*` to believe: addresses or CIDR blocks of the proxies in front, comma-separated. */
  readonly trustProxy?: string;
  /** Time for a whole request to arrive. */
  readonly requestTimeoutSeconds?: number;
  /** How long work is cut into slices: by the clock's unless given. */
  readonly inSlices?: InSlices;
  readonly largeWork?: LargeWorkLimits;
  readonly strangers?: BodyRoomOptions;
  /** Default: nothing is counted. */
  readonly metrics?: Metrics;
  /** Default: there are no spans. */
  readonly tracing?: Tracing;
  /** Default: the requests of accounts are not kept for them. */
  readonly keepRequest?: KeepRequest;
  /** How long a caller may leave its answer unread. */
  readonly stalledMs?: number;
}

export const BODY_LIMIT_BYTES = 256 * 1024;
/** The `bodyLimit` of a bulk route. */
export const BULK_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** Some of the largest callbacks at once; vendors call again when there is no room. */
const STRANGERS_ROOM: BodyRoomOptions = {
  capacity: 32 * 1024 * 1024,
  each: 16 * 1024 * 1024,
  arriveMs: 15_000,
  pace: { bytesPerSecond: 32 * 1024 * 1024, burst: 16 * 1024 * 1024 },
};
const HEADERS_BYTES_MAX = 16 * 1024;
const REQUEST_TIMEOUT_SECONDS = 30;

/**
 * The HTTP edge without services: register their routes on what comes back, then `listen`. Every route declares
 * `config.auth`. Whatever comes in, what goes out is a documented answer or problem+json.
 */
export async function buildHttp(options: HttpOptions): Promise<{ app: Http; authenticator: Authenticator }> {
  const { clock, log, limits, limitFor, metrics = NO_METRICS, tracing = NO_TRACING } = options;
  const timeoutMs = (options.requestTimeoutSeconds ?? REQUEST_TIMEOUT_SECONDS) * 1000;
  const [count, trace] = [makeRequestMetrics(metrics), makeRequestSpans(tracing, clock)];
  const requestLog = makeRequestLog({
    log,
    clock,
    count,
    ...(trace && { trace }),
    ...(options.keepRequest && { keep: options.keepRequest }),
  });
  const app: Http = fastify({
    logger: false, // request lines of our own (`RequestLog`); the framework's would show raw addresses
    genReqId: () => encodeId("req", newUuid()),
    requestIdHeader: false,
    trustProxy: options.trustProxy ?? false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: timeoutMs,
    return503OnClosing: false, // a request that was read is answered
    routerOptions: {
      ignoreTrailingSlash: true, // `/sms/send/` can mean nothing else
      maxParamLength: 600, // a vendor's id of a user, each character escaped at worst
    },
    frameworkErrors: (error, request, reply) => {
      stamp(request, reply); // hooks have not run
      const refused = refusalOfError(error);
      if (refused && isBrowser(request)) sendUnknownPage(request, reply, refused);
      else answerThrown(error, request, reply);
      authenticator
        .identify(request)
        .then(() => requestLog.answered(request, reply))
        .catch((err: unknown) => log.error({ err, request_id: request.id }, "a refused request has no line"));
    },
    clientErrorHandler: (error, socket) => answerSocketError(error, socket, requestLog.unread),
    http: {
      maxHeaderSize: HEADERS_BYTES_MAX,
      headersTimeout: Math.min(15_000, timeoutMs),
      connectionsCheckingInterval: Math.min(5_000, timeoutMs),
      requireHostHeader: false, // Node's own answer has no body: `stamp` refuses instead
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  const inSlices = options.inSlices ?? makeSlices(() => clock.monotonicMs());
  const strangers = makeBodyRoom(options.strangers ?? STRANGERS_ROOM);
  const cursorKey = cursorKeyOf(options.secret);
  const documents = makeDocuments();
  const problems = makeProblems([COMMON_REFUSALS, ...(options.refusals ?? [])]);
  const shared = { clock, log, requestLog, limits, limitFor, inSlices, strangers, cursorKey, documents, problems };
  const edge: Edge = { ...shared, routes: [], draining: false };
  const large = makeLargeRequests(options.largeWork ?? LARGE_WORK_LIMITS);
  const authenticator = makeAuthenticator(edge, options.keys);
  app.decorate("edge", edge);
  app.decorateRequest("caller", null);
  app.decorateRequest("work", null);
  app.decorateRequest("bodySlot", null);
  app.decorateRequest("limited", null);
  app.decorateRequest("limitedFurther", null);
  app.decorateRequest("record", null);
  app.decorateRequest("account", null);
  app.decorateRequest("orderId", null);
  app.decorateRequest("refused", null);
  app.decorateRequest("thrown", null);
  app.decorateRequest("isLogged", false);
  app.decorateRequest("begunAtMs", 0);

  app.setValidatorCompiler(makeValidatorCompiler());
  app.setSerializerCompiler(serializerCompiler);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
    requireUtf8(request);
    const bytes = await readBody(payload, request.routeOptions.bodyLimit, BODY_TOO_LARGE).bytes;
    if (bytes.length === 0) return undefined;
    return request.work === null ? parseJsonBody(bytes) : large.read(request, bytes);
  });

  app.addHook("onRoute", (route) => prepareRoute(route, edge, authenticator, large));
  await app.register(compress, { global: false, globalDecompression: false });
  app.addHook("onSend", (request, reply, payload, done) => {
    const isEnded = endUnread(request.raw);
    if (isEnded || (edge.draining && isLastRead(request))) reply.header("connection", "close");
    else if (reply.hasHeader("connection")) reply.removeHeader("connection"); // the framework's, behind a body that it refused
    requestLog.answered(request, reply, payload);
    done();
  });
  app.addHook("preValidation", (request, _reply, done) => {
    letContinue(request.raw); // a body that the handler reads itself
    done();
  });
  app.addHook("onRequest", (request, reply, done) => {
    request.begunAtMs = clock.monotonicMs(); // the framework keeps it for a log of its own alone
    countRead(request);
    const { headers } = request.raw;
    const forwarded = headers["x-forwarded-for"];
    // Fastify makes `request.ip` of it as it stands, ports and all.
    if (options.trustProxy && typeof forwarded === "string") headers["x-forwarded-for"] = believable(forwarded);
    const refused = stamp(request, reply);
    if (!refused && !request.is404) {
      done();
      return;
    }
    const answer = () => {
      if (refused) sayNo(request, reply, refused);
      else answerUnknown(request, reply); // whatever body it has is not read
    };
    authenticator.identify(request).then(answer).catch(done);
  });
  app.setNotFoundHandler(answerUnknown);
  app.setErrorHandler(answerThrown);
  endStalledReaders(app.server, options.stalledMs);
  app.server.on("checkContinue", (request, response) => {
    expectContinue(request, response);
    app.routing(request, response);
  });
  app.server.on("checkExpectation", app.routing); // Node's own answer has no body: `stamp` refuses instead
  app.server.on("connect", (_request, socket) => answerConnect(socket, requestLog.unread));

  await registerOpenApi(app, options.serviceTags ?? []);
  await app.register(docsRoutes);
  await app.register(healthRoutes, options.readiness);
  return { app, authenticator };
}

/** What every answer carries, and what every request must fulfil before anything else is looked at. */
function stamp(request: FastifyRequest, reply: FastifyReply) {
  reply.headers(STANDARD_HEADERS);
  reply.header("request-id", request.id);
  if (request.protocol === "https") reply.header("strict-transport-security", STRICT_TRANSPORT);

  const { headers } = request.raw;
  const version = headers["afara-version"];
  if (version !== undefined && !(typeof version === "string" && API_VERSIONS.includes(version))) {
    return refusal("unknown_version", `Afara-Version must be one of: ${API_VERSIONS.join(", ")}.`, {
      members: { versions: API_VERSIONS },
    });
  }
  if (headers.host === undefined && request.raw.httpVersion === "1.1") {
    return refusal("malformed_request", "An HTTP/1.1 request needs a Host header.");
  }
  if (isRepeated(request.raw.rawHeaders, "host")) {
    return refusal("malformed_request", "The Host header was sent more than once. Send it exactly once.");
  }
  if ((headers["transfer-encoding"] ?? "chunked").trim().toLowerCase() !== "chunked") {
    return refusal("malformed_request", "The only Transfer-Encoding that is taken is chunked, alone.");
  }
  if (request.raw.url?.includes("%00")) {
    return refusal("invalid_character", "The path or query has U+0000 (%00), which no text may have. Take it out.");
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") {
    return refusal("malformed_request", "The only expectation that can be met is 100-continue.");
  }
  const coding = headers["content-encoding"]?.trim().toLowerCase();
  if (coding !== undefined && coding !== "" && coding !== "identity") {
    reply.header("accept-encoding", "identity"); // RFC 9110 section 12.5.3: what would be taken
    return refusal("unsupported_media_type", "Bodies are taken uncompressed: leave Content-Encoding away.");
  }
  return undefined;
}

/** Node keeps the first of some headers only, and says nothing of the others. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index]!;
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count > 1;
}

function requireUtf8(request: FastifyRequest): void {
  const type = request.headers["content-type"];
  if (type === undefined || type === "application/json" || !/charset/i.test(type)) return;
  if (/;\s*charset\s*=\s*"?utf-?8"?\s*(;|$)/i.test(type)) return;
  throw new RefusedError(refusal("unsupported_media_type", "JSON is sent as UTF-8; leave the charset away."));
}

/** Puts the key hook before the route and closes its query and body, unless it describes them. */
function prepareRoute(route: RouteOptions, edge: Edge, authenticator: Authenticator, large: LargeRequests): void {
  const methods = [route.method].flat();
  // The pages for people need no key and take any query; some of their routes are made by a plugin that can't say so.
  const isPage = route.url.startsWith(`${DOCS_PREFIX}/`) || route.url === DOCS_PREFIX;
  const auth = isPage ? "public" : route.config?.auth;
  if (auth === undefined) {
    throw new Error(
      `Route ${methods.join(",")} ${route.url} has no config.auth: name its scope and policy, or "public".`,
    );
  }
  if (route.config?.large) large.prepare(route);
  const forms = formsOfList(route.schema ?? {});
  route.onRequest = [
    ...(auth !== "public" ? [authenticator.hookFor(auth)] : []),
    ...(forms ? [refuseOtherForms(forms)] : []),
    ...[route.onRequest ?? []].flat(),
  ];

  if (isCompressed(route)) route.compress = {};

  const takesBody = methods.some((method) => method !== "GET" && method !== "HEAD");
  const schema = { ...(!isPage && { querystring: NO_QUERY }), ...(takesBody && { body: NO_BODY }), ...route.schema };
  route.schema = schema;
  for (const method of methods) edge.routes.push({ method, url: route.url, auth, config: route.config ?? {}, schema });
}

/** Pages and lists: all else is too short to be worth the time, and the machine contract is compressed once. */
function isCompressed({ url, schema }: RouteOptions): boolean {
  const query: { properties?: object } = schema?.querystring ?? {};
  return url === COLLECTION_URL || "after" in { ...query.properties };
}

/** Where only people come (a page, or nothing at all), a browser gets a page. */
function sayNo(request: FastifyRequest, reply: FastifyReply, refused: Refusal): void {
  const isForPeople = request.is404 || request.url.startsWith(`${DOCS_PREFIX}/`);
  if (isForPeople && isBrowser(request)) sendUnknownPage(request, reply, refused);
  else sendRefusal(reply, refused);
}

function answerThrown(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refused = refusalOfError(error);
  if (refused) {
    sayNo(request, reply, refused);
    return;
  }
  request.thrown = error;
  const detail = "Something went wrong on our side. If it goes on, tell support the request_id.";
  sendRefusal(reply, refusal("internal_error", detail));
}
