/**
 * A place in the feed: milliseconds since 1970 when the event was placed, times 2^20, and the event's number in that run. So
 * positions grow, in one database and over its copies, and each says how old it is. As in SQL: `feed_position`.
 */
export type Position = bigint;

const MILLISECOND_BITS = 20n;

/** How long the feed keeps its events. */
export const KEPT_DAYS = 30;
const KEPT_MS = KEPT_DAYS * 86_400_000;

/** In the year 2248 a position would need more than the 63 bits of a `bigint`. */
const MS_MAX = 2 ** 43 - 1;

/** The smallest position that an event placed at this moment can have; moments before 1970 and after 2248 count as those. */
export const positionAt = (moment: Date): Position =>
  BigInt(Math.min(Math.max(moment.getTime(), 0), MS_MAX)) << MILLISECOND_BITS;

/** Everything kept is after this position. */
export const oldestKept = (now: Date): Position => positionAt(new Date(now.getTime() - KEPT_MS));

export const placedAt = (position: Position): Date => new Date(Number(position >> MILLISECOND_BITS));

/** `Math.max` takes no bigints. */
export function latest(...positions: readonly Position[]): Position {
  let last = 0n;
  for (const position of positions) if (position > last) last = position;
  return last;
}
