import { createHash, hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { canonicalJson, canonicalPieces } from "../kernel/canonical-json.ts";
import { decodeId, type Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { invariant, ok, type Result, refuse } from "../kernel/result.ts";
import type { Steps } from "../kernel/slices.ts";

/**
 * The key of a request, undefined without the header. The draft (draft-ietf-httpapi-idempotency-key-header-07) wants a
 * quoted string, most clients send it bare: both name the same key.
 * Errors: `invalid_idempotency_key` unless 1–255 printable ASCII characters, sent once.
 */
export function idempotencyKeyOf(
  request: Pick<FastifyRequest, "headers" | "raw">,
): Result<string | undefined, Refusal> {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return ok(undefined);
  // Node joins repeated headers with a comma, which a key may have too.
  if (typeof header !== "string" || (header.includes(",") && isRepeated(request))) {
    return refuse(refusal("invalid_idempotency_key", "Idempotency-Key was sent more than once."));
  }
  const key = unquoted(header);
  if (key === undefined || !/^[\x20-\x7e]{1,255}$/.test(key)) return refuse(refusal("invalid_idempotency_key", WANTED));
  return ok(key);
}

const WANTED =
  "Idempotency-Key must be 1 to 255 printable ASCII characters, with or without double quotes around them.";

const isRepeated = ({ raw }: Pick<FastifyRequest, "raw">): boolean =>
  raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "idempotency-key").length > 1;

/**
 * Text of a quoted string (RFC 9651 section 3.3.3: only `"` and `\` are escaped) or of a bare one; undefined when the
 * quotes don't match.
 */
function unquoted(header: string): string | undefined {
  if (!header.startsWith('"')) return header;
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1];
  return inner?.replaceAll(/\\(["\\])/g, "$1");
}

/** The id of the request, which an order that it makes keeps. */
export const requestUuid = ({ id }: Pick<FastifyRequest, "id">): Uuid => {
  const uuid = decodeId("req", id);
  invariant(uuid, "requests are named by `genReqId`");
  return uuid;
};

/**
 * SHA-256 of method, path and body: whether a repeat asks for the very same thing. The order of fields does not matter.
 */
export const fingerprintOf = (method: string, path: string, body: unknown): Buffer =>
  hash("sha256", `${method}\n${path}\n${canonicalJson(body)}`, "buffer");

/** The same fingerprint of a body that is long. */
export function* fingerprintOfLong(method: string, path: string, body: unknown): Steps<Buffer> {
  const sum = createHash("sha256").update(`${method}\n${path}\n`);
  for (const piece of canonicalPieces(body)) {
    sum.update(piece);
    yield;
  }
  return sum.digest();
}
