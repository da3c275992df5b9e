/** Waits for a condition, never for a time: looks every few milliseconds until it gives something, and fails saying what was waited for. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false && found !== null) return found;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
