import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { clockSkew } from "./nodes.repo.ts";

/** A clock further off than this would claim orders too early and put them into the wrong partition. */
export const SKEW_MAX_MS = 5_000;

/** At most one warning in this time while it stays wrong. */
const WARNING_EVERY_MS = 60_000;

/** Compares this node's clock with the database's, which all nodes share. */
export interface ClockWatch {
  /** Whether it agreed at the last comparison and has not jumped since. */
  readonly isRight: boolean;
  /** Compares. Rejects when the database is away: then nothing new is known. */
  compare(): Promise<void>;
}

export function makeClockWatch(options: { readonly db: Db; readonly clock: Clock; readonly log: Log }): ClockWatch {
  const { db, clock, log } = options;
  let isRight = true;
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  /** The wall clock against the one that only goes forward: it changes when somebody sets the clock. */
  const offsetMs = () => clock.now().getTime() - clock.monotonicMs();
  let comparedMs = offsetMs();
  return {
    get isRight() {
      return isRight && Math.abs(offsetMs() - comparedMs) <= SKEW_MAX_MS;
    },
    async compare() {
      const offset = offsetMs();
      const skewMs = await skewForCertain(db, clock);
      comparedMs = offset;
      const wasRight = isRight;
      isRight = Math.abs(skewMs) <= SKEW_MAX_MS;
      if (isRight && !wasRight) log.info({}, "this machine's clock agrees with the database's again; orders leave");
      const nowMs = clock.monotonicMs();
      if (isRight || (!wasRight && nowMs - warnedAtMs < WARNING_EVERY_MS)) return;
      warnedAtMs = nowMs;
      log.error({ skew_ms: Math.round(skewMs) }, `${clockFault(skewMs)}; no order leaves until they agree`);
    },
  };
}

/** The least that the clocks differ by: part of a difference may be due to a slow answer of the database. */
async function skewForCertain(db: Db, clock: Clock): Promise<number> {
  const { skewMs, doubtMs } = await clockSkew(db, () => clock.now().getTime());
  return Math.sign(skewMs) * Math.max(0, Math.abs(skewMs) - doubtMs);
}

/** `skewMs`: how far the database's clock is ahead. */
export const clockFault = (skewMs: number): string =>
  `This machine's clock is ${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs > 0 ? "behind" : "ahead of"} the database's`;
