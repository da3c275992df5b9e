import type { Database } from "../db/database.ts";
import { makePartitions, strayRows } from "../db/partitions.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Job } from "../ports/job.ts";
import type { Contact } from "../ports/provider.ts";
import { decideDue } from "./decide-due.ts";
import { JobRunner } from "./job-runner.ts";
import { forgetOld, forgetSilentNodes, heartbeat, pausedRoutes, type RouteState, reportRoutes } from "./nodes.repo.ts";
import { findOverdue, wakeOrders } from "./orders.repo.ts";
import type { Recorder } from "./recorder.ts";
import type { Reports } from "./reports.ts";
import type { Route } from "./route.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { stepFor } from "./steps.ts";

/** What must be done from time to time, by every node; each job may run on several nodes at once without harm. */
export interface Housekeeping {
  /** Reads which routes an operator has paused: before the first order leaves, and then with each heartbeat. */
  readPauses(): Promise<void>;
  /** Runs the engine's own jobs and these. */
  start(jobs: readonly Job[]): void;
  /** A provider became able or unable to take requests: written to the database, which operators' commands read. */
  readinessChanged(): void;
  stop(): Promise<void>;
}

export interface HousekeepingOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly routes: readonly Route[];
  readonly queues: readonly string[];
  readonly recorder: Recorder;
  readonly reports: Reports;
  /** Whether this node holds connections to vendors. */
  readonly dispatches: boolean;
  /** While the clock is wrong, nothing expires or times out. */
  readonly isClockRight: () => boolean;
  /** Vendors without routes, by name: payment providers. */
  readonly others?: ReadonlyMap<string, () => Contact | undefined>;
}

const OVERDUE_MAX = 500;

export function makeHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { db, node, clock, log, services, routes, queues, recorder, reports } = options;
  const runner = new JobRunner(log);

  /** An operator's pause counts on every node within a heartbeat. */
  const readPauses = async () => {
    const paused = await pausedRoutes(db);
    for (const route of routes) route.paused = paused.has(route.settings.name);
  };

  /** For the operator, who asks the database and not each node. A node that doesn't dispatch has nothing to say. */
  const tellRoutes = async () => {
    if (!options.dispatches) return;
    await reportRoutes(db, node, [
      // Routes of one provider share its connection; the first that is not at its best tells.
      ...[...Map.groupBy(routes, ({ settings }) => settings.name)].map(([route, same]) => ({
        route,
        ...stateOf(same.find(({ circuit, probes }) => circuit !== "closed" || probes) ?? same[0]!),
      })),
      ...[...(options.others ?? [])].map(([route, contact]) => ({ route, ...contactState(contact()) })),
    ]);
  };

  /**
   * Ends what time has decided although no route takes it: claims bring only what can be sent. A long look is followed by a
   * long rest, so that a large backlog is not walked through all the time.
   */
  let restUntilMs = 0;
  const endedByTime = [...services.values()].flatMap(({ table }) =>
    Object.keys(table.states).filter((state) => stepFor(table, state, "timed_out") !== undefined),
  );
  /** Undefined while the clock is wrong: it may be set at any moment, so this is asked before each use of the time. */
  const rightNow = () => (options.isClockRight() ? clock.now() : undefined);
  const endOverdue = async () => {
    const startedMs = clock.monotonicMs();
    if (startedMs < restUntilMs) return;
    try {
      for (const queue of queues) {
        const now = rightNow();
        if (!now) return;
        const overdue = await findOverdue(db, queue, endedByTime, now, OVERDUE_MAX);
        await Promise.all(
          overdue.map(async (order) => {
            const service = services.get(order.service);
            const due = service && decideDue(service, order, now);
            if (due?.kind === "change" && !due.change.keepLease) await recorder.apply("record", due.change);
          }),
        );
      }
    } finally {
      // After a look that failed for its length, too: it would only fail again.
      const endedMs = clock.monotonicMs();
      restUntilMs = endedMs + (endedMs - startedMs) * 10;
    }
  };

  const routesJob: Job = { name: "routes", everyMs: 1_000, run: tellRoutes };
  const ownJobs: readonly Job[] = [
    { name: "heartbeat", everyMs: 1_000, run: () => Promise.all([heartbeat(db, node), readPauses()]) },
    routesJob,
    { name: "parked reports", everyMs: 2_000, run: () => reports.sweep() },
    { name: "overdue orders", everyMs: 2_000, run: endOverdue },
    { name: "later orders", everyMs: 1_000, run: async () => options.isClockRight() && wakeOrders(db, clock.now()) },
    {
      name: "partitions",
      everyMs: HOUR_MS,
      run: async () => {
        await makePartitions(db);
        const stray = await strayRows(db);
        if (stray > 0n)
          log.error({ rows: String(stray) }, "rows fell outside the partitions: check this machine's clock");
        while (!runner.isStopped && (await forgetOld(db)));
        await forgetSilentNodes(db);
      },
    },
  ];

  return {
    readPauses,
    // A run that is under way may have read the state before the change.
    readinessChanged: () => void runner.runAgain(routesJob),
    start: (otherJobs) => runner.start([...otherJobs, ...ownJobs]),
    stop: () => runner.stop(),
  };
}

type State = Omit<RouteState, "route">;

/** A vendor that was never reached is not ready, though orders may try it: the first may be the one that reaches it. */
function contactState(contact: Contact | undefined): State {
  const { state = null, detail = null, reachedAt = null } = contact ?? {};
  return { ready: state === null || state === "reached", detail, contact: state, reachedAt };
}

function stateOf({ provider, circuit, probes }: Route): State {
  const contact = contactState(provider.contact?.());
  if (!provider.ready()) return { ...contact, ready: false, detail: provider.whyNotReady?.() ?? contact.detail };
  if (!contact.ready) return contact;
  if (circuit !== "closed") return { ...contact, detail: `circuit ${circuit}: answers were lost` };
  return { ...contact, detail: probes ? "the vendor throttles: one order at a time" : null };
}
