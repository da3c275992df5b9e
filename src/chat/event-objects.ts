import type { Db } from "../db/database.ts";
import type { EventObjects } from "../orders/service.ts";
import { type EventReaders, objectsOf } from "../ports/event-object.ts";
import { messageView, receivedView } from "./chat.view.ts";
import { idsIn } from "./conversation.ts";
import { findAllInbound } from "./inbound.repo.ts";

/** Messages in events. */
export const messagesIn: EventObjects = async (orders) => orders.map(messageView);

/** Inbound messages in events. */
export const chatEventReaders = (db: Db): EventReaders => ({
  async "chat.received"(events) {
    const accountId = events[0]!.accountId;
    const received = await findAllInbound(
      db,
      accountId,
      events.map(({ subjectId }) => subjectId),
    );
    const ids = await idsIn(db, accountId, [...received.values()]);
    return objectsOf(events, (id) => {
      const message = received.get(id);
      return message && receivedView(message, ids);
    });
  },
});
