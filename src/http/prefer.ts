import type { FastifyRequest } from "fastify";

/** How long a caller wants to wait for an outcome, in milliseconds. */
export const WAIT_MAX_MS = 20_000;

/**
 * `Prefer: wait=N` (whole seconds) and `Prefer: respond-async`, RFC 7240. A preference that can't be read is ignored, as the RFC
 * wants it. Without one: the longest wait.
 */
export function waitOf(request: Pick<FastifyRequest, "headers">): number {
  const header = request.headers.prefer;
  const preferences = (Array.isArray(header) ? header.join(",") : (header ?? "")).toLowerCase().split(",");
  for (const preference of preferences) {
    const wanted = preference.split(";")[0]!.trim();
    if (wanted === "respond-async") return 0;
    const seconds = /^wait\s*=\s*"?(\d{1,9})"?$/.exec(wanted)?.[1];
    if (seconds !== undefined) return Math.min(Number(seconds) * 1_000, WAIT_MAX_MS);
  }
  return WAIT_MAX_MS;
}
