import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** Logs a warning of a kind, with `fields` and `message`. */
export type RareWarning = (kind: string, fields: Readonly<Record<string, unknown>>, message: string) => void;

const EVERY_MS = 60_000;
/** The maximum number of kinds; further ones share one. */
const KINDS_MAX = 200;

/**
 * Rate limit for warnings that a peer can cause by the thousand: the first of a kind is logged at once, then one per minute, with the
 * number `leftOut` before it.
 */
export function makeRareWarnings(log: Log, clock: Pick<Clock, "monotonicMs">): RareWarning {
  const kinds = new Map<string, { nextMs: number; leftOut: number }>();
  return (kind, fields, message) => {
    const name = kinds.has(kind) || kinds.size < KINDS_MAX ? kind : "";
    const now = clock.monotonicMs();
    const known = kinds.get(name);
    if (known && now < known.nextMs) {
      known.leftOut += 1;
      return;
    }
    log.warn({ ...fields, ...(known?.leftOut && { leftOut: known.leftOut }) }, message);
    kinds.set(name, { nextMs: now + EVERY_MS, leftOut: 0 });
  };
}
