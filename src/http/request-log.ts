import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { KeepRequest } from "../ports/answered-request.ts";
import { answeredOf } from "./answered-request.ts";
import { COMMON_REFUSALS, type CommonCode } from "./common.refusals.ts";
import { openApiPath } from "./openapi-path.ts";
import type { CountAnswer } from "./request-metrics.ts";

/** One log line per request, with the field names of docs/operations/running.md. */
export interface RequestLog {
  /** Call it once the answer is decided; later calls for the same request do nothing. `payload`: its body, if it is no stream. */
  answered(request: FastifyRequest, reply: FastifyReply, payload?: unknown): void;
  /** Logs a refusal on a connection without a parsed request. */
  unread(problem: Refusal<CommonCode>, requestId: string): void;
}

export interface RequestLogOptions {
  readonly log: Log;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Counts every answer, with a line or without. */
  readonly count?: CountAnswer;
  /** Makes a span of it. */
  readonly trace?: CountAnswer;
  /** Takes down those that have a line, for their account. */
  readonly keep?: KeepRequest;
  /** Default: `setTimeout`. */
  readonly later?: (act: () => void, ms: number) => void;
}

/**
 * The rate limit of log lines about refused or unauthenticated requests, for each account and for all unauthenticated callers: a
 * burst, then a number per second. The rest are only counted, so that mass refusals can't fill the disk.
 */
const BURST = 200;
const PER_SECOND = 10;
/** How often the counts are logged. */
const SUMMARY_MS = 10_000;

/** Polled every second by load balancers. */
const HEALTH: ReadonlySet<string | undefined> = new Set(["/livez", "/readyz"]);
/** Ids of orders in a path say which order a request is about; other parameters may be personal. */
const ORDER_ID = /^(?:msg|pur|blk|trf)_[0-9a-z]{26}$/;

export function makeRequestLog({
  log,
  clock,
  count,
  trace,
  keep,
  later = unrefTimeout,
}: RequestLogOptions): RequestLog {
  const mayWrite = makeFloodGate(log, clock, later);
  const routeAs = remembering(openApiPath);
  const accountAs = remembering((account) => encodeId("acc", account as Uuid));
  /** Whatever goes wrong with the log, the request is answered, and the gateway goes on. */
  const keepSafely = (keep: KeepRequest, ...[request, reply, more]: Parameters<typeof answeredOf>): void => {
    try {
      const kept = answeredOf(request, reply, more);
      if (kept) keep(kept);
    } catch (err) {
      log.error({ err, request_id: request.id }, "a request could not be kept");
    }
  };

  return {
    answered(request, reply, payload) {
      if (request.isLogged) return;
      request.isLogged = true;
      const durationMs = request.begunAtMs ? clock.monotonicMs() - request.begunAtMs : 0; // its hooks may not have run
      count?.(request, reply, durationMs);
      trace?.(request, reply, durationMs);
      const { refused, thrown } = request;
      const status = reply.statusCode;
      const account = accountAs(request.account);
      if ((account === undefined || status >= 400) && !mayWrite(account, refused?.code ?? String(status))) return;
      const route = routeAs(request.routeOptions.url);
      const about = request.orderId ?? orderOf(refused) ?? orderIn(request.params);
      if (keep) keepSafely(keep, request, reply, { payload, durationMs, about });
      // Undefined fields are omitted.
      const fields = {
        request_id: request.id,
        account,
        method: request.method,
        route,
        status,
        code: refused?.code,
        duration_ms: Math.round(durationMs * 10) / 10,
        order: about,
        internal: refused?.internal,
      };
      if (thrown) log.error({ ...fields, err: thrown }, "request");
      else if (refused?.internal !== undefined) log.warn(fields, "request");
      else if (status < 400 && HEALTH.has(route)) log.debug(fields, "request");
      else log.info(fields, "request");
    },

    unread({ code }, requestId) {
      if (mayWrite(undefined, code))
        log.info({ request_id: requestId, status: COMMON_REFUSALS.problems[code].status, code }, "request");
    },
  };
}

const REMEMBERED_MAX = 10_000;

/** Cached texts of frequent values. */
function remembering(make: (name: string) => string): (name: string | null | undefined) => string | undefined {
  const known = new Map<string, string>();
  return (name) => {
    if (!name) return undefined;
    let text = known.get(name);
    if (text === undefined) {
      if (known.size >= REMEMBERED_MAX) known.clear();
      text = make(name);
      known.set(name, text);
    }
    return text;
  };
}

/** The order that a refusal names: the one that has the reference, or that may have been accepted. */
function orderOf(refused: Refusal | null | undefined): string | undefined {
  const { order_id: id, purchase } = (refused?.members ?? {}) as {
    readonly order_id?: unknown;
    readonly purchase?: { readonly id?: unknown };
  };
  const named = id ?? purchase?.id;
  return typeof named === "string" ? named : undefined;
}

const orderIn = (params: unknown): string | undefined =>
  params === null || typeof params !== "object"
    ? undefined
    : Object.values(params).find((value) => typeof value === "string" && ORDER_ID.test(value));

interface Origin {
  tokens: number;
  filledAtMs: number;
  readonly leftOut: Map<string, number>;
}

function makeFloodGate(log: Log, clock: Pick<Clock, "monotonicMs">, later: (act: () => void, ms: number) => void) {
  const origins = new Map<string | undefined, Origin>();
  let isTelling = false;

  const fill = (origin: Origin): void => {
    const now = clock.monotonicMs();
    origin.tokens = Math.min(BURST, origin.tokens + ((now - origin.filledAtMs) / 1_000) * PER_SECOND);
    origin.filledAtMs = now;
  };

  const tell = (): void => {
    isTelling = false;
    for (const [account, origin] of origins) {
      const codes = Object.fromEntries(origin.leftOut);
      const count = Object.values(codes).reduce((sum, one) => sum + one, 0);
      origin.leftOut.clear();
      if (count > 0) log.warn({ ...(account && { account }), left_out: count, codes }, "requests without a line");
      fill(origin);
      if (origin.tokens === BURST) origins.delete(account);
    }
    tellLater();
  };
  const tellLater = (): void => {
    if (isTelling || origins.size === 0) return;
    isTelling = true;
    later(tell, SUMMARY_MS);
  };

  return (account: string | undefined, code: string): boolean => {
    let origin = origins.get(account);
    if (!origin) {
      origin = { tokens: BURST, filledAtMs: clock.monotonicMs(), leftOut: new Map() };
      origins.set(account, origin);
      tellLater();
    }
    fill(origin);
    if (origin.tokens >= 1) {
      origin.tokens -= 1;
      return true;
    }
    origin.leftOut.set(code, (origin.leftOut.get(code) ?? 0) + 1);
    return false;
  };
}

const unrefTimeout = (act: () => void, ms: number): void => void setTimeout(act, ms).unref();
