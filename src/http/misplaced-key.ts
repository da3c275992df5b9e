import type { FastifyRequest } from "fastify";
import { API_KEY_PATTERN } from "../accounts/api-key.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";

const QUERY_NAMES = new Set(["api_key", "apikey", "api-key", "x-api-key", "access_token", "key"]);

/**
 * A key in the query or in `Authorization`: refused even beside a good header, since addresses and that header end up
 * in logs and proxies. An `Authorization` of another kind is ignored when `X-API-Key` is there: a proxy in front may
 * have put it.
 */
export function misplacedKey(request: FastifyRequest): Refusal | undefined {
  const { authorization } = request.headers;
  const noHeader = request.headers["x-api-key"] === undefined;
  if (authorization !== undefined && (noHeader || API_KEY_PATTERN.test(authorization))) {
    return refusal("use_x_api_key_header", "Send the API key in the X-API-Key header, not in Authorization.");
  }
  const query = request.raw.url?.split("?", 2)[1];
  if (query === undefined) return undefined;
  for (const [name, value] of new URLSearchParams(query)) {
    if (API_KEY_PATTERN.test(value) || (noHeader && QUERY_NAMES.has(name.toLowerCase()))) {
      const detail =
        "An API key was sent in the address. Send it in the X-API-Key header, and replace this key: addresses get logged.";
      return refusal("use_x_api_key_header", detail);
    }
  }
  return undefined;
}
