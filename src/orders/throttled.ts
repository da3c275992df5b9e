import type { Order } from "./order.ts";
import type { TimelineRow } from "./orders.repo.ts";

/**
 * However often its vendor throttles an order, its timeline has one entry of that, which counts the repeats: a vendor's bad day must
 * not fill the table of events. The order's facts say which entry it is.
 */
interface Throttled {
  /** Version of the order at the first time: the entry's. */
  readonly entry: number;
  readonly times: number;
  /** By route. */
  readonly by: Readonly<Record<string, number>>;
  readonly since: string;
}

const kept = ({ facts }: Pick<Order, "facts">): Throttled | undefined => facts?.throttled as Throttled | undefined;

/** The order's facts, and the detail of its entry, after one time more. `inRow`: how often that route has throttled it. */
export function throttledOnceMore(
  order: Order,
  route: string,
  at: Date,
): { readonly throttled: Throttled; readonly inRow: number; readonly detail: object } {
  const before = kept(order);
  const inRow = (before?.by[route] ?? 0) + 1;
  const by = { ...before?.by, [route]: inRow };
  if (!before)
    return { throttled: { entry: order.version + 1, times: 1, by, since: at.toISOString() }, inRow, detail: {} };
  const times = before.times + 1;
  return {
    throttled: { ...before, times, by },
    inRow,
    detail: { repeat_of: before.entry, times, last_at: at.toISOString() },
  };
}

/** That such an order is begun once more is part of the same entry. `repeat_of`: see the trigger `events_folded`. */
export function begunOnceMore(order: Order): { readonly detail?: { readonly repeat_of: number } } {
  const before = kept(order);
  return before ? { detail: { repeat_of: before.entry } } : {};
}

/** Times in which an order waits just as long as it is asked to: most throttling is over by then. */
const PATIENT_TIMES = 3;
/** The longest that an order waits by itself. Only a vendor may ask for more. */
const WAIT_MS_MAX = 60_000;
const SPREAD = 2 ** 16;

/**
 * How long an order that a route has throttled so many times waits: as the vendor asks the first three times, then each time twice as long, and up to half as long
 * again, so that orders which were refused together do not come back together. By its id and the number, and so the same whenever it is decided anew.
 */
export function waitOf({ id }: Pick<Order, "id">, times: number, retryAfterMs: number): number {
  // Nothing was offered to the vendor: it may leave at once.
  if (retryAfterMs === 0) return 0;
  const grown = Math.max(
    retryAfterMs,
    Math.min(WAIT_MS_MAX, retryAfterMs * 2 ** Math.min(Math.max(0, times - PATIENT_TIMES), 30)),
  );
  const chance = ((Number.parseInt(id.slice(-4), 16) + times * 40_503) % SPREAD) / SPREAD;
  return Math.round(grown * (1 + chance / 2));
}

/** The repeats, in words for a timeline; undefined where there were none. */
export function sayRepeats(detail: TimelineRow["detail"]): string | undefined {
  const { times, last_at: lastAt } = detail ?? {};
  return typeof times === "number" ? `${times} times, the last at ${lastAt}` : undefined;
}
