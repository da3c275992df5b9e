import type { Clock } from "./clock.ts";

/** How old what is read of the database may be: many scrapes, and several metrics of one, share a query. */
const READ_EVERY_MS = 10_000;

/** Asks the database at most once in `READ_EVERY_MS`; an error is not kept. */
export function remembered<T>(clock: Pick<Clock, "monotonicMs">, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly atMs: number; readonly value: Promise<T> } | undefined;
  return () => {
    const atMs = clock.monotonicMs();
    if (!last || atMs - last.atMs >= READ_EVERY_MS) {
      const value = read();
      const mine = { atMs, value };
      last = mine;
      value.catch(() => {
        if (last === mine) last = undefined;
      });
    }
    return last.value;
  };
}
