import { type Connection, type Database, openDatabase } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import type { OwnRefusals } from "../http/problems.ts";
import { API_VERSION } from "../kernel/api-version.ts";
import type { Clock } from "../kernel/clock.ts";
import { MINUTE_MS } from "../kernel/duration.ts";
import type { Log } from "../kernel/log.ts";
import type { Service } from "../orders/service.ts";
import type { ServiceDefinition } from "../orders/service-definition.ts";
import type { EventReaders } from "../ports/event-object.ts";
import type { Job } from "../ports/job.ts";
import { type EventBodies, makeEventBodies } from "./event-bodies.ts";
import { EVENT_REFUSALS } from "./events.refusals.ts";
import { type EventRoutesOptions, eventRoutes } from "./events.routes.ts";
import { makeFeed } from "./feed.ts";
import type { Position } from "./position.ts";
import { makeStreams, type StreamLimits } from "./streams.ts";

export interface EventsParts {
  readonly db: Database;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly log: Log;
  readonly services: readonly Service[];
  /** Other parts with events: of wallets and top-ups. */
  readonly others: readonly { readonly eventReaders: EventReaders }[];
  readonly limits?: Partial<StreamLimits>;
}

/** The feed: what happens to an account's orders, messages and money, in the order of commits (ADR 42). */
export interface EventsPart {
  readonly jobs: readonly Job[];
  readonly refusals: OwnRefusals;
  /** Calls `heard` when there may be new events: read them with `readAfter` (feed.repo.ts). Returns the function that ends it. */
  onFeed(heard: (head: Position) => void): () => void;
  /** Events as subscribers get them. */
  readonly bodies: EventBodies;
  /** Every type of event there is. */
  readonly types: readonly string[];
  /** `isStillAllowed`: whether the key of an open request would be let in again. */
  serve(http: Http, isStillAllowed: EventRoutesOptions["isStillAllowed"]): void;
  /** Ends all streams, so that the server can stop. */
  endStreams(): void;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** After an upgrade or a restore there may be a month of events to place in one statement. */
const PLACE_MS_MAX = 30 * MINUTE_MS;

export function makeEventsPart(parts: EventsParts): EventsPart {
  const { db, connection, clock, log, services, others, limits } = parts;
  const placing = openDatabase({
    connection,
    connections: 1,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementMs: PLACE_MS_MAX,
    log,
  });
  const feed = makeFeed({ db: placing, clock });
  const readers: EventReaders = Object.assign({}, ...[...services, ...others].map(({ eventReaders }) => eventReaders));
  const bodies = makeEventBodies({
    db,
    apiVersion: API_VERSION,
    orderObjects: new Map(
      services.flatMap(({ definition, eventObjects }) => (eventObjects ? [[definition.service, eventObjects]] : [])),
    ),
    readers,
  });
  const streams = makeStreams({ db, feed, bodies, log, ...(limits && { limits }) });
  const types = [...services.flatMap(({ definition }) => eventTypesOf(definition)), ...Object.keys(readers)].sort();
  return {
    jobs: feed.jobs,
    refusals: EVENT_REFUSALS,
    onFeed: feed.onFeed,
    bodies,
    types,
    serve: (http, isStillAllowed) => eventRoutes(http, { db, clock, bodies, streams, types, isStillAllowed }),
    endStreams: streams.end,
    close: () => placing.close(),
  };
}

/** Those of a service's orders. */
const eventTypesOf = ({ service, subjects = [service], table }: ServiceDefinition): readonly string[] =>
  subjects.flatMap((subject) => [...table.published].map((state) => `${subject}.${state}`));
