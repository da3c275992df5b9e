import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../kernel/clock.ts";

/** Longer than any of what is done so takes on a machine that is not busy. */
export const EVEN_MS = 400;

/** Answers after whole steps of time, so that how long it took does not tell what was found. */
export async function evenly<T>(clock: Clock, act: () => Promise<T>): Promise<T> {
  const beganMs = clock.monotonicMs();
  try {
    return await act();
  } finally {
    const spent = clock.monotonicMs() - beganMs;
    await wait(Math.ceil(Math.max(spent, 1) / EVEN_MS) * EVEN_MS - spent);
  }
}
