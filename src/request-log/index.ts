import type { Database } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import type { Log } from "../kernel/log.ts";
import type { KeepRequest } from "../ports/answered-request.ts";
import type { Job } from "../ports/job.ts";
import type { Metrics } from "../ports/metrics.ts";
import { makeAllowance } from "./allowance.ts";
import { entryOf } from "./entry.ts";
import { insertRequests, keepDays } from "./requests.repo.ts";
import { requestsRoutes } from "./requests.routes.ts";
import { makeWriter } from "./writer.ts";

export interface RequestLogParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface RequestLogPart {
  readonly jobs: readonly Job[];
  readonly keep: KeepRequest;
  serve(http: Http): void;
  /** Writes what waits. */
  close(): Promise<void>;
}

/**
 * Beyond it requests are kept without their bodies. An account knows by then what its program sends; and many accounts at once must not
 * slow each other down by it.
 */
const BODIES = { account: { burst: 500, perSecond: 20 }, node: { burst: 1_000, perSecond: 200 } };

/** The requests of each account with their answers: redacted, and kept for 7 days (ADR 49). */
export function makeRequestLogPart({ db, clock, log, metrics }: RequestLogParts): RequestLogPart {
  const makeRoom = () => keepDays(db, clock.now());
  const writer = makeWriter({ insert: (entries) => insertRequests(db, entries), makeRoom, log, metrics });
  const accountMay = makeAllowance(BODIES.account, clock);
  const nodeMay = makeAllowance(BODIES.node, clock);
  return {
    jobs: [{ name: "request log", everyMs: HOUR_MS, run: makeRoom }],
    keep(request) {
      const entry = entryOf(request, accountMay(request.accountId) && nodeMay(""));
      if (entry) writer.add(entry);
    },
    serve: (http) => requestsRoutes(http, { db, clock }),
    close: () => writer.flush(),
  };
}
