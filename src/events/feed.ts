import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import type { Job } from "../ports/job.ts";
import { dropOldFeed, placeEvents } from "./feed.repo.ts";
import type { Position } from "./position.ts";

/**
 * Keeps the feed going on this node: gives events their places, and tells listeners when there are new ones. Every node does
 * this; the database lets one at a time.
 */
export interface Feed {
  /**
   * Calls `heard` whenever more events may have their places, wherever they were written. While anybody listens on this node,
   * that is within about `PLACE_MS` of their commit. Returns the function that ends it. `heard` must not throw.
   */
  onFeed(heard: (head: Position) => void): () => void;
  readonly jobs: readonly Job[];
}

export interface FeedOptions {
  /** A connection of its own: it waits for nobody, and after a long pause there may be much to place. */
  readonly db: Db;
  readonly clock: Clock;
}

/** Interval while somebody listens. */
const PLACE_MS = 100;
/** Interval while nobody does: places keep in step, so that the next listener has little to wait for. */
const UNHEARD_MS = 1_000;

export function makeFeed({ db, clock }: FeedOptions): Feed {
  const listeners = new Set<(head: Position) => void>();
  let head: Position | undefined;
  let placedAtMs = Number.NEGATIVE_INFINITY;

  const place = async (): Promise<void> => {
    const now = clock.monotonicMs();
    if (listeners.size === 0 && now - placedAtMs < UNHEARD_MS) return;
    placedAtMs = now;
    const reached = await placeEvents(db);
    if (reached === undefined || reached === head) return;
    head = reached;
    for (const heard of [...listeners]) heard(reached);
  };

  return {
    onFeed(heard) {
      const listener = (reached: Position) => heard(reached);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    jobs: [
      { name: "feed", everyMs: PLACE_MS, run: place },
      { name: "old feed", everyMs: HOUR_MS, run: () => dropOldFeed(db) },
    ],
  };
}
