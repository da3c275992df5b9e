import type { FastifyReply, FastifyRequest } from "fastify";
import type { Uuid } from "../kernel/ids.ts";
import type { AnsweredRequest } from "../ports/answered-request.ts";

/** Where the portal asks for itself. */
const PORTAL_API = "/portal/api/";
const READS: readonly string[] = ["GET", "HEAD"];

/** The request as the request log takes it. Undefined: it is of no account, or a page's look at the account's own keys, members or log. */
export function answeredOf(
  request: FastifyRequest,
  reply: FastifyReply,
  more: { readonly payload: unknown; readonly durationMs: number; readonly about: string | undefined },
): AnsweredRequest | undefined {
  const { record, method, raw } = request;
  const url = raw.url ?? "";
  if (!record) return undefined; // undefined where the framework refused before its decorators were set
  if (record.person && READS.includes(method) && url.startsWith(PORTAL_API)) return undefined;
  return {
    id: request.id,
    accountId: record.accountId as Uuid,
    mode: record.mode,
    keyId: record.person ? null : (record.keyId as Uuid),
    personId: record.person?.id ?? null,
    method,
    url,
    headers: raw.headers,
    body: isJson(raw.headers["content-type"]) ? request.body : undefined,
    status: reply.statusCode,
    code: request.refused?.code,
    durationMs: more.durationMs,
    about: more.about,
    answer: isJson(reply.getHeader("content-type")) ? bytesOf(more.payload) : undefined,
  };
}

/** `application/json` or `application/problem+json`, with or without a charset. */
const isJson = (type: unknown): boolean => typeof type === "string" && /^application\/(?:problem\+)?json\b/i.test(type);

const bytesOf = (payload: unknown): string | Buffer | undefined =>
  typeof payload === "string" || Buffer.isBuffer(payload) ? payload : undefined;
