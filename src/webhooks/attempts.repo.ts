import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { DeliveryError } from "./outcome.ts";
import type { WebhookSeal } from "./sealed.ts";

/** One attempt, as the log has it. */
export interface Attempt {
  readonly id: Uuid;
  readonly eventId: Uuid;
  readonly type: string;
  readonly attempt: number;
  readonly succeeded: boolean;
  readonly responseStatus: number | null;
  readonly responseStart: string | null;
  readonly error: DeliveryError | null;
  readonly address: string | null;
  readonly durationMs: number;
  readonly at: Date;
  readonly nextAt: Date | null;
}

/** With the endpoint that it was at. */
export interface AttemptAt extends Attempt {
  readonly endpointId: Uuid;
  readonly url: string;
}

interface AttemptRow {
  id: Uuid;
  event_id: Uuid;
  type: string;
  attempt: number;
  succeeded: boolean;
  response_status: number | null;
  answer: string | null;
  error: DeliveryError | null;
  address: string | null;
  duration_ms: number;
  at: Date;
  next_attempt_at: Date | null;
}

export interface AttemptsQuery {
  readonly endpointId: Uuid;
  readonly succeeded: boolean | undefined;
  readonly since: Date;
  readonly beforeId: Uuid | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listAttempts(db: Db, seal: WebhookSeal, query: AttemptsQuery): Promise<readonly Attempt[]> {
  const { endpointId, succeeded, since, beforeId, limit } = query;
  const { rows } = await db.query<AttemptRow>(
    `select * from webhook_attempts
      where endpoint_id = $1 and id >= uuidv7_floor($2) and ($3::uuid is null or id < $3)
        ${succeeded === undefined ? "" : succeeded ? "and succeeded" : "and not succeeded"}
      order by id desc limit $4`,
    [endpointId, since, beforeId ?? null, limit],
  );
  return rows.map((row) => attemptFrom(row, seal));
}

export interface OrderAttemptsQuery {
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** An order, or a group of them: what the events are about. */
  readonly subjectId: Uuid;
  readonly since: Date;
  readonly beforeId: Uuid | undefined;
  readonly limit: number;
}

/** Of one order, at all endpoints that its account has. Newest first. */
export async function listAttemptsOf(
  db: Db,
  seal: WebhookSeal,
  { accountId, mode, subjectId, since, beforeId, limit }: OrderAttemptsQuery,
): Promise<readonly AttemptAt[]> {
  const { rows } = await db.query<AttemptRow & { endpoint_id: Uuid; url: string }>(
    `select a.*, w.url from events e
       join webhook_attempts a on a.event_id = e.id
       join webhook_endpoints w on w.id = a.endpoint_id and w.account_id = e.account_id and w.mode = e.mode
      where e.account_id = $1 and e.mode = $2 and e.order_id = $3 and e.id is not null
        and a.id >= uuidv7_floor($4) and ($5::uuid is null or a.id < $5)
      order by a.id desc limit $6`,
    [accountId, mode, subjectId, since, beforeId ?? null, limit],
  );
  return rows.map((row) => ({ ...attemptFrom(row, seal), endpointId: row.endpoint_id, url: row.url }));
}

function attemptFrom(row: AttemptRow, seal: WebhookSeal): Attempt {
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    attempt: row.attempt,
    succeeded: row.succeeded,
    responseStatus: row.response_status,
    responseStart: row.answer === null ? null : seal.openAnswer(row.id, row.answer),
    error: row.error,
    address: row.address,
    durationMs: row.duration_ms,
    at: row.at,
    nextAt: row.next_attempt_at,
  };
}

/** Drops the months of the log that ended more than 30 days ago. */
export async function dropOldAttempts(db: Db): Promise<void> {
  await db.query("select drop_old_attempts()");
}
