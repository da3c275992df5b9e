import type { Database, Db } from "../db/database.ts";
import { type FeedEvent, findEvent, readAfter, readAt, readHead } from "../events/feed.repo.ts";
import { positionAt } from "../events/position.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type DueRow, readDue, removeRows } from "./deliveries.repo.ts";
import type { Claimed, FeedMessage } from "./delivery.ts";
import type { DueMessage } from "./due-messages.ts";
import type { Endpoint, Whose } from "./endpoint.ts";
import type { ReplayableEvent } from "./replay.service.ts";
import type { FeedPage } from "./session.ts";

/** Events of one account and mode as subscribers get them, in the same order. `mayVend`: whether tokens are shown in full. */
export type EventBodies = (
  events: readonly FeedEvent[],
  reader: { readonly mayVend: boolean },
) => Promise<readonly object[]>;

/** What webhooks read of the feed. */
export interface Messages {
  /** The position of the last event. */
  readonly readHead: (db: Db) => Promise<bigint>;
  readonly readFeed: (endpoint: Claimed, after: bigint, limit: number) => Promise<FeedPage>;
  readonly readDue: (endpoint: Claimed, now: Date, limit: number) => Promise<readonly DueMessage[]>;
  readonly findEvent: (whose: Whose, id: Uuid) => Promise<ReplayableEvent | undefined>;
  readonly readPlaced: (endpoint: Endpoint, after: bigint, until: Date) => AsyncIterable<ReplayableEvent>;
}

/** Events read at once for a replay: they are not kept in memory with their bodies. */
const PAGE = 1_000;

export function makeMessages({ db, bodies }: { readonly db: Database; readonly bodies: EventBodies }): Messages {
  const messagesOf = async (endpoint: Endpoint, events: readonly FeedEvent[]): Promise<readonly FeedMessage[]> => {
    const shown = await bodies(events, { mayVend: endpoint.mayVend });
    return events.map(({ id, type, subjectId, position }, index) => ({
      eventId: id,
      type,
      subjectId,
      position,
      body: Buffer.from(JSON.stringify(shown[index])),
    }));
  };

  return {
    readHead,

    async readFeed(endpoint, after, limit) {
      const { accountId, mode, types } = endpoint;
      const { events, reached, hasMore } = await readAfter(db, { accountId, mode, after, types, limit });
      return { messages: await messagesOf(endpoint, events), reached, hasMore };
    },

    async readDue(endpoint, now, limit) {
      const pings = endpoint.status !== "active";
      const rows = await readDue(db, { endpointId: endpoint.id, now, pings, limit });
      const placed = rows.flatMap(({ position }) => (position === null ? [] : position));
      const events = placed.length === 0 ? [] : await readAt(db, endpoint, placed);
      const byPosition = new Map((await messagesOf(endpoint, events)).map((message) => [message.position, message]));
      const due = rows.flatMap((row) => dueMessage(row, byPosition) ?? []);
      if (due.length < rows.length) {
        const found = new Set(due.map(({ message }) => message.eventId));
        const gone = rows.filter(({ eventId }) => !found.has(eventId)).map(({ eventId }) => eventId);
        await removeRows(db, endpoint.id, gone);
      }
      return due;
    },

    async findEvent({ accountId, mode }, id) {
      const event = await findEvent(db, { accountId, mode }, id);
      return event && replayable(event);
    },

    async *readPlaced({ accountId, mode, types }, start, until) {
      const end = positionAt(until);
      let after = start;
      for (let hasMore = true; hasMore; ) {
        const slice = await readAfter(db, { accountId, mode, after, types, limit: PAGE });
        for (const event of slice.events) {
          if (event.position > end) return;
          yield replayable(event);
        }
        after = slice.reached;
        hasMore = slice.hasMore && after <= end;
      }
    },
  };
}

/** Undefined: the event is no longer kept. */
function dueMessage(row: DueRow, byPosition: ReadonlyMap<bigint, FeedMessage>): DueMessage | undefined {
  const { position, body, eventId, type, subjectId } = row;
  const message =
    position === null ? { eventId, type, subjectId, body: Buffer.from(body ?? "") } : byPosition.get(position);
  return message && { ...row, message };
}

const replayable = ({ id, type, subjectId, position, at }: FeedEvent): ReplayableEvent => ({
  eventId: id,
  type,
  subjectId,
  position,
  at,
});
