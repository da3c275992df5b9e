import type { Db } from "../db/database.ts";
import { madeAt, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { latest, type Position, positionAt } from "./position.ts";

/** The account and mode whose events are read: a feed of its own. */
export interface FeedOwner {
  readonly accountId: Uuid;
  readonly mode: Mode;
}

/** An event with its place in the feed. */
export interface FeedEvent extends FeedOwner {
  readonly position: Position;
  readonly id: Uuid;
  /** For example `sms.sent`. */
  readonly type: string;
  /** What it is about: an order, a group of orders, an inbound message, a top-up; a wallet has the id of its account. */
  readonly subjectId: Uuid;
  /** Counts the events of that subject and mode from 1, without gaps. */
  readonly sequence: number;
  readonly status: string;
  readonly previousStatus: string | null;
  readonly at: Date;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

export interface FeedQuery extends FeedOwner {
  /** The last position already read. */
  readonly after: Position;
  /** Only these; `sms.*` stands for all that begin with `sms.`, and `*` for all. Default: all. */
  readonly types?: readonly string[] | undefined;
  readonly subjectId?: Uuid | undefined;
  readonly limit: number;
}

export interface FeedSlice {
  /** In the order of their positions, which is the order of commits. */
  readonly events: readonly FeedEvent[];
  /** Where to go on: every event up to here was looked at. Also without events it moves on, so that it never grows old. */
  readonly reached: Position;
  /** Whether there is more to look at now. A slice without events may have more behind it. */
  readonly hasMore: boolean;
}

/** Events looked through by one query for the types that are wanted. */
const LOOKED_AT_MAX = 5_000;

interface FeedRow {
  head: bigint | null;
  looked_at: number;
  looked_until: bigint | null;
  position: bigint | null;
  id: Uuid | null;
  type: string;
  order_id: Uuid;
  sequence: number;
  status: string;
  previous_status: string | null;
  at: Date;
  detail: Record<string, unknown> | null;
}

/** Of a row `f` of the feed of account $1. */
const EVENT_OF_PLACE =
  "select e.* from events e where e.account_id = $1 and e.order_id = f.order_id and e.version = f.version";
/** A look-up for each: joined, all events may be read for a page of them. */
const EVENT_LOOKED_UP = `${EVENT_OF_PLACE} offset 0`;

const READ = {
  name: "read_feed",
  text: `with looked as materialized (
           select f.position, f.order_id, f.version, f.type from feed f
            where f.account_id = $1 and f.mode = $2 and f.position > $3 order by f.position limit $4),
         found as (
           select * from looked l where $5::text[] is null or l.type like any($5) order by l.position limit $6)
         select (select p.position from feed_progress p) as head, s.looked_at, s.looked_until,
                f.position, e.id, e.type, e.order_id, e.sequence, e.status, e.previous_status, e.at, e.detail
           from (select count(*)::int as looked_at, max(position) as looked_until from looked) s
           left join found f on true
           left join lateral (${EVENT_LOOKED_UP}) e on true
          order by f.position`,
};
/** The same for one subject, whose events are few and found by their own index. */
const READ_OF_ONE = {
  name: "read_feed_of_one",
  text: READ.text.replace("f.position > $3", "f.position > $3 and f.order_id = $7"),
};

/** The next events of one feed. Reads a bounded number of rows, whatever the types. */
export async function readAfter(db: Db, query: FeedQuery): Promise<FeedSlice> {
  const { accountId, mode, after, types, subjectId, limit } = query;
  // One more than is returned shows whether there is another.
  const lookedAtMax = types === undefined ? limit + 1 : Math.max(LOOKED_AT_MAX, limit + 1);
  const patterns = types === undefined ? null : types.map(patternOf);
  const values = [accountId, mode, after, lookedAtMax, patterns, limit + 1];
  const { rows } =
    subjectId === undefined
      ? await db.query<FeedRow>(READ, values)
      : await db.query<FeedRow>(READ_OF_ONE, [...values, subjectId]);
  const { head, looked_at: lookedAt, looked_until: lookedUntil } = rows[0]!;
  const found = rows.filter((row) => row.position !== null);
  const events = found.slice(0, limit).flatMap((row) => eventFrom(query, row) ?? []);
  if (found.length > limit) return { events, reached: found[limit - 1]!.position!, hasMore: true };
  if (lookedAt === lookedAtMax) return { events, reached: lookedUntil!, hasMore: true };
  // The statement saw everything that has its place up to the head.
  return { events, reached: latest(after, lookedUntil ?? after, head ?? after), hasMore: false };
}

/** Undefined when the event itself is no longer kept. */
const eventFrom = ({ accountId, mode }: FeedOwner, row: FeedRow): FeedEvent | undefined =>
  row.id === null
    ? undefined
    : {
        accountId,
        mode,
        position: row.position!,
        id: row.id,
        type: row.type,
        subjectId: row.order_id,
        sequence: row.sequence,
        status: row.status,
        previousStatus: row.previous_status,
        at: row.at,
        detail: row.detail,
      };

/** For LIKE. */
const patternOf = (type: string): string => type.replace(/[\\%_]/g, "\\$&").replace(/\*$/, "%");

const PLACE = { name: "place_events", text: "select place_events() as head" };

/**
 * Gives every event that was committed since the last call its place, unless another node does so now. Returns the position of the
 * last event that has one; undefined while the first run of a database is under way elsewhere.
 */
export async function placeEvents(db: Db): Promise<Position | undefined> {
  const { rows } = await db.query<{ head: bigint | null }>(PLACE);
  return rows[0]!.head ?? undefined;
}

/** The position of the last event that has its place: what comes later is after it. */
export async function readHead(db: Db): Promise<Position> {
  const { rows } = await db.query<{ head: bigint }>({
    name: "feed_head",
    text: "select coalesce((select position from feed_progress), feed_position(clock_timestamp())) as head",
  });
  return rows[0]!.head;
}

/** Drops what is too old to be read. Returns the number of months. */
export async function dropOldFeed(db: Db): Promise<number> {
  const { rows } = await db.query<{ months: number }>("select drop_old_feed() as months");
  return rows[0]!.months;
}

const WITH_NEWS = {
  name: "feeds_with_news",
  text: `select r.account_id, r.mode from unnest($1::uuid[], $2::text[], $3::bigint[]) r(account_id, mode, after)
          where exists (select 1 from feed f where f.account_id = r.account_id and f.mode = r.mode and f.position > r.after)`,
};

/** Which of these feeds have events after the positions that their readers have reached. */
export async function feedsWithNews(
  db: Db,
  readers: readonly (FeedOwner & { readonly after: Position })[],
): Promise<readonly FeedOwner[]> {
  const { rows } = await db.query<{ account_id: Uuid; mode: Mode }>(WITH_NEWS, [
    readers.map(({ accountId }) => accountId),
    readers.map(({ mode }) => mode),
    readers.map(({ after }) => after),
  ]);
  return rows.map(({ account_id: accountId, mode }) => ({ accountId, mode }));
}

/** `event`: how the event of a place is read. */
const eventsBy = (event: string) =>
  `select f.position, e.id, e.type, e.order_id, e.sequence, e.status, e.previous_status, e.at, e.detail
     from feed f cross join lateral (${event}) e
    where f.account_id = $1 and f.mode = $2`;

/** The events at these positions, in the order of the feed. What is no longer kept is left out. */
export async function readAt(db: Db, owner: FeedOwner, positions: readonly Position[]): Promise<readonly FeedEvent[]> {
  const { accountId, mode } = owner;
  const text = `${eventsBy(EVENT_LOOKED_UP)} and f.position = any($3::bigint[]) order by f.position`;
  const { rows } = await db.query<FeedRow>({ name: "feed_at", text }, [accountId, mode, positions]);
  return rows.flatMap((row) => eventFrom(owner, row) ?? []);
}

/**
 * Where in the feed an event is looked for, by the time in its ID. It gets its place once its transaction has committed; the second look
 * is for clocks that were wrong, and for a feed that was not kept for hours.
 */
const LOOKS = [
  { beforeMs: 10_000, afterMs: 60_000 },
  { beforeMs: 60_000, afterMs: 86_400_000 },
] as const;

/** An event by its ID. Undefined: there is none in this feed, or it is no longer kept. */
export async function findEvent(db: Db, owner: FeedOwner, id: Uuid): Promise<FeedEvent | undefined> {
  const { accountId, mode } = owner;
  // Joined: one of the many events of a day is looked for.
  const text = `${eventsBy(EVENT_OF_PLACE)} and f.position between $3 and $4 and e.id = $5`;
  for (const { beforeMs, afterMs } of LOOKS) {
    const [from, to] = [-beforeMs, afterMs].map((ms) => positionAt(new Date(madeAt(id).getTime() + ms)));
    const { rows } = await db.query<FeedRow>({ name: "feed_event", text }, [accountId, mode, from, to, id]);
    if (rows[0]) return eventFrom(owner, rows[0]);
  }
  return undefined;
}
