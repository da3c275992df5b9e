import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { remembered } from "../kernel/remembered.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Outcome } from "../ports/provider.ts";
import type { NewOrder, UnitAnswer } from "./accept.repo.ts";
import type { Change } from "./order.ts";
import type { Route } from "./route.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { AGES, readHeld, readUndecided, type Undecided } from "./standing.repo.ts";

/** What the engine counts of its work. Each method returns at once. */
export interface EngineMetrics {
  accepted(orders: readonly NewOrder[], answer: UnitAnswer): void;
  /** Right after its commit. */
  changed(change: Change): void;
  /** A vendor was called (`send`) or asked (`requery`). */
  called(
    provider: string,
    operation: "send" | "requery",
    sinceMs: number,
    outcomes: readonly (Outcome | undefined)[],
  ): void;
  /** A batch is about to be committed. */
  batch(lane: string, orders: number): void;
}

/** From a vendor on the same network to one that is given up on. */
const CALL_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Powers of four, to the largest batch of single orders; a bulk is one batch of up to 10,000. */
const BATCH_ORDERS = [1, 4, 16, 64, 256, 10_000];
/** An order without a route has not left. */
const NO_ROUTE = "none";

export function makeEngineMetrics(metrics: Metrics, clock: Pick<Clock, "monotonicMs">): EngineMetrics {
  const accepted = metrics.counter<"service" | "mode">({
    name: "afara_orders_accepted_total",
    help: "Orders accepted: stored, with their price held.",
    labels: ["service", "mode"],
  });
  const ended = metrics.counter<"service" | "provider" | "mode" | "outcome">({
    name: "afara_orders_total",
    help: "Orders that have ended, by their final state; a purchase reversed later counts again as reversed. provider none: never sent.",
    labels: ["service", "provider", "mode", "outcome"],
  });
  const moved = metrics.counter<"kind" | "mode">({
    name: "afara_ledger_entries_total",
    help: "Decisions about the money of orders: hold, post (taken), void (returned), refund, loss, loss_undone.",
    labels: ["kind", "mode"],
  });
  // A rate sees no increase from nothing to one.
  for (const kind of ["hold", "post", "void", "refund", "loss", "loss_undone"])
    for (const mode of ["live", "test"]) moved.add(0, kind, mode);
  const calls = metrics.counter<"provider" | "operation" | "outcome">({
    name: "afara_provider_answers_total",
    help: "Vendors' answers, one for each part of a message: accepted, done, rejected, throttled, unknown, not_found, reversed.",
    labels: ["provider", "operation", "outcome"],
  });
  const seconds = metrics.histogram<"provider" | "operation">({
    name: "afara_provider_request_duration_seconds",
    help: "From calling a vendor until its answers are here, all parts of a message together.",
    labels: ["provider", "operation"],
    buckets: CALL_SECONDS,
  });
  const batches = metrics.histogram<"lane">({
    name: "afara_commit_batch_orders",
    help: "Orders committed together, by commit lane.",
    labels: ["lane"],
    buckets: BATCH_ORDERS,
  });

  return {
    accepted(orders, { refused }) {
      if (refused.has(-1)) return;
      for (const [index, { service, mode, priceKobo }] of orders.entries()) {
        if (refused.has(index)) continue;
        accepted.add(1, service, mode);
        if (priceKobo > 0n) moved.add(1, "hold", mode);
      }
    },
    changed({ before, after, money }) {
      const { service, route, mode, state } = after;
      if (after.endedAt !== null && state !== before.state) ended.add(1, service, route ?? NO_ROUTE, mode, state);
      if (money) moved.add(1, money, mode);
    },
    called(provider, operation, sinceMs, outcomes) {
      seconds.observe((clock.monotonicMs() - sinceMs) / 1_000, provider, operation);
      for (const outcome of outcomes) if (outcome) calls.add(1, provider, operation, outcome.kind);
    },
    batch: (lane, orders) => batches.observe(orders, lane),
  };
}

export interface StandingOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** That this node dispatches to. */
  readonly routes: readonly Route[];
  readonly services: readonly ServiceDefinition[];
  readonly load: () => { readonly inFlight: number; readonly queued: number; readonly accepting: number };
}

/** What stands now: of this node's memory at each scrape, of the database seldom. */
export function watchStanding(metrics: Metrics, { db, clock, routes, services, load }: StandingOptions): void {
  metrics.gauge<"place">(
    {
      name: "afara_orders_in_memory",
      help: "Orders in this node's memory: accepting (await their commit), queued (await a place), in_flight (await an outcome).",
      labels: ["place"],
    },
    () => {
      const { accepting, queued, inFlight } = load();
      return [
        { value: accepting, labels: ["accepting"] },
        { value: queued, labels: ["queued"] },
        { value: inFlight, labels: ["in_flight"] },
      ];
    },
  );
  watchRoutes(metrics, routes);

  const purchases = services.filter(({ purchaseWaits }) => purchaseWaits).map(({ service }) => service);
  const undecided = remembered(clock, () => readUndecided(db, purchases, clock.now()));
  metrics.gauge<"service" | "provider" | "mode" | "age">(
    {
      name: "afara_undecided_orders",
      help: "Orders whose outcome nobody knows yet, by age: every open purchase, and messages whose answer was lost. 10,000 of each are looked at.",
      labels: ["service", "provider", "mode", "age"],
    },
    async () => (await undecided()).map((row) => ({ value: row.orders, labels: labelsOf(row) })),
  );
  metrics.gauge<"service" | "provider" | "mode" | "age">(
    {
      name: "afara_undecided_orders_kobo",
      help: "The money held for these orders.",
      labels: ["service", "provider", "mode", "age"],
    },
    async () => (await undecided()).map((row) => ({ value: row.kobo, labels: labelsOf(row) })),
  );
  metrics.gauge<"service" | "mode">(
    {
      name: "afara_unknown_outcomes",
      help: "Of the undecided orders, those whose vendor's answer was lost or unclear.",
      labels: ["service", "mode"],
    },
    async () => {
      const groups = Map.groupBy(await undecided(), ({ service, mode }) => `${service}\n${mode}`);
      return [...groups.values()].map((rows) => ({
        value: rows.reduce((sum, { unknown }) => sum + unknown, 0),
        labels: [rows[0]!.service, rows[0]!.mode],
      }));
    },
  );
  const held = remembered(clock, () => readHeld(db));
  metrics.gauge<"mode">(
    { name: "afara_wallet_holds_kobo", help: "Money held in all wallets.", labels: ["mode"] },
    async () => (await held()).map(({ mode, kobo }) => ({ value: kobo, labels: [mode] })),
  );
}

const labelsOf = ({ service, route, mode, age }: Undecided) => [service, route ?? NO_ROUTE, mode, AGES[age]!.name];

/** A vendor may have a route for each service: windows are added up, and the worst circuit counts. */
function watchRoutes(metrics: Metrics, routes: readonly Route[]): void {
  const byProvider = [...Map.groupBy(routes, ({ settings }) => settings.name)];
  const gauge = (name: string, help: string, read: (own: readonly Route[]) => number) =>
    metrics.gauge<"provider">({ name, help, labels: ["provider"] }, () =>
      byProvider.map(([provider, own]) => ({ value: read(own), labels: [provider] })),
    );
  const sum = (own: readonly Route[], of: (route: Route) => number) => own.reduce((all, route) => all + of(route), 0);
  gauge("afara_route_in_flight_orders", "Orders in the vendor's window, until their outcome is recorded.", (own) =>
    sum(own, ({ inFlight }) => inFlight),
  );
  gauge("afara_route_window_orders", "The configured window.", (own) => sum(own, ({ settings }) => settings.window));
  gauge("afara_circuit_state", "0 closed, 1 half-open, 2 open: the vendor is left alone after lost answers.", (own) =>
    Math.max(...own.map(({ circuit }) => ({ closed: 0, "half-open": 1, open: 2 })[circuit])),
  );
  gauge(
    "afara_route_up",
    "1: the vendor can be reached (connected, not paused, not left alone). 0: nothing leaves.",
    (own) => (own.every((route) => route.open()) ? 1 : 0),
  );
  gauge(
    "afara_route_throttled",
    "1: the vendor throttles us, and its route rests or tries one order at a time.",
    (own) => (own.some((route) => route.rests || route.probes) ? 1 : 0),
  );
}
