import type { Db } from "../db/database.ts";
import { type EventReaders, objectsOf } from "../ports/event-object.ts";
import { findTopups } from "./topups.repo.ts";
import { topupView } from "./topups.schemas.ts";

/** Top-ups in events. */
export const fundingEventReaders = (db: Db): EventReaders => ({
  async "wallet.topped_up"(events) {
    const ids = events.map(({ subjectId }) => subjectId);
    const topups = await findTopups(db, events[0]!.accountId, ids);
    return objectsOf(events, (id) => {
      const topup = topups.get(id);
      return topup && topupView(topup);
    });
  },
});
