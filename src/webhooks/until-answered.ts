import type { Clock } from "../kernel/clock.ts";
import { SECOND_MS } from "../kernel/duration.ts";

export interface Persistence {
  readonly clock: Clock;
  readonly totalMs: number;
  readonly failed: (error: unknown) => void;
}

/** Asks the database again every second while it fails. Undefined: it failed until the end of that time. */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  { clock, totalMs, failed }: Persistence,
): Promise<T | undefined> {
  const startedMs = clock.monotonicMs();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      failed(error);
      if (clock.monotonicMs() - startedMs > totalMs) return undefined;
      await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
    }
  }
}
