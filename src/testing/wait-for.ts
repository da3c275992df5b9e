/** Long enough for the busiest machine: it is waited out only where something is broken. */
const VAIN_MS = 300_000;

/** Between two looks: a fiftieth of the time waited, for a look is often a request and costs more than the wait. */
const PAUSE_MS = { min: 10, max: 200 };

/** Waits for a condition, never for a time: looks until it gives something, and fails saying what was waited for. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  timeoutMs = VAIN_MS,
): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false && found !== null) return found;
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    const pauseMs = Math.min(Math.max(waitedMs / 50, PAUSE_MS.min), PAUSE_MS.max);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
