import { BrokenCircuitError, CircuitState, circuitBreaker, handleAll } from "cockatiel";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Outcome, Provider } from "../ports/provider.ts";
import { LostAnswers } from "./lost-answers.ts";
import { Throttle } from "./throttle.ts";
import { makeTokenBucket } from "./token-bucket.ts";

/** How a queue reaches a vendor, as configured. */
export interface RouteSettings {
  /** The provider's name; stored in rows. */
  readonly name: string;
  /** Queues it serves (`sms:test`). */
  readonly queues: readonly string[];
  /** The share of orders among the routes that are able: larger gets more. */
  readonly weight: number;
  /** Most orders under way at once, until their outcome is recorded: it bounds what a crash may repeat. */
  readonly window: number;
  readonly ratePerSecond: number;
  /** Only orders with one of these labels, e.g. `{ network: ["mtn"] }`. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

export interface Route {
  readonly settings: RouteSettings;
  readonly provider: Provider;
  readonly inFlight: number;
  paused: boolean;
  /** Whether the vendor can be reached at all: connected, not paused, not left alone by the circuit breaker. */
  open(): boolean;
  /** Its vendor is throttling: nothing leaves for the moment. */
  readonly rests: boolean;
  /** After a rest: one order at a time, until its vendor takes one. */
  readonly probes: boolean;
  /** Whether an order may leave here now. Bulk orders leave a part of the window to others. */
  able(bulk: boolean): boolean;
  /** Whether it may take such orders at all. `bound`: the name of the one route that can, if only one can. */
  serves(queue: string, labels: Readonly<Record<string, string | undefined>>, bound?: string): boolean;
  /** Takes a place in the window; give it back with `leave` once the outcome is committed. */
  enter(): void;
  leave(): void;
  /** Nothing was sent: it does not count for the rate. */
  spare(): void;
  /** Sends under the circuit breaker. Undefined when that is open: nothing was sent, for certain. */
  guarded(
    recipient: string,
    send: () => Promise<readonly (Outcome | undefined)[]>,
  ): Promise<readonly (Outcome | undefined)[] | undefined>;
  readonly circuit: "closed" | "open" | "half-open";
}

/** Recipients in a row whose answers are lost before a vendor is left alone, and for how long. */
const LOST_RECIPIENTS = 20;
const BREAKER_OPEN_MS = 5_000;

/** The part of a window that bulk orders may fill. */
const BULK_SHARE = 0.75;

/** Carries the outcomes of a failed call through the breaker, which counts by exceptions. */
class Failed extends Error {
  readonly outcomes: readonly (Outcome | undefined)[];
  constructor(outcomes: readonly (Outcome | undefined)[]) {
    super("no answer");
    this.outcomes = outcomes;
  }
}

/** Whether an order with these labels is one that `only` lets through. */
export const hasLabels = (only: RouteSettings["only"], labels: Readonly<Record<string, string | undefined>>): boolean =>
  Object.entries(only ?? {}).every(([label, values]) => values.includes(labels[label] ?? ""));

/** `isHalted`: nothing may leave this node now, whatever the route. */
export function makeRoute(
  settings: RouteSettings,
  provider: Provider,
  clock: Clock,
  isHalted: () => boolean = () => false,
  log?: Pick<Log, "warn">,
): Route {
  const throttle = new Throttle(() => clock.monotonicMs());
  const bucket = makeTokenBucket(settings.ratePerSecond, clock, () => throttle.share);
  const lostAnswers = new LostAnswers(LOST_RECIPIENTS);
  const breaker = circuitBreaker(handleAll, { halfOpenAfter: BREAKER_OPEN_MS, breaker: lostAnswers });
  let openUntilMs = 0;
  breaker.onBreak(() => {
    openUntilMs = clock.monotonicMs() + BREAKER_OPEN_MS;
  });
  let inFlight = 0;

  return {
    settings,
    provider,
    paused: false,
    get inFlight() {
      return inFlight;
    },
    get circuit() {
      return breaker.state === CircuitState.Open
        ? "open"
        : breaker.state === CircuitState.HalfOpen
          ? "half-open"
          : "closed";
    },
    open() {
      if (this.paused || isHalted() || !provider.ready()) return false;
      return breaker.state !== CircuitState.Open || clock.monotonicMs() >= openUntilMs;
    },
    get rests() {
      return throttle.rests;
    },
    get probes() {
      return throttle.probes;
    },
    able(bulk) {
      if (!this.open() || throttle.rests) return false;
      if (throttle.probes && inFlight > 0) return false;
      if (inFlight >= (bulk ? settings.window * BULK_SHARE : settings.window)) return false;
      if (breaker.state === CircuitState.HalfOpen && inFlight > 0) return false; // one order at a time until it answers
      return bucket.available();
    },
    serves(queue, labels, bound) {
      if (!settings.queues.includes(queue) || (bound !== undefined && bound !== settings.name)) return false;
      return hasLabels(settings.only, labels);
    },
    enter() {
      inFlight += 1;
      bucket.take();
    },
    leave() {
      inFlight -= 1;
    },
    spare: () => bucket.giveBack(),
    async guarded(recipient, send) {
      try {
        return await breaker.execute(async () => {
          const sentAtMs = clock.monotonicMs();
          const outcomes = await send();
          const restMs = throttle.heard(recipient, outcomes, sentAtMs);
          if (restMs !== undefined)
            log?.warn({ route: settings.name, rest_ms: restMs }, "the vendor throttles; the route rests");
          if (!outcomes.some((outcome) => outcome?.kind === "unknown")) return outcomes;
          lostAnswers.lost(recipient);
          throw new Failed(outcomes);
        });
      } catch (error) {
        if (error instanceof Failed) return error.outcomes;
        if (error instanceof BrokenCircuitError) return undefined;
        throw error;
      }
    },
  };
}
