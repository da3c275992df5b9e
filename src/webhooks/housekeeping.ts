import type { Database } from "../db/database.ts";
import { readHead } from "../events/feed.repo.ts";
import { oldestKept, placedAt } from "../events/position.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { dropOldAttempts } from "./attempts.repo.ts";
import { forgetGivenUp } from "./deliveries.repo.ts";
import { markMissed, moveIdle } from "./endpoints.repo.ts";

export interface HousekeepingOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is done hourly: endpoints that fell behind the feed say so, and what is too old goes. */
export const makeHousekeeping =
  ({ db, clock, log }: HousekeepingOptions) =>
  async (): Promise<void> => {
    await moveIdle(db, await readHead(db));
    const oldest = oldestKept(clock.now());
    for (const { id, accountId, mode, status } of await markMissed(db, oldest, placedAt(oldest)))
      log.warn(
        { endpoint: encodeId("whe", id), account: encodeId("acc", accountId), mode, status },
        "a webhook endpoint has missed events that were 30 days old",
      );
    await forgetGivenUp(db, placedAt(oldest));
    await dropOldAttempts(db);
  };
