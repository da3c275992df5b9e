import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Health } from "./health.ts";
import type { EndingKey } from "./keys.repo.ts";
import { isDelivered, type Outcome } from "./outcome.ts";
import { HOLD_UP_MS, PASS_OVER_MS, retryAfterMs, waitMs } from "./schedule.ts";

/** An event as it is posted. */
export interface Message {
  readonly eventId: Uuid;
  readonly type: string;
  /** What the event is about; later events of the same subject are not sent before it. */
  readonly subjectId: Uuid;
  readonly body: Buffer;
}

/** A message in its place of the feed. */
export interface FeedMessage extends Message {
  readonly position: bigint;
}

/** What was tried so far, of a message that is not delivered in the course of the feed. */
export interface Tries {
  /** Whether later events of the subject wait for it. */
  readonly holds: boolean;
  readonly attempts: number;
  readonly step: number;
  readonly firstAt: Date | null;
  /** By the schedule; it may be tried earlier. */
  readonly plannedAt: Date | null;
}

export const UNTRIED: Tries = { holds: true, attempts: 0, step: 0, firstAt: null, plannedAt: null };

/** A row of `webhook_deliveries`. */
export interface Kept extends Tries {
  readonly endpointId: Uuid;
  readonly eventId: Uuid;
  readonly type: string;
  readonly position: bigint | null;
  readonly subjectId: Uuid;
  /** Null: given up. */
  readonly dueAt: Date | null;
  readonly failedAt: Date | null;
}

/** An endpoint that this node delivers to. */
export interface Claimed extends Endpoint {
  readonly epoch: number;
  readonly position: bigint;
  /** Later positions that need no attempt any more. */
  readonly done: readonly bigint[];
  readonly health: Health;
  readonly keys: readonly EndingKey[];
  /** By subject: messages that wait for another attempt. */
  readonly waiting: ReadonlyMap<Uuid, number>;
}

/** When a message is tried again after a failed attempt; `dueAt` is null once it is given up. */
export interface Again extends Tries {
  readonly dueAt: Date | null;
}

export interface FailedAttempt {
  readonly mode: Mode;
  readonly tries: Tries;
  readonly outcome: Outcome;
  readonly at: Date;
  /** Later messages of the subject wait. */
  readonly holdsUp: boolean;
  /** 0 to 1: spreads the schedule. */
  readonly chance: number;
}

/**
 * What follows a failed attempt. One that came before its time, e.g. because the endpoint has recovered, takes nothing from the schedule.
 */
export function afterFailure({ mode, tries, outcome, at, holdsUp, chance }: FailedAttempt): Again {
  const firstAt = tries.firstAt ?? at;
  const isEarly = tries.plannedAt !== null && tries.plannedAt > at;
  const wait = isEarly ? tries.plannedAt.getTime() - at.getTime() : waitMs(mode, tries.step, chance);
  const step = isEarly ? tries.step : tries.step + 1;
  const tried = { attempts: tries.attempts + 1, step, firstAt };
  if (wait === undefined) return { ...tried, holds: false, plannedAt: null, dueAt: null };
  const holds = tries.holds && at.getTime() - firstAt.getTime() < PASS_OVER_MS;
  const soon = holds && holdsUp ? Math.min(wait, HOLD_UP_MS) : wait;
  const due = Math.max(soon, retryAfterMs(outcome.retryAfter, at) ?? 0);
  return { ...tried, holds, plannedAt: new Date(at.getTime() + wait), dueAt: new Date(at.getTime() + due) };
}

/** Attempts under way at once with one endpoint: more as it answers, fewer as it does not. */
export const PARALLEL = { atFirst: 4, max: 32 } as const;

export const parallelAtFirst = ({ failures }: Health): number => (failures === 0 ? PARALLEL.atFirst : 1);

export function parallelAfter(parallel: number, outcome: Outcome, health: Health): number {
  if (isDelivered(outcome)) return Math.min(parallel + 1, PARALLEL.max);
  const isOverloaded = outcome.status === undefined || health.restUntil !== null;
  return isOverloaded ? Math.max(1, Math.floor(parallel / 2)) : parallel;
}
