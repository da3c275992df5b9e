import type { Db } from "../db/database.ts";
import { findGroups, summariseGroups } from "../orders/groups.repo.ts";
import type { EventObjects } from "../orders/service.ts";
import { type EventReaders, objectsOf } from "../ports/event-object.ts";
import { bulkView } from "./bulk.view.ts";
import { holdsFor } from "./charge.ts";
import { findReceived } from "./inbound.repo.ts";
import { receivedView } from "./received.ts";
import { failureOf, messageView } from "./sms.view.ts";

/** Messages in events. */
export const messagesIn =
  (db: Db): EventObjects =>
  async (orders) => {
    const [first] = orders;
    if (!first) return [];
    const holds = await holdsFor(db, first.accountId, orders);
    return orders.map((order) => ({ ...messageView(order, holds), ...failureOf(order) }));
  };

/** Bulks and inbound messages in events. */
export const smsEventReaders = (db: Db): EventReaders => ({
  async "bulk.completed"(events) {
    const ids = events.map(({ subjectId }) => subjectId);
    const accountId = events[0]!.accountId;
    const [groups, summaries] = await Promise.all([
      findGroups(db, accountId, ids),
      summariseGroups(db, accountId, ids),
    ]);
    return objectsOf(events, (id) => {
      const [group, summary] = [groups.get(id), summaries.get(id)];
      return group && summary && bulkView(group, summary);
    });
  },
  async "sms.received"(events) {
    const ids = events.map(({ subjectId }) => subjectId);
    const received = await findReceived(db, events[0]!.accountId, ids);
    return objectsOf(events, (id) => {
      const message = received.get(id);
      return message && receivedView(message);
    });
  },
});
