import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Tries } from "./delivery.ts";
import { PING_TYPE } from "./endpoint.ts";

/** A row of `webhook_deliveries` that is due. */
export interface DueRow extends Tries {
  readonly eventId: Uuid;
  readonly type: string;
  readonly subjectId: Uuid;
  /** Null: a ping, which has its body here. */
  readonly position: bigint | null;
  readonly body: string | null;
}

interface StoredRow {
  event_id: Uuid;
  type: string;
  subject_id: Uuid;
  position: bigint | null;
  body: string | null;
  holds: boolean;
  attempts: number;
  step: number;
  first_at: Date | null;
  planned_at: Date | null;
}

const COLUMNS = "event_id, type, subject_id, position, body, holds, attempts, step, first_at, planned_at";

/**
 * Those that are due and not behind one that holds them up: pings, then those with the fewest attempts, as events that fail always
 * must not hide others. They come by their places in the feed, each behind the earlier ones of its subject: a later event is not sent
 * without another attempt at them. `pings`: only those.
 */
export async function readDue(
  db: Db,
  { endpointId, now, pings, limit }: { endpointId: Uuid; now: Date; pings: boolean; limit: number },
): Promise<readonly DueRow[]> {
  const { rows } = await db.query<StoredRow>(
    {
      name: "due_webhooks",
      text: `with due as (
               select d.* from webhook_deliveries d
                where d.endpoint_id = $1 and d.due_at <= $2 and (not $3 or d.body is not null)
                  and not exists (
                    select 1 from webhook_deliveries b
                     where b.endpoint_id = d.endpoint_id and b.subject_id = d.subject_id and b.holds and b.position < d.position)
                order by d.position is not null, d.attempts, d.position limit $4)
             select ${COLUMNS} from due
             union
             select ${COLUMNS.replaceAll(/\w+/g, "e.$&")} from due d
               join webhook_deliveries e on e.endpoint_id = d.endpoint_id and e.subject_id = d.subject_id and e.position < d.position
              where e.due_at is not null
              order by position nulls first`,
    },
    [endpointId, now, pings, limit],
  );
  return rows.map((row) => ({
    eventId: row.event_id,
    type: row.type,
    subjectId: row.subject_id,
    position: row.position,
    body: row.body,
    holds: row.holds,
    attempts: row.attempts,
    step: row.step,
    firstAt: row.first_at,
    plannedAt: row.planned_at,
  }));
}

/** Rows whose events are no longer kept. */
export async function removeRows(db: Db, endpointId: Uuid, eventIds: readonly Uuid[]): Promise<void> {
  await db.query("delete from webhook_deliveries where endpoint_id = $1 and event_id = any($2::uuid[])", [
    endpointId,
    eventIds,
  ]);
}

/** A ping that is due, also at an endpoint that rests. Earlier ones that wait are dropped, as it says more than they do. */
export async function insertPing(
  db: Db,
  { endpointId, eventId, body, at }: { endpointId: Uuid; eventId: Uuid; body: string; at: Date },
): Promise<void> {
  await db.query("delete from webhook_deliveries where endpoint_id = $1 and body is not null", [endpointId]);
  await db.query(
    `insert into webhook_deliveries (endpoint_id, event_id, type, subject_id, body, holds, due_at)
     values ($1, $2, $3, $1, $4, false, $5)`,
    [endpointId, eventId, PING_TYPE, body, at],
  );
  await db.query("update webhook_endpoints set next_at = least(next_at, $2), rest_until = null where id = $1", [
    endpointId,
    at,
  ]);
}

/** An event that is to be delivered again. */
export interface Replayed {
  readonly eventId: Uuid;
  readonly type: string;
  readonly subjectId: Uuid;
  readonly position: bigint;
}

/**
 * The events are due, with all attempts ahead of them, whether they were delivered or not. They hold up no others. What the endpoint
 * has not reached in its feed comes in its turn there: a row would bring it before the earlier events of its subject, and be counted
 * twice.
 */
export async function insertReplays(
  db: Db,
  { endpointId, events, at }: { endpointId: Uuid; events: readonly Replayed[]; at: Date },
): Promise<void> {
  await endSession(db, endpointId, at);
  await db.query(
    `insert into webhook_deliveries (endpoint_id, event_id, type, position, subject_id, holds, due_at)
     select $1, r.event_id, r.type, r.position, r.subject_id, false, $3
       from jsonb_to_recordset($2::jsonb) as r(event_id uuid, type text, position bigint, subject_id uuid)
       join webhook_endpoints e on e.id = $1
      where r.position <= e.position or r.position = any(e.done)
         or not exists (select 1 from unnest(e.types) t where r.type = t or t like '%*' and starts_with(r.type, rtrim(t, '*')))
     on conflict (endpoint_id, event_id) do update
       set step = 0, planned_at = null, due_at = excluded.due_at, given_up_at = null`,
    [
      endpointId,
      JSON.stringify(
        events.map(({ eventId, type, position, subjectId }) => ({
          event_id: eventId,
          type,
          position: String(position),
          subject_id: subjectId,
        })),
      ),
      at,
    ],
  );
}

/**
 * Events of which the latest attempt failed, at this time or later, behind a position: they are due, with all attempts ahead of them.
 * How many, and the position of the last one.
 */
export async function replayFailed(
  db: Db,
  { endpointId, since, after, limit, at }: FailedRange,
): Promise<{ readonly count: number; readonly last: bigint | undefined }> {
  await endSession(db, endpointId, at);
  const { rows } = await db.query<{ count: number; last: bigint | null }>(
    `with failed as (
       select f.event_id, f.position from webhook_deliveries f
        where f.endpoint_id = $1 and f.failed_at >= $2 and f.position > $5
        order by f.position limit $4),
     due as (
       update webhook_deliveries d set step = 0, planned_at = null, due_at = $3, given_up_at = null
         from failed where d.endpoint_id = $1 and d.event_id = failed.event_id)
     select count(*)::int as count, max(position) as last from failed`,
    [endpointId, since, at, limit, after ?? 0n],
  );
  const { count = 0, last = null } = rows[0] ?? {};
  return { count, last: last ?? undefined };
}

interface FailedRange {
  readonly endpointId: Uuid;
  readonly since: Date;
  readonly after: bigint | undefined;
  readonly limit: number;
  readonly at: Date;
}

/**
 * Rows appear that a session under way has not counted: it loses its lease, and the next one counts anew. First of all in a transaction:
 * from here on the endpoint's place in the feed stands still, and a settlement locks it before its rows, too.
 */
async function endSession(db: Db, endpointId: Uuid, at: Date): Promise<void> {
  await db.query(
    `update webhook_endpoints
        set lease_epoch = lease_epoch + 1, leased_by = null, leased_until = null, next_at = least(next_at, $2)
      where id = $1`,
    [endpointId, at],
  );
}

/** Given-up rows whose events are about to leave the feed. */
export async function forgetGivenUp(db: Db, before: Date): Promise<void> {
  await db.query("delete from webhook_deliveries where given_up_at < $1", [before]);
}
