import { lookup } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { deadline } from "../kernel/deadline.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import {
  Blocked,
  checkUrl,
  type EgressFault,
  type EgressRules,
  isPublic,
  lookupFor,
  type ResolveName,
} from "./guard.ts";

/** A file behind a stranger's link, fetched under the guard: no redirects, no cookies, no compression, a size and a time. */
export interface FetchedFile {
  readonly contentType: string | undefined;
  /** The whole file, or its first `START_BYTES` where only those were asked for. */
  readonly bytes: Buffer;
  /** As told, or as counted. */
  readonly size: number;
}

export interface FetchFileOptions {
  readonly httpAllowed: boolean;
  readonly bytesMax: number;
  /** `start`: enough to tell the type; the rest is not read where its length is told. */
  readonly wanted: "all" | "start";
  /** Asked before more of the file is kept; the fetch ends with `no_room` when it says no. */
  readonly hold?: (bytes: number) => boolean;
}

export type FetchFault = EgressFault | "no_room";
export type FetchFile = (link: string, options: FetchFileOptions) => Promise<Result<FetchedFile, FetchFault>>;

export interface FileFetcherOptions {
  readonly resolve?: ResolveName;
  readonly permits?: EgressRules["permits"];
  readonly totalMs?: number;
}

/** Enough for every type that is looked for. */
export const START_BYTES = 64 * 1_024;
const TOTAL_MS = 15_000;
const HEADERS = { "user-agent": "Afara", "accept-encoding": "identity", accept: "*/*" };

export function makeFetchFile(options: FileFetcherOptions = {}): FetchFile {
  const { permits = isPublic, totalMs = TOTAL_MS, resolve = (host) => lookup(host, { all: true }) } = options;
  const guardedLookup = lookupFor(resolve, permits);

  return async (link, { httpAllowed, bytesMax, wanted, hold = () => true }) => {
    const url = checkUrl(link, { httpAllowed, permits });
    if (!url.ok) return url;
    const abort = new AbortController();
    const { signal } = abort;
    const limit = deadline(totalMs, () => abort.abort());
    try {
      const response = await open(url.value, guardedLookup, signal);
      try {
        // Whatever was resolved, this is where we are.
        if (!permits(response.socket.remoteAddress ?? "")) return refuse("blocked_address");
        return await read(response, bytesMax, wanted, hold);
      } finally {
        response.destroy();
      }
    } catch (error) {
      return refuse(signal.aborted ? "timed_out" : faultOf(error));
    } finally {
      limit.cancel();
    }
  };
}

function open(url: URL, guardedLookup: ReturnType<typeof lookupFor>, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    // `agent: false`: a connection of its own, closed after; none that somebody else's link has opened.
    const call = request(url, { agent: false, lookup: guardedLookup as never, headers: HEADERS, signal });
    call.once("response", resolve);
    call.once("error", reject);
    // Neither of the two comes of a connection that is handed over (101), nor of one that ends without a word.
    call.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(new Error("it switched protocols"));
    });
    call.once("close", () => reject(new Error("it ended without an answer")));
    call.end();
  });
}

async function read(
  response: IncomingMessage,
  bytesMax: number,
  wanted: FetchFileOptions["wanted"],
  hold: NonNullable<FetchFileOptions["hold"]>,
): Promise<Result<FetchedFile, FetchFault>> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) return refuse("redirected");
  if (status !== 200) return refuse("not_ok");
  const told = /^\d+$/.test(response.headers["content-length"] ?? "")
    ? Number(response.headers["content-length"])
    : undefined;
  if (told !== undefined && told > bytesMax) return refuse("too_large");

  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (wanted === "all" || size < START_BYTES) {
      if (!hold(chunk.length)) return refuse("no_room");
      chunks.push(chunk);
    }
    size += chunk.length;
    if (size > bytesMax) return refuse("too_large");
    // Whose length is not told is counted to its end.
    if (wanted === "start" && told !== undefined && size >= START_BYTES) break;
  }
  const bytes = Buffer.concat(chunks);
  return ok({
    contentType: response.headers["content-type"],
    bytes: wanted === "all" ? bytes : bytes.subarray(0, START_BYTES),
    size: told ?? size,
  });
}

/** Codes of DNS (`dns.lookup`) and TLS, as Node has them; any other failure counts as `connect_failed`. */
export function faultOf(error: unknown): "blocked_address" | "dns_failed" | "tls_failed" | "connect_failed" {
  if (error instanceof Blocked) return "blocked_address";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(?:ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED)/.test(code)) return "dns_failed";
  return /^(?:ERR_TLS|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|ERR_SSL|EPROTO)/.test(code)
    ? "tls_failed"
    : "connect_failed";
}
