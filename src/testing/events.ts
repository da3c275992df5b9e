import type { Db } from "../db/database.ts";
import type { FeedEvent, FeedOwner } from "../events/feed.repo.ts";
import { readAfter } from "../events/feed.repo.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";

/** Events as the writers of all services leave them, without their orders. */

export interface WrittenEvent {
  readonly subjectId?: Uuid;
  readonly sequence?: number;
  readonly type?: string;
  readonly at?: Date;
}

/** Writes an event in the caller's transaction. */
export async function writeEvent(db: Db, owner: FeedOwner, event: WrittenEvent = {}): Promise<Uuid> {
  const { subjectId = newUuid(), sequence = 1, type = "parcel.sent", at = new Date() } = event;
  const id = newUuid();
  await db.query(
    `insert into events (account_id, order_id, version, mode, id, type, sequence, status, at)
     values ($1, $2, $3, $4, $5, $6, $3, 'sent', $7)`,
    [owner.accountId, subjectId, sequence, owner.mode, id, type, at],
  );
  return id;
}

/** Every event of a feed that has its place, page by page. */
export async function wholeFeed(db: Db, owner: FeedOwner, limit = 100): Promise<readonly FeedEvent[]> {
  const all: FeedEvent[] = [];
  for (let after = 0n; ; ) {
    const { events, reached, hasMore } = await readAfter(db, { ...owner, after, limit });
    all.push(...events);
    after = reached;
    if (!hasMore) return all;
  }
}
