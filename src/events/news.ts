import type { Db } from "../db/database.ts";
import { type FeedOwner, feedsWithNews } from "./feed.repo.ts";
import type { Position } from "./position.ts";

/** Why a wait has ended: there may be more to read, nothing came in time, or the reader has gone. */
export type Woken = "news" | "quiet" | "over";

/** Readers who have read all there was, and wait for more. */
export interface News {
  /** Waits for an event of this feed after a position, for `ms` at most. */
  wait(owner: FeedOwner, after: Position, ms: number, gone: AbortSignal): Promise<Woken>;
  /** The feed has reached this position. */
  heard(head: Position): void;
}

interface Waiter {
  readonly owner: FeedOwner;
  readonly after: Position;
  readonly wake: (why: Woken) => void;
}

/** Asks once for all waiting readers whose feeds have news. */
export function makeNews(db: Db): News {
  const waiters = new Set<Waiter>();
  let head: Position | undefined;
  let isAsking = false;
  let isToAskAgain = false;

  const ask = async (): Promise<void> => {
    if (isAsking) {
      isToAskAgain = true;
      return;
    }
    isAsking = true;
    do {
      isToAskAgain = false;
      const asked = [...waiters];
      if (asked.length === 0) continue;
      // If it can't be asked, all of them look for themselves.
      const news = await feedsWithNews(db, furthestBehind(asked)).catch(() => asked.map(({ owner }) => owner));
      const named = new Set(news.map(nameOf));
      for (const waiter of asked) if (named.has(nameOf(waiter.owner))) waiter.wake("news");
    } while (isToAskAgain);
    isAsking = false;
  };

  return {
    heard(reached) {
      head = reached;
      void ask();
    },
    wait(owner, after, ms, gone) {
      if (gone.aborted) return Promise.resolve("over");
      // It was heard of while the reader was reading.
      if (head !== undefined && head > after) return Promise.resolve("news");
      return new Promise((resolve) => {
        const end = () => wake("over");
        const timer = setTimeout(() => wake("quiet"), ms);
        const wake = (why: Woken) => {
          clearTimeout(timer);
          gone.removeEventListener("abort", end);
          waiters.delete(waiter);
          resolve(why);
        };
        const waiter: Waiter = { owner, after, wake };
        gone.addEventListener("abort", end, { once: true });
        waiters.add(waiter);
      });
    },
  };
}

const nameOf = ({ accountId, mode }: FeedOwner): string => `${accountId} ${mode}`;

/** Of each feed the reader who has read least. */
function furthestBehind(waiters: readonly Waiter[]) {
  const sorted = waiters.toSorted((a, b) => (a.after < b.after ? -1 : 1));
  return [...Map.groupBy(sorted, ({ owner }) => nameOf(owner)).values()].map(([least]) => ({
    ...least!.owner,
    after: least!.after,
  }));
}
