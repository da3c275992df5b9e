import type { Database, Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { HOLD_UP_MS } from "./schedule.ts";
import type { WebhookSeal } from "./sealed.ts";
import { LEASE_SECONDS } from "./session.ts";
import type { AttemptRecord, KeptRow, Settled, Settlement } from "./settlement.ts";

/** A message that holds up another: one that is not delivered and precedes it. `d` is the other's row. */
const IS_HELD_UP = `exists (select 1 from webhook_deliveries b
  where b.endpoint_id = d.endpoint_id and b.subject_id = d.subject_id and b.holds and b.position < d.position)`;

/**
 * The settlements of sessions that still have their leases, in one statement. Positions are strings in the JSON, as its numbers are
 * not exact. `next_at` may be a little early: rows that this statement removes still count.
 */
const SETTLE = {
  name: "settle_webhooks",
  text: `with told as (
           select * from jsonb_to_recordset($2::jsonb) as t(
             id uuid, epoch int, position bigint, done bigint[], waiting int, failures int, failing_since timestamptz, rests int,
             rest_until timestamptz, next_at timestamptz, is_verified boolean, is_released boolean)),
         mine as (
           update webhook_endpoints e
              set position = t.position, done = t.done, waiting = t.waiting, failures = t.failures, failing_since = t.failing_since,
                  rests = t.rests, rest_until = t.rest_until,
                  status = case when t.is_verified and e.status = 'unverified' then 'active' else e.status end,
                  updated_at = case when t.is_verified and e.status = 'unverified' then $6 else e.updated_at end,
                  leased_by = case when t.is_released then null else e.leased_by end,
                  leased_until = case when t.is_released then null else clock_timestamp() + interval '${LEASE_SECONDS} seconds' end,
                  next_at = case when t.is_released then least(e.next_at, t.next_at, (
                    select min(d.due_at) from webhook_deliveries d
                     where d.endpoint_id = e.id and d.due_at is not null and (e.status = 'active' or t.is_verified or d.body is not null)
                       and not ${IS_HELD_UP})) else e.next_at end
             from told t where e.id = t.id and e.lease_epoch = t.epoch and e.leased_by = $1
           returning e.id, e.updated_at),
         logged as (
           insert into webhook_attempts (id, endpoint_id, event_id, type, attempt, succeeded, response_status, answer, error, address, duration_ms, at, next_attempt_at)
           select a.* from jsonb_to_recordset($3::jsonb) as a(
             id uuid, endpoint_id uuid, event_id uuid, type text, attempt int, succeeded boolean, response_status int, answer text,
             error text, address text, duration_ms int, at timestamptz, next_attempt_at timestamptz)
             join mine on mine.id = a.endpoint_id
           on conflict do nothing),
         removed as (
           delete from webhook_deliveries d using jsonb_to_recordset($5::jsonb) as r(endpoint_id uuid, event_id uuid), mine
            where d.endpoint_id = r.endpoint_id and d.event_id = r.event_id and mine.id = r.endpoint_id),
         kept as (
           insert into webhook_deliveries as d (endpoint_id, event_id, type, position, subject_id, body, holds, attempts, step, first_at, planned_at, due_at, failed_at, given_up_at)
           select k.* from jsonb_to_recordset($4::jsonb) as k(
             endpoint_id uuid, event_id uuid, type text, position bigint, subject_id uuid, body text, holds boolean, attempts int, step int,
             first_at timestamptz, planned_at timestamptz, due_at timestamptz, failed_at timestamptz, given_up_at timestamptz)
             join mine on mine.id = k.endpoint_id
           on conflict (endpoint_id, event_id) do update
             set holds = excluded.holds, attempts = excluded.attempts, step = excluded.step, first_at = excluded.first_at,
                 planned_at = excluded.planned_at, due_at = excluded.due_at, failed_at = excluded.failed_at, given_up_at = excluded.given_up_at)
         select id, updated_at from mine`,
};

export interface SettleOptions {
  readonly node: Uuid;
  readonly seal: WebhookSeal;
  readonly now: Date;
}

/** One answer for each settlement, in order; undefined: its lease was lost. A repeat changes nothing twice. */
export async function settle(
  db: Database,
  settlements: readonly Settlement[],
  { node, seal, now }: SettleOptions,
): Promise<readonly (Settled | undefined)[]> {
  const rows = await db.transact<{ id: Uuid; updated_at: Date }>(SETTLE, [
    node,
    JSON.stringify(settlements.map(endpointJson)),
    JSON.stringify(settlements.flatMap(({ attempts }) => attempts.map((attempt) => attemptJson(attempt, seal)))),
    JSON.stringify(settlements.flatMap(({ kept }) => kept.map((row) => keptJson(row, now)))),
    JSON.stringify(
      settlements.flatMap(({ endpoint, removed }) => removed.map((id) => ({ endpoint_id: endpoint.id, event_id: id }))),
    ),
    now,
  ]);
  const mine = new Map(rows.map((row) => [row.id, row.updated_at.getTime()]));
  const live = settlements.filter(({ endpoint }) => mine.has(endpoint.id));
  await hasten(db, live, now);
  await pullForward(db, live, now);
  return settlements.map(({ endpoint }) => {
    const updatedAtMs = mine.get(endpoint.id);
    return updatedAtMs === undefined ? undefined : { hasChanged: updatedAtMs !== endpoint.updatedAt.getTime() };
  });
}

const endpointJson = ({ endpoint, position, done, waiting, health, kept, isVerified, isReleased }: Settlement) => ({
  id: endpoint.id,
  epoch: endpoint.epoch,
  position: String(position),
  done: done.map(String),
  waiting,
  failures: health.failures,
  failing_since: health.failingSince,
  rests: health.rests,
  rest_until: health.restUntil,
  next_at: earliest(kept),
  is_verified: isVerified,
  is_released: isReleased,
});

function earliest(kept: readonly KeptRow[]): Date | null {
  const due = kept.flatMap(({ dueAt }) => (dueAt === null ? [] : dueAt.getTime()));
  return due.length === 0 ? null : new Date(Math.min(...due));
}

const attemptJson = ({ outcome, at, nextAt, ...attempt }: AttemptRecord, seal: WebhookSeal) => ({
  id: attempt.id,
  endpoint_id: attempt.endpointId,
  event_id: attempt.eventId,
  type: attempt.type,
  attempt: attempt.attempt,
  succeeded: outcome.error === undefined,
  response_status: outcome.status ?? null,
  answer: outcome.answer === undefined ? null : seal.sealAnswer(attempt.id, outcome.answer),
  error: outcome.error ?? null,
  address: outcome.address ?? null,
  duration_ms: outcome.durationMs,
  at,
  next_attempt_at: nextAt,
});

const keptJson = (row: KeptRow, now: Date) => ({
  endpoint_id: row.endpointId,
  event_id: row.eventId,
  type: row.type,
  position: row.position === null ? null : String(row.position),
  subject_id: row.subjectId,
  body: row.body,
  holds: row.holds,
  attempts: row.attempts,
  step: row.step,
  first_at: row.firstAt,
  planned_at: row.plannedAt,
  due_at: row.dueAt,
  failed_at: row.failedAt,
  given_up_at: row.dueAt === null ? now : null,
});

/** What holds others up is tried again soon. */
async function hasten(db: Db, settlements: readonly Settlement[], now: Date): Promise<void> {
  const heldUp = settlements.flatMap(({ endpoint, heldUp: subjects }) =>
    [...subjects].map((subject) => ({ endpoint_id: endpoint.id, subject_id: subject })),
  );
  if (heldUp.length === 0) return;
  await db.query(
    {
      name: "hasten_webhooks",
      text: `with hastened as (
               update webhook_deliveries d set due_at = $2
                 from jsonb_to_recordset($1::jsonb) as h(endpoint_id uuid, subject_id uuid)
                where d.endpoint_id = h.endpoint_id and d.subject_id = h.subject_id and d.holds and d.due_at > $2
               returning d.endpoint_id)
             update webhook_endpoints e set next_at = least(e.next_at, $2) where e.id in (select endpoint_id from hastened)`,
    },
    [JSON.stringify(heldUp), new Date(now.getTime() + HOLD_UP_MS)],
  );
}

/** An endpoint has recovered: what waits for it is due. */
async function pullForward(db: Db, settlements: readonly Settlement[], now: Date): Promise<void> {
  const ids = settlements.filter(({ hasRecovered }) => hasRecovered).map(({ endpoint }) => endpoint.id);
  if (ids.length === 0) return;
  await db.query(
    {
      name: "pull_webhooks_forward",
      text: `with pulled as (
               update webhook_deliveries d set due_at = $2 where d.endpoint_id = any($1::uuid[]) and d.due_at > $2 returning d.endpoint_id)
             update webhook_endpoints e set next_at = $2 where e.id in (select endpoint_id from pulled)`,
    },
    [ids, now],
  );
}
