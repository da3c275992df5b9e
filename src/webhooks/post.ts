import { lookup } from "node:dns/promises";
import { buildConnector, Client, errors } from "undici";
import { faultOf } from "../egress/fetch-file.ts";
import {
  Blocked,
  checkUrl,
  type EgressRules,
  isLoopback,
  isPublic,
  lookupFor,
  type ResolveName,
} from "../egress/guard.ts";
import { type Deadline, deadline } from "../kernel/deadline.ts";
import type { DeliveryError, Outcome } from "./outcome.ts";

/** Posts an event to a receiver under the guard of `src/egress`. Never throws. */
export interface Poster {
  post(request: PostRequest): Promise<Outcome>;
  /** Ends attempts under way and closes all connections. */
  close(): Promise<void>;
}

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface PosterOptions {
  readonly rules: EgressRules;
  readonly resolve?: ResolveName;
  readonly nowMs: () => number;
  readonly totalMs?: number;
  readonly connectMs?: number;
}

/** Public addresses by HTTPS. */
export const PUBLIC: EgressRules = { httpAllowed: false, permits: isPublic };
/** For test keys of a gateway on one's own machine: this machine too, and plain HTTP. */
export const LOCAL: EgressRules = {
  httpAllowed: true,
  insideNames: true,
  permits: (address) => isPublic(address) || isLoopback(address),
};

const TOTAL_MS = 15_000;
const CONNECT_MS = 5_000;
/** The status decides; a body that comes slowly is not waited for. */
const ANSWER_MS = 2_000;
const ANSWER_BYTES = 1_024;
/** Shorter than what most servers keep a connection open for. */
const KEEP_ALIVE_MS = 4_000;
/** Free connections that are kept. */
const FREE_MAX = 512;

/**
 * A connection of its own for each attempt under way, so that its address is known, and whether it was in use before. Kept
 * for the next attempt at the same origin.
 */
interface Line {
  readonly client: Client;
  address: string | undefined;
  /** Connections made so far. */
  connects: number;
}

export function makePoster(options: PosterOptions): Poster {
  const { rules, nowMs, totalMs = TOTAL_MS, connectMs = CONNECT_MS } = options;
  const { resolve = (host) => lookup(host, { all: true }) } = options;
  const connect = buildConnector({
    timeout: connectMs,
    lookup: lookupFor(resolve, rules.permits) as never,
    autoSelectFamily: true,
  });
  /** By origin, the one used least recently first. */
  const free = new Map<string, Line[]>();
  let freeCount = 0;
  const busy = new Set<AbortController>();

  const take = (origin: string): Line => {
    const lines = free.get(origin);
    const line = lines?.pop();
    if (lines?.length === 0) free.delete(origin);
    if (!line) return makeLine(origin, connect, rules, { totalMs });
    freeCount -= 1;
    return line;
  };
  const give = (origin: string, line: Line): void => {
    if (line.client.destroyed) return;
    const lines = free.get(origin) ?? [];
    free.delete(origin);
    free.set(origin, [...lines, line]);
    freeCount += 1;
    while (freeCount > FREE_MAX) {
      const [oldest, [first, ...rest] = []] = free.entries().next().value ?? [];
      if (oldest === undefined || !first) return;
      void first.client.destroy();
      freeCount -= 1;
      if (rest.length > 0) free.set(oldest, rest);
      else free.delete(oldest);
    }
  };

  const post = async ({ url: text, headers, body }: PostRequest): Promise<Outcome> => {
    const startedMs = nowMs();
    const took = () => Math.max(0, Math.round(nowMs() - startedMs));
    const url = checkUrl(text, rules);
    if (!url.ok) return { error: "blocked_address", durationMs: took() };
    const abort = new AbortController();
    busy.add(abort);
    const limit = deadline(totalMs, () => abort.abort(TIMED_OUT));
    const line = take(url.value.origin);
    try {
      const request = { path: url.value.pathname + url.value.search, headers, body, signal: abort.signal };
      const answered = await sendOn(line, request);
      return { ...answered, ...addressOf(line), durationMs: took() };
    } catch (error) {
      return { error: errorOf(error, abort.signal), ...addressOf(line), durationMs: took() };
    } finally {
      limit.cancel();
      busy.delete(abort);
      give(url.value.origin, line);
    }
  };

  return {
    post,
    async close() {
      for (const abort of busy) abort.abort();
      const lines = [...free.values()].flat();
      free.clear();
      await Promise.all(lines.map(({ client }) => client.destroy()));
    },
  };
}

const TIMED_OUT = new Error("no answer in time");

function makeLine(
  origin: string,
  connect: buildConnector.connector,
  rules: EgressRules,
  { totalMs }: { readonly totalMs: number },
): Line {
  const line: { client: Client; address: string | undefined; connects: number } = {
    address: undefined,
    connects: 0,
    client: new Client(origin, {
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: 16_384,
      // `deadline` is the limit; these are nets below it.
      headersTimeout: 2 * totalMs,
      bodyTimeout: 2 * totalMs,
      connect: (target, done) =>
        connect(target, (...[error, socket]) => {
          if (error) return done(error, null);
          line.address = socket.remoteAddress;
          line.connects += 1;
          // Whatever was resolved, this is where we are.
          if (rules.permits(socket.remoteAddress ?? "")) return done(null, socket);
          socket.destroy();
          done(new Blocked("the connection leads to an address that is not public"), null);
        }),
    }),
  };
  return line;
}

interface LineRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

/**
 * A server may close a kept connection in the moment in which it is used again. That says nothing about the receiver, so the event
 * goes once more, on a new connection.
 */
async function sendOn(line: Line, request: LineRequest): Promise<Omit<Outcome, "durationMs">> {
  const { connects } = line;
  try {
    return await send(line, request);
  } catch (error) {
    const isStale = connects > 0 && line.connects === connects && error instanceof errors.SocketError;
    if (!isStale || request.signal.aborted) throw error;
    return send(line, request);
  }
}

async function send(line: Line, request: LineRequest): Promise<Omit<Outcome, "durationMs">> {
  const { statusCode: status, headers, body } = await line.client.request({ method: "POST", ...request });
  const answer = await startOf(body, String(headers["content-type"] ?? "text/plain"));
  const retryAfter = headers["retry-after"];
  const error: DeliveryError | undefined =
    status >= 200 && status < 300 ? undefined : status >= 300 && status < 400 ? "redirected" : "http_error";
  return {
    status,
    ...(error && { error }),
    ...(answer !== "" && { answer }),
    ...(typeof retryAfter === "string" && { retryAfter }),
  };
}

const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b|application\/x-www-form-urlencoded\b)/i;

/** The first kilobyte of a text. What comes after it is not read: the connection is closed instead. */
async function startOf(body: AsyncIterable<Buffer> & { destroy(): unknown }, contentType: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isLate = false;
  const limit: Deadline = deadline(ANSWER_MS, () => {
    isLate = true;
    body.destroy();
  });
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > ANSWER_BYTES) break;
    }
  } catch (error) {
    // The status was read: however the body ends, the event was delivered or refused.
    if (!isLate && !(error instanceof Error)) throw error;
  } finally {
    limit.cancel();
  }
  if (!TEXT.test(contentType)) return "";
  // PostgreSQL's texts have no U+0000.
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString("utf8").replaceAll("\0", "");
}

const addressOf = ({ address }: Line) => (address === undefined ? {} : { address });

function errorOf(error: unknown, signal: AbortSignal): DeliveryError {
  if (signal.aborted) return "timed_out";
  if (error instanceof errors.ConnectTimeoutError) return "connect_timeout";
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return "invalid_answer";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("HPE_")) return "invalid_answer";
  if (error instanceof errors.SocketError || code === "ECONNRESET" || code === "EPIPE") return "connection_lost";
  return faultOf(error);
}
