import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { API_KEY_PATTERN, checkApiKeyFormat } from "../accounts/api-key.ts";
import type { KeyLookup, KeyRecord } from "../accounts/key-record.ts";
import { mayDo } from "../accounts/roles.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { invariant } from "../kernel/result.ts";
import { allowsAddress, callerOfAddress, FailedLookups } from "./addresses.ts";
import type { Edge, RouteAuth } from "./edge.ts";
import { isExpecting } from "./expect-continue.ts";
import { KeyCache } from "./key-cache.ts";
import { setLimitHeaders } from "./limit-headers.ts";
import type { LimitDecision } from "./limits.ts";
import { misplacedKey } from "./misplaced-key.ts";
import { sendRefusal } from "./refuse.ts";
import { CONFIRMATION_REQUIRED, enterBySession, type Sessions } from "./session-entry.ts";

/** The accounts, as the hook needs them. */
export interface Keys {
  readonly lookup: KeyLookup;
  /** Of people, if they can sign in here. */
  readonly sessions?: Sessions;
  /** `hashApiKey` with the server's pepper. */
  readonly hash: (key: string) => Buffer;
  /** Called for each request with a valid key. */
  readonly used: (keyId: string) => void;
}

export interface Authenticator {
  /** The hook of one route: sets `request.caller`, or answers with a refusal. */
  hookFor(auth: RouteAuth): onRequestHookHandler;
  /** Whether the key of a request that goes on for long would be let in again now; the caller is then as of now. Costs no points. */
  isStillAllowed(request: FastifyRequest): Promise<boolean>;
  /** Says whose request it is, if its key is known: for one that is answered before its key is asked for. Never rejects. */
  identify(request: FastifyRequest): Promise<void>;
  /** Drops cached keys, e.g. after one was revoked. */
  forgetKeys(): void;
}

/** The caller of an authenticated route. */
export function callerOf(request: Pick<FastifyRequest, "caller">): KeyRecord {
  invariant(request.caller, "the route is behind the key hook");
  return request.caller;
}

type Done = (error?: Error) => void;

/** The subject of per-minute points and quotas. */
export const subjectOf = (caller: KeyRecord): string => `${caller.accountId}:${caller.mode}`;

/**
 * The key hook. Checks run from cheapest to most expensive, and none discloses more about a key than its holder may
 * know: place and form → checksum → failures of the address → look-up → revoked, expired, suspended, address → service
 * and subscription → scope → per-minute limit. It runs before the body is read, so an unauthenticated body is never parsed.
 * With a cached key and in-process counters, nothing is awaited.
 */
export function makeAuthenticator(edge: Edge, { lookup, hash, used, sessions }: Keys): Authenticator {
  const cache = new KeyCache((key) => lookup.find(hash(key)), edge.clock);
  const failures = new FailedLookups(edge.clock);

  function hookFor(auth: RouteAuth): onRequestHookHandler {
    return function authenticate(request, reply, done) {
      const { headers, url } = request.raw;
      const key = auth.forPeople ? undefined : headers["x-api-key"];
      if (typeof key !== "string" || url?.includes("?") || headers.authorization !== undefined) {
        const misplaced = misplacedKey(request);
        if (misplaced) {
          identify(request)
            .then(() => sendRefusal(reply, misplaced))
            .catch(done);
          return;
        }
      }
      if (typeof key !== "string" || key === "") {
        if (sessions?.isNamed(headers.cookie ?? "")) enterAsPerson(auth, sessions, request, reply, done);
        else if (auth.forPeople) sendRefusal(reply, NOT_SIGNED_IN);
        else refuseWithoutKey(request, reply);
        return;
      }
      const cached = cache.peek(key);
      if (cached !== undefined) {
        admit(auth, cached, request, reply, done);
        return;
      }
      if (checkApiKeyFormat(key) === undefined) {
        sendRefusal(reply, malformedKey(request));
        return;
      }
      cache.find(key).then(
        (found) => {
          if (found !== undefined) admit(auth, found, request, reply, done);
          else refuseUnknown(request, reply);
        },
        done, // the error handler says what it is
      );
    };
  }

  function enterAsPerson(
    auth: RouteAuth,
    by: Sessions,
    request: FastifyRequest,
    reply: FastifyReply,
    done: Done,
  ): void {
    enterBySession(request, by).then((entered) => {
      if (entered.ok) admit(auth, entered.value, request, reply, done);
      else sendRefusal(reply, entered.error);
    }, done);
  }

  /** Only unknown keys are delayed by address: guessing must not lock out a neighbour's valid key. */
  function refuseUnknown(request: FastifyRequest, reply: FastifyReply): void {
    const waitSeconds = failures.waitSeconds(request.ip);
    failures.count(request.ip);
    sendRefusal(reply, waitSeconds > 0 ? tooManyFailures(waitSeconds) : refusal("invalid_api_key", UNKNOWN_KEY));
  }

  function admit(
    auth: RouteAuth,
    record: KeyRecord | null,
    request: FastifyRequest,
    reply: FastifyReply,
    done: Done,
  ): void {
    if (record !== null) nameCaller(request, record);
    if (record === null || record.revokedAt !== null) {
      sendRefusal(reply, refusal("invalid_api_key", UNKNOWN_KEY));
      return;
    }
    if (record.rolled !== null) setRolledHeaders(reply, record.rolled);
    const refused = standing(record, request, edge) ?? mayUse(record, auth);
    if (refused) {
      sendRefusal(reply, refused);
      return;
    }
    request.caller = record;
    if (!record.person) used(record.keyId);
    const denied = isPermitted(record, auth) ? whyUnconfirmed(record, request) : lacksScope(auth, record);
    if (auth.policy === null) {
      if (denied) sendRefusal(reply, denied);
      else done();
      return;
    }
    // A key without the scope consumes nothing, but its answer still shows the remaining points.
    const limit = edge.limitFor(record, auth.policy);
    const taken = edge.limits.take(subjectOf(record), auth.policy, limit, denied ? 0 : 1);
    const decided = (decision: LimitDecision): void => {
      request.limited = decision;
      setLimitHeaders(reply);
      if (denied) sendRefusal(reply, denied);
      else if (decision.allowed) done();
      else sendRefusal(reply, overLimit(decision));
    };
    if (!(taken instanceof Promise)) {
      decided(taken);
      return;
    }
    taken.then(decided, (error: unknown) => {
      edge.log.error({ err: error, request_id: request.id }, "rate limit counter failed");
      sendRefusal(reply, refusal("overloaded", COUNTER_AWAY, { retryAfterSeconds: 1 }));
    });
  }

  async function identify(request: FastifyRequest): Promise<void> {
    const key = request.raw.headers["x-api-key"];
    if (typeof key !== "string" || checkApiKeyFormat(key) === undefined) return;
    const found = await cache.find(key).catch(() => undefined); // without storage it is answered all the same
    if (found) nameCaller(request, found);
  }

  async function isStillAllowed(request: FastifyRequest): Promise<boolean> {
    const record = await recordOf(request);
    const { auth } = request.routeOptions.config;
    if (record === undefined || record.revokedAt !== null || auth === undefined || auth === "public") return false;
    const isAllowed = !standing(record, request, edge) && !mayUse(record, auth) && isPermitted(record, auth);
    if (isAllowed) request.caller = record; // a person may have another role by now
    return isAllowed;
  }

  async function recordOf(request: FastifyRequest): Promise<KeyRecord | undefined> {
    if (!request.caller?.person || !sessions) return cache.find(request.raw.headers["x-api-key"] as string);
    const entered = await enterBySession(request, sessions);
    return entered.ok ? entered.value : undefined;
  }

  return { hookFor, isStillAllowed, identify, forgetKeys: () => cache.clear() };
}

function nameCaller(request: FastifyRequest, record: KeyRecord): void {
  request.record = record;
  request.account = record.accountId;
}

const NOT_SIGNED_IN = refusal("session_ended", "This is for people who are signed in to the portal. Sign in first.");
const UNKNOWN_KEY =
  "This API key is not valid: it does not exist or was revoked. Use a key from your account's key list.";
const COUNTER_AWAY =
  "The request can't be counted now, and was not carried out; what an earlier one made stands. Try again.";

/** A replaced key's headers: `Deprecation` (RFC 9745), the time of replacement, and `Sunset` (RFC 8594), its end. */
function setRolledHeaders(reply: FastifyReply, { at, until }: NonNullable<KeyRecord["rolled"]>): void {
  reply.header("deprecation", `@${Math.floor(at.getTime() / 1000)}`);
  reply.header("sunset", until.toUTCString());
}

/** The refusal of a known key that may not be used now or from this address. */
function standing(record: KeyRecord, request: FastifyRequest, edge: Edge): Refusal | undefined {
  const { expiresAt, rolled } = record;
  if (expiresAt !== null || rolled !== null) {
    const now = edge.clock.now();
    if (expiresAt !== null && expiresAt <= now) {
      return refusal("api_key_expired", `This API key expired at ${expiresAt.toISOString()}. Make a new one.`);
    }
    if (rolled !== null && rolled.until <= now) {
      const detail = `This API key was replaced and stopped working at ${rolled.until.toISOString()}. Use the key that replaced it.`;
      return refusal("api_key_expired", detail);
    }
  }
  if (record.accountSuspended) {
    return refusal("account_suspended", "This account is suspended. Ask whoever runs this gateway.");
  }
  if (!allowsAddress(record, request.ip)) {
    const detail = `This key may not be used from ${request.ip}. Add the address to the key's list, or call from one that is on it.`;
    return refusal("ip_not_allowed", detail);
  }
  return undefined;
}

function mayUse(record: KeyRecord, { service }: RouteAuth): Refusal | undefined {
  if (service === undefined) return undefined;
  if (!Object.hasOwn(record.subscriptions, service)) {
    const detail = `Your account is not subscribed to \`${service}\`. Choose a plan (GET /services) and subscribe to it with PUT /subscriptions/${service} and a live key, or ask whoever runs this gateway.`;
    return refusal("not_subscribed", detail, { members: { service, link: `/portal/services/${service}` } });
  }
  if (record.services !== null && !record.services.includes(service)) {
    const detail = `This key is limited to: ${record.services.join(", ")}. Use a key that includes \`${service}\`.`;
    return refusal("scope_missing", detail, { members: { service } });
  }
  return undefined;
}

/** People's permissions are finer than scopes. */
const isPermitted = ({ person, scopes }: KeyRecord, { scope, permission }: RouteAuth): boolean =>
  person && permission ? mayDo(person.role, permission) : scopes.includes(scope);

const whyUnconfirmed = ({ person }: KeyRecord, request: FastifyRequest): Refusal | undefined =>
  request.routeOptions.config.confirmed && person && !person.isConfirmed ? CONFIRMATION_REQUIRED : undefined;

const lacksScope = ({ scope }: RouteAuth, { person, mode }: KeyRecord): Refusal => {
  const detail = person
    ? `Your role in this account, ${person.role}, may not do this in ${mode} mode. Ask an owner of the account.`
    : `This endpoint needs the scope \`${scope}\`, which this key does not have.`;
  return refusal("scope_missing", detail, { members: { required_scope: scope } });
};

/** The refusal of a request over the limit. */
export const overLimit = ({ policy, limit, remaining, resetSeconds, points }: LimitDecision): Refusal => {
  const members = { policy, limit, window_seconds: 60, retry_after_seconds: resetSeconds };
  if (points <= limit) {
    const asked = points === 1 ? "" : ` This request counts ${points}; ${remaining} are left.`;
    const detail = `The limit is ${limit} a minute for ${policy}.${asked} Wait ${resetSeconds} s and send it again.`;
    return refusal("rate_limited", detail, { members, retryAfterSeconds: resetSeconds });
  }
  // Waiting would not help, so there is no Retry-After.
  const detail = `This request counts ${points}, and the limit is ${limit} a minute for ${policy}. Split it, or choose a larger plan.`;
  return refusal("rate_limited", detail, { members: { policy, limit, window_seconds: 60, retryable: false } });
};

const tooManyFailures = (waitSeconds: number): Refusal =>
  refusal("rate_limited", `Too many unknown API keys came from this address. Wait ${waitSeconds} s.`, {
    retryAfterSeconds: waitSeconds,
    members: { policy: "key-failures", retry_after_seconds: waitSeconds },
  });

/** Node joins repeated headers with a comma, which no key has, so only a malformed key is checked for repetition. */
function malformedKey(request: FastifyRequest): Refusal {
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === "x-api-key").length > 1) {
    return refusal("duplicate_api_key_header", "X-API-Key was sent more than once. Send it exactly once.");
  }
  const isId = /^key_/.test(String(request.raw.headers["x-api-key"]));
  return refusal("invalid_api_key", isId ? ID_FOR_KEY : NOT_A_KEY);
}

const NOT_A_KEY =
  "This is not an API key of ours: the form or the checksum is wrong. Copy the whole key, starting with afara_.";
const ID_FOR_KEY =
  "This is the id of a key, which only names it. Send the key itself: it starts with afara_ and was shown once, when it was made.";

const MISSING_KEY =
  "Send your API key in the X-API-Key header. A gateway on your own machine printed a test key when it started, and keeps it in its data directory (`test-key`).";

/** Bodies up to this size are searched for a misplaced key; the answer is 401 in any case. */
const LOOKED_AT_BYTES_MAX = 16 * 1024;

function refuseWithoutKey(request: FastifyRequest, reply: FastifyReply): void {
  const missing = refusal("missing_api_key", MISSING_KEY);
  const length = Number(request.headers["content-length"] ?? 0);
  if (!(length > 0 && length <= LOOKED_AT_BYTES_MAX) || isExpecting(request.raw)) {
    sendRefusal(reply, missing);
    return;
  }
  const slot = request.server.edge.strangers.open(callerOfAddress(request.ip));
  const read = slot.read(request.raw, LOOKED_AT_BYTES_MAX).then(
    (bytes) => bytes.toString("latin1"),
    () => "", // a faulty body does not change the answer: the key is missing
  );
  void read.then((body) => {
    slot.end();
    const detail =
      "The API key was sent in the body. Send it in the X-API-Key header, and replace this key: bodies get logged.";
    sendRefusal(reply, API_KEY_PATTERN.test(body) ? refusal("use_x_api_key_header", detail) : missing);
  });
}
