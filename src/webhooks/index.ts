import type { Database } from "../db/database.ts";
import { makeFaultsOfTypes } from "../events/event-types.ts";
import type { Http } from "../http/edge.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Job } from "../ports/job.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Tracing } from "../ports/tracing.ts";
import { Courier } from "./courier.ts";
import { deliveryRoutes } from "./deliveries.routes.ts";
import { makeEndpoints } from "./endpoints.service.ts";
import { makeHousekeeping } from "./housekeeping.ts";
import { webhookKeysRoutes } from "./keys.routes.ts";
import { type EventBodies, makeMessages } from "./messages.ts";
import { orderDeliveriesRoutes } from "./order-deliveries.routes.ts";
import { LOCAL, makePoster, type PosterOptions, PUBLIC } from "./post.ts";
import { makeReplay } from "./replay.service.ts";
import { makeWebhookSeal } from "./sealed.ts";
import type { SeatLimits } from "./seats.ts";
import { watchWebhooks } from "./webhook-metrics.ts";
import { makeWebhookSpans } from "./webhook-spans.ts";
import { webhookRoutes } from "./webhooks.routes.ts";

export interface WebhooksParts {
  readonly db: Database;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Default: there are no spans. */
  readonly tracing?: Tracing;
  /** The server's secret, which seals those of the endpoints. */
  readonly secret: string;
  /** A gateway on one's own machine delivers test events to that machine too, and by plain HTTP. */
  readonly isLocal: boolean;
  readonly events: {
    readonly bodies: EventBodies;
    readonly onFeed: (heard: () => void) => () => void;
    /** Every type of event there is. */
    readonly types: readonly string[];
  };
  /** Other limits and names than in production: for tests. */
  readonly poster?: Partial<PosterOptions>;
  readonly seats?: Partial<SeatLimits>;
}

export { WEBHOOK_EVENTS } from "./disabled-event.repo.ts";

/** Posts events to where accounts want them (ADR 43). */
export interface WebhooksPart {
  readonly jobs: readonly Job[];
  serve(http: Http): void;
  /** Begins to deliver. `dead`: nodes that are certainly gone. */
  start(dead: readonly Uuid[]): Promise<void>;
  /** Finishes what is under way, for a few seconds, and gives leases back. */
  stop(): Promise<void>;
}

export function makeWebhooksPart(parts: WebhooksParts): WebhooksPart {
  const { db, node, clock, log, secret, isLocal, events } = parts;
  const seal = makeWebhookSeal(secret);
  const rulesFor = (mode: Mode) => parts.poster?.rules ?? (isLocal && mode === "test" ? LOCAL : PUBLIC);
  const nowMs = () => clock.monotonicMs();
  // Connections of one mode are not used by the other: what may be connected to differs.
  const posters = {
    live: makePoster({ rules: rulesFor("live"), nowMs, ...parts.poster }),
    test: makePoster({ rules: rulesFor("test"), nowMs, ...parts.poster }),
  };
  const messages = makeMessages({ db, bodies: events.bodies });
  const count = watchWebhooks(parts.metrics, { db, clock });
  const trace = makeWebhookSpans(parts.tracing, clock);
  const courier = new Courier({
    db,
    node,
    clock,
    log,
    seal,
    seats: parts.seats,
    posterFor: (mode) => posters[mode],
    readFeed: messages.readFeed,
    readDue: messages.readDue,
    attempted: (endpoint, message, outcome) => {
      count(endpoint.mode, outcome);
      trace?.(endpoint, message, outcome);
    },
  });
  let deafen: (() => void) | undefined;

  return {
    jobs: [{ name: "webhooks", everyMs: HOUR_MS, run: makeHousekeeping({ db, clock, log }) }],
    serve(http) {
      const endpoints = makeEndpoints({
        db,
        clock,
        seal,
        rulesFor,
        faultsOfTypes: makeFaultsOfTypes(events.types),
        readHead: messages.readHead,
      });
      const replay = makeReplay({ db, clock, findEvent: messages.findEvent, readPlaced: messages.readPlaced });
      webhookRoutes(http, { endpoints });
      deliveryRoutes(http, { db, clock, seal, endpoints, replay });
      orderDeliveriesRoutes(http, { db, clock, seal });
      webhookKeysRoutes(http, { db, clock });
    },
    async start(dead) {
      await courier.start(dead);
      deafen = events.onFeed(() => courier.hear());
    },
    async stop() {
      deafen?.();
      await courier.stop();
    },
  };
}
