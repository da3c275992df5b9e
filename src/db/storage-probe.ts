import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Db } from "./database.ts";

/** Readiness checks are public, so one answer is shared within this time. */
const GOOD_FOR_MS = 1_000;
/** A disk that is slow under load still stores: for so long the answer before counts while a new one is awaited. */
const AWAITED_FOR_MS = 10_000;

/**
 * Whether the database stores things: a full disk or a standby answers reads as always. Writes and commits a page each time; rejects
 * when it can't.
 */
export function makeStorageProbe(db: Db, node: Uuid, clock: Clock): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let storedAtMs = Number.NEGATIVE_INFINITY;
  let isAwaited = false;

  const ask = async (): Promise<boolean> => {
    isAwaited = true;
    try {
      await db.query({ name: "probe_storage", text: "select probe_storage($1)" }, [node]);
      storedAtMs = clock.monotonicMs();
      return true;
    } catch (error) {
      storedAtMs = Number.NEGATIVE_INFINITY;
      throw error;
    } finally {
      isAwaited = false;
    }
  };

  return () => {
    const nowMs = clock.monotonicMs();
    if (answer === undefined || (!isAwaited && nowMs - askedAtMs >= GOOD_FOR_MS)) {
      askedAtMs = nowMs;
      answer = ask();
      answer.catch(() => undefined); // the next caller gets the error
    }
    return nowMs - storedAtMs < AWAITED_FOR_MS ? Promise.resolve(true) : answer;
  };
}
