import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** Warns of `kind`; `fields` and `message` are those of the log. */
export type RareWarning = (kind: string, fields: Readonly<Record<string, unknown>>, message: string) => void;

const EVERY_MS = 60_000;
/** Kinds that are told apart; what comes beyond them counts as one more. */
const KINDS_MAX = 200;

/**
 * Warnings that a peer can bring about by the thousand: the first of a kind is logged at once, then one a minute, with how many
 * were `leftOut` before it.
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
