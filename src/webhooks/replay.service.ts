import { type AuditDetails, audit } from "../accounts/audit.repo.ts";
import type { Database } from "../db/database.ts";
import { positionAt } from "../events/position.ts";
import type { Clock } from "../kernel/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { insertReplays, type Replayed, replayFailed } from "./deliveries.repo.ts";
import { type Endpoint, KEPT_DAYS, REPLAY_MAX, type Whose } from "./endpoint.ts";
import { findEndpoint } from "./endpoints.repo.ts";
import { absent, type Caller } from "./endpoints.service.ts";

/** Exactly one of the three kinds. */
export type ReplayRequest =
  | { readonly eventId: Uuid }
  | { readonly since: Date; readonly until: Date | undefined; readonly after: bigint | undefined }
  | { readonly failedSince: Date; readonly after: bigint | undefined };

export interface Replay {
  readonly count: number;
  /** There is more in the range, behind this position in the feed. */
  readonly nextAfter: bigint | undefined;
}

/** An event that may be delivered again. */
export interface ReplayableEvent extends Replayed {
  readonly at: Date;
}

export interface ReplayOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly findEvent: (whose: Whose, id: Uuid) => Promise<ReplayableEvent | undefined>;
  /** Events of the endpoint's types that got places in the feed behind this one and until that time, in the feed's order. */
  readonly readPlaced: (endpoint: Endpoint, after: bigint, until: Date) => AsyncIterable<ReplayableEvent>;
}

/** Clocks of nodes differ by less; an event gets its place after its time. */
const SKEW_MS = 5 * SECOND_MS;
/** No commit takes longer. */
const PLACED_WITHIN_MS = 10 * MINUTE_MS;

interface Found {
  readonly events: readonly ReplayableEvent[];
  readonly nextAfter: bigint | undefined;
}

interface Range {
  readonly since: Date;
  readonly until: Date;
  /** Undefined: from its start. */
  readonly after: bigint | undefined;
}

/** Delivers events again. Errors: `not_found`; `invalid_state` for an endpoint that is not active. */
export type ReplayEvents = (caller: Caller, id: Uuid | undefined, request: ReplayRequest) => Promise<Result<Replay>>;

export function makeReplay({ db, clock, findEvent, readPlaced }: ReplayOptions): ReplayEvents {
  const find = async (endpoint: Endpoint, eventId: Uuid): Promise<Result<Found>> => {
    const event = await findEvent(endpoint, eventId);
    return event ? ok({ events: [event], nextAfter: undefined }) : refuse(noEvent(eventId));
  };

  const findRange = async (endpoint: Endpoint, { since, until, after }: Range): Promise<Result<Found>> => {
    const events: ReplayableEvent[] = [];
    const start = after ?? positionAt(new Date(since.getTime() - SKEW_MS));
    const to = new Date(until.getTime() + PLACED_WITHIN_MS);
    for await (const event of readPlaced(endpoint, start, to)) {
      if (event.at < since || event.at >= until) continue;
      if (events.length === REPLAY_MAX) return ok({ events, nextAfter: events.at(-1)!.position });
      events.push(event);
    }
    return ok({ events, nextAfter: undefined });
  };

  return async ({ actor, ...whose }, id, request) => {
    const endpoint = id && (await findEndpoint(db, whose, id));
    if (!endpoint) return absent(id);
    if (endpoint.status !== "active") return refuse(NOT_ACTIVE);
    const at = clock.now();
    const { id: endpointId } = endpoint;
    const entry = (count: number) => ({
      actor,
      action: "webhook.replay",
      subject: encodeId("whe", endpointId),
      details: { ...detailsOf(request), count },
    });

    if ("failedSince" in request)
      return db.transaction(async (tx) => {
        const { failedSince: since, after } = request;
        const { count, last } = await replayFailed(tx, { endpointId, since, after, limit: REPLAY_MAX, at });
        await audit(tx, entry(count));
        return ok({ count, nextAfter: count === REPLAY_MAX ? last : undefined });
      });

    const found =
      "eventId" in request
        ? await find(endpoint, request.eventId)
        : await findRange(endpoint, { ...request, until: request.until ?? at });
    if (!found.ok) return found;
    const { events, nextAfter } = found.value;
    await db.transaction(async (tx) => {
      await insertReplays(tx, { endpointId, events, at });
      await audit(tx, entry(events.length));
    });
    return ok({ count: events.length, nextAfter });
  };
}

function detailsOf(request: ReplayRequest): AuditDetails {
  if ("eventId" in request) return { event: encodeId("evt", request.eventId) };
  if ("failedSince" in request) return { failed_since: request.failedSince.toISOString() };
  return { since: request.since.toISOString(), until: request.until?.toISOString() ?? null };
}

const NOT_ACTIVE = refusal(
  "invalid_state",
  "Only an active endpoint is delivered to: set its `status` to `active` first. What it has not got yet is then delivered by itself.",
);

const noEvent = (id: Uuid) =>
  refusal("not_found", `There is no event ${encodeId("evt", id)}, or it is older than ${KEPT_DAYS} days.`);
