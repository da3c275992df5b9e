import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, GROUP_PREFIX, type Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Fault, Refusal } from "../kernel/refusal.ts";
import { invariant, type Result } from "../kernel/result.ts";
import type { InSlices } from "../kernel/slices.ts";
import type { Job } from "../ports/job.ts";
import type { Contact, InboundMessage, Provider, ProviderSink } from "../ports/provider.ts";
import type { Tracing } from "../ports/tracing.ts";
import type { NewGroup, NewOrder, OrderKey, Unit } from "./accept.repo.ts";
import { type Acceptor, makeAcceptor } from "./accept.ts";
import { type AcceptedOnce, type Declined, type GroupAcceptedOnce, OnceAcceptor } from "./accept-once.ts";
import { Acceptance, type Accepted, type AcceptedGroup } from "./acceptance.ts";
import { Canceller } from "./cancel.ts";
import { type ClockWatch, clockFault, makeClockWatch, SKEW_MAX_MS } from "./clock-watch.ts";
import { connectedProviders } from "./connected-providers.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { EngineMetrics } from "./engine-metrics.ts";
import { type EngineSpans, makeEngineSpans } from "./engine-spans.ts";
import { type Housekeeping, makeHousekeeping } from "./housekeeping.ts";
import { clockSkew, forgetNode, registerNode, takeBackFrom } from "./nodes.repo.ts";
import { type Order, queueOf } from "./order.ts";
import { makeRecorder, type Recorder } from "./recorder.ts";
import { refusalOf } from "./refusals.ts";
import type { Earlier, KeyScope, PrefixOf, RequestKeys } from "./repeats.ts";
import { makeReports, type Reports } from "./reports.ts";
import { makeRoute, type Route, type RouteSettings } from "./route.ts";
import type { HooksOf, Service } from "./service.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { cleanInbound, cleanReport } from "./vendor-words.ts";
import { makeWaiters, type Waiters } from "./waiters.ts";

/** The engine: the life of every order, whatever is sold. */
export interface Orders {
  /** Accepts one order: durable and its price held when this resolves. */
  accept(order: NewOrder): Promise<Result<Accepted>>;
  /**
   * Accepts orders together: all or nothing but for items whose own reference is taken. Errors: throws `CallerGone` when `gone`
   * is aborted before the database has them.
   */
  acceptGroup(group: NewGroup, orders: readonly NewOrder[], gone?: AbortSignal): Promise<Result<AcceptedGroup>>;
  /**
   * Accepts the order of a request, or finds the one that an earlier request with the same key or reference made. `declined`:
   * the answer to any other reason. Errors: `idempotency_key_reused`, `reference_already_used`.
   */
  acceptOnce(
    order: NewOrder,
    keys: RequestKeys,
    declined: (why: Declined) => Result<AcceptedOnce> | Promise<Result<AcceptedOnce>>,
  ): Promise<Result<AcceptedOnce>>;
  /** The same for orders that are accepted together; see `acceptGroup`. */
  acceptGroupOnce(
    group: NewGroup,
    orders: readonly [NewOrder, ...NewOrder[]],
    keys: RequestKeys,
    declined: (why: Declined) => Refusal,
    gone?: AbortSignal,
  ): Promise<Result<GroupAcceptedOnce>>;
  /** A request that can't be accepted now: a repeat is answered with the order that it made before, any other is refused. */
  repeatOr(
    scope: KeyScope,
    keys: readonly OrderKey[],
    refused: Refusal | (() => Promise<Refusal>),
  ): Promise<Result<AcceptedOnce>>;
  /** What the acceptance would answer to these keys, all of one request, without accepting anything: undefined when they are free. */
  answerBefore(scope: KeyScope, keys: readonly OrderKey[]): Promise<Result<Earlier> | undefined>;
  /** Cancels an order that has not left and that no dispatcher holds. */
  cancel(order: Order): Promise<Result<Order>>;
  /** Cancels the orders of a group that have not left, in batches that are each committed. */
  cancelGroup(accountId: Uuid, groupId: Uuid): Promise<{ readonly cancelled: readonly Order[] }>;
  /** Whether any route is configured for orders of this queue with these labels, whether or not it is able now. */
  serves(queue: string, labels?: Readonly<Record<string, string>>): boolean;
  /** Whether a route takes this order now. A node that does not send knows only which routes are configured. */
  takes(order: Pick<NewOrder, "service" | "mode" | "payload">): boolean;
  /** One refusal for all faults of a request, whichever service found them. */
  refusalOf(faults: readonly Fault[]): Refusal;
  /** The order once it has ended; undefined when the time is up first. */
  waitForEnd(order: Pick<Order, "accountId" | "id">, ms: number): Promise<Order | undefined>;
  readonly routes: readonly Route[];
  readonly reports: Reports;
  /** Whether this node's clock agrees with the database's; no order leaves otherwise. */
  readonly isClockRight: boolean;
  /** Orders under way and waiting in this node's memory. */
  readonly load: { readonly inFlight: number; readonly queued: number; readonly accepting: number };
  /** What every service does with its own orders, and the jobs of the other parts. Once, before `start`. */
  attach(services: readonly Service[], jobs?: readonly Job[]): void;
  /** `dead`: nodes that are certainly gone; their orders are taken back before their leases run out. */
  start(dead: readonly Uuid[]): Promise<void>;
  /** Ends all waits for an outcome: the node is stopping. */
  stopWaiting(): void;
  /** Finishes the orders under way and gives leases back. */
  stop(): Promise<void>;
}

export interface OrdersOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly role: "all" | "api" | "dispatcher";
  readonly clock: Clock;
  readonly log: Log;
  readonly services: readonly ServiceDefinition[];
  readonly routes: readonly { readonly settings: RouteSettings; readonly provider: Provider }[];
  /** All providers by name: one without a route may still be called back, about orders that it took before. */
  readonly providers?: ReadonlyMap<string, Provider>;
  readonly isSuspended: (accountId: Uuid) => Promise<boolean>;
  readonly leaseSeconds: number;
  /** Most orders in memory a queue; default: twice the largest window, and at least `INBOX_MIN`. */
  readonly inboxMax?: number;
  /** Most orders that await their commit; default: `WAITING_MAX`. */
  readonly waitingMax?: number;
  readonly inSlices?: InSlices;
  /** How long a request waits for a database whose answer was lost, before it is answered `acceptance_unknown`. */
  readonly answerMs?: number;
  /** Default: nothing is counted. */
  readonly metrics?: EngineMetrics;
  readonly tracing?: Tracing;
  /** Vendors without routes, whose connections are watched; see `HousekeepingOptions`. */
  readonly others?: ReadonlyMap<string, () => Contact | undefined>;
}

const INBOX_MIN = 500;
const WAITING_MAX = 20_000;
const ANSWER_MS = 10_000;

/** How soon a clock that jumps is noticed. */
const CLOCK_MS = 2_000;
/** How often the database is asked about awaited orders that another node works on. */
const ASK_EVERY_MS = { dispatching: 500, api: 50 } as const;

export const makeOrders = (options: OrdersOptions): Orders => new Engine(options);

class Engine implements Orders {
  readonly #options: OrdersOptions;
  readonly #services: ReadonlyMap<string, ServiceDefinition>;
  /** Whether this node sends, besides accepting. */
  readonly #dispatches: boolean;
  readonly #clockWatch: ClockWatch;
  readonly #spans: EngineSpans | undefined;
  readonly routes: readonly Route[];
  readonly #connected: ReadonlyMap<string, Provider>;
  readonly #waiters: Waiters;
  readonly #recorder: Recorder;
  readonly reports: Reports;
  readonly #acceptor: Acceptor;
  readonly #canceller: Canceller;
  readonly #dispatcher: Dispatcher;
  readonly #acceptance: Acceptance;
  readonly #onceAcceptor: OnceAcceptor;
  readonly #housekeeping: Housekeeping;
  readonly #attached = new Map<string, Service>();
  #jobs: readonly Job[] = [];
  #isStarted = false;

  constructor(options: OrdersOptions) {
    this.#options = options;
    const { db, node, role, clock, log } = options;
    const services = new Map(options.services.map((service) => [service.service, service]));
    this.#services = services;
    this.#dispatches = role !== "api";
    this.#clockWatch = makeClockWatch({ db, clock, log });
    this.#spans = makeEngineSpans(options.tracing, options);
    const isHalted = () => !this.isClockRight;
    this.routes = options.routes.map(({ settings, provider }) => makeRoute(settings, provider, clock, isHalted, log));
    this.#connected = connectedProviders(options.providers ?? new Map(), this.routes, this.#dispatches);
    this.#waiters = makeWaiters(db, this.#dispatches ? ASK_EVERY_MS.dispatching : ASK_EVERY_MS.api);
    this.#recorder = makeRecorder({
      db,
      node,
      clock,
      log,
      metrics: options.metrics,
      onChanged: (order) => this.#changed(order),
      onParked: (references) => this.#matchParked(references),
    });
    this.reports = makeReports({ db, clock, log, services, recorder: this.#recorder, spans: this.#spans });
    this.#acceptor = this.#makeAcceptor();
    this.#canceller = new Canceller({ db, clock, services, recorder: this.#recorder });
    this.#dispatcher = this.#makeDispatcher();
    this.#acceptance = new Acceptance({
      acceptor: this.#acceptor,
      dispatcher: this.#dispatcher,
      clock,
      leaseSeconds: options.leaseSeconds,
      isClockRight: () => this.isClockRight,
    });
    this.#onceAcceptor = new OnceAcceptor({ db, clock, acceptance: this.#acceptance, prefixOf: this.#prefixOf });
    this.#housekeeping = this.#makeHousekeeping();
  }

  get isClockRight(): boolean {
    return this.#clockWatch.isRight;
  }

  get load() {
    const { inFlight, queued } = this.#dispatcher;
    return { inFlight, queued, accepting: this.#acceptor.waiting };
  }

  serves(queue: string, labels: Readonly<Record<string, string>> = {}): boolean {
    return this.routes.some(
      ({ settings: { queues, only } }) =>
        queues.includes(queue) &&
        Object.entries(labels).every(([label, value]) => only?.[label]?.includes(value) ?? true),
    );
  }

  takes(order: Pick<NewOrder, "service" | "mode" | "payload">): boolean {
    const service = this.#services.get(order.service)!;
    const labels = service.labels?.(order) ?? {};
    const bound = service.boundTo?.(order);
    const mayBeClosed = !this.#dispatches || !this.#isStarted;
    return this.routes.some(
      (route) => route.serves(queueOf(order.service, order.mode), labels, bound) && (mayBeClosed || route.open()),
    );
  }

  accept(order: NewOrder): Promise<Result<Accepted>> {
    return this.#acceptance.accept(order);
  }

  acceptGroup(group: NewGroup, orders: readonly NewOrder[], gone?: AbortSignal): Promise<Result<AcceptedGroup>> {
    return this.#acceptance.acceptGroup(group, orders, gone);
  }

  acceptOnce(...request: Parameters<Orders["acceptOnce"]>): Promise<Result<AcceptedOnce>> {
    return this.#onceAcceptor.accept(...request);
  }

  acceptGroupOnce(...request: Parameters<Orders["acceptGroupOnce"]>): Promise<Result<GroupAcceptedOnce>> {
    return this.#onceAcceptor.acceptGroup(...request);
  }

  repeatOr(...request: Parameters<Orders["repeatOr"]>): Promise<Result<AcceptedOnce>> {
    return this.#onceAcceptor.repeatOr(...request);
  }

  answerBefore(...request: Parameters<Orders["answerBefore"]>): Promise<Result<Earlier> | undefined> {
    return this.#onceAcceptor.answerBefore(...request);
  }

  cancel(order: Order): Promise<Result<Order>> {
    return this.#canceller.cancel(order);
  }

  cancelGroup(accountId: Uuid, groupId: Uuid): Promise<{ readonly cancelled: readonly Order[] }> {
    return this.#canceller.cancelGroup(accountId, groupId);
  }

  waitForEnd(order: Pick<Order, "accountId" | "id">, ms: number): Promise<Order | undefined> {
    return this.#waiters.wait(order, ms);
  }

  refusalOf = (faults: readonly Fault[]): Refusal => refusalOf(faults, [...this.#attached.values()]);

  attach(services: readonly Service[], jobs: readonly Job[] = []): void {
    for (const service of services) this.#attached.set(service.definition.service, service);
    for (const service of this.#services.keys())
      invariant(this.#attached.has(service), `service ${service} is attached`);
    this.#jobs = [...jobs, ...services.flatMap((service) => service.jobs ?? [])];
  }

  async start(dead: readonly Uuid[]): Promise<void> {
    const { db, node, role, clock, log } = this.#options;
    const { skewMs } = await clockSkew(db, () => clock.now().getTime());
    if (Math.abs(skewMs) > SKEW_MAX_MS) throw new Error(`${clockFault(skewMs)}. Set it right (NTP) and start again.`);
    await registerNode(db, node, role);
    if (dead.length > 0) {
      const orders = await takeBackFrom(db, dead);
      log.info({ nodes: dead.length, orders }, "took back what killed nodes were holding");
    }
    for (const [name, provider] of this.#connected) await provider.start(this.#eventsOf(name));
    await this.#housekeeping.readPauses();
    if (this.#dispatches) this.#dispatcher.start();
    const clockJob: Job = { name: "clock", everyMs: CLOCK_MS, run: () => this.#clockWatch.compare() };
    this.#housekeeping.start([clockJob, ...this.#jobs]);
    this.#isStarted = true;
  }

  stopWaiting(): void {
    this.#waiters.release();
  }

  async stop(): Promise<void> {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    this.#waiters.release();
    await this.#acceptor.idle();
    if (this.#dispatches) await this.#dispatcher.stop();
    await Promise.all([...this.#connected.values()].map((provider) => provider.stop()));
    await this.reports.idle();
    await this.#recorder.idle();
    await this.#housekeeping.stop();
    const { db, node, log } = this.#options;
    // With the database away its heartbeat runs out instead.
    await forgetNode(db, node).catch((error: Error) =>
      log.warn({ error: error.message }, "this node could not sign off; the others forget it in a few seconds"),
    );
  }

  /** Right after each commit of a change on this node. */
  #changed(order: Order): void {
    this.#dispatcher.changed(order);
    this.#waiters.changed(order);
    this.#hooksOf(order).onChanged?.(order);
  }

  #matchParked(references: Parameters<Reports["workOff"]>[0]): void {
    void this.reports
      .workOff(references)
      .catch((error: Error) => this.#options.log.warn({ error: error.message }, "parked reports wait for the sweep"));
  }

  /** What a connected provider reports. */
  #eventsOf(name: string): ProviderSink {
    return {
      report: (report) => this.reports.report(name, cleanReport(report)),
      inbound: (message) => this.#record(name, cleanInbound(message)),
      readinessChanged: () => {
        this.#dispatcher.wake();
        this.#housekeeping.readinessChanged();
      },
      hint: (reference, isKnown) => this.reports.hint(name, reference, isKnown),
      plansChanged: () => {
        for (const service of this.#attached.values()) service.plansChanged?.(name);
      },
    };
  }

  readonly #prefixOf: PrefixOf = ({ service }) => this.#services.get(service)!.idPrefix;

  readonly #hooksOf: HooksOf = ({ service }) => this.#attached.get(service) ?? {};

  /** A message from a handset belongs to the first service that takes the provider's messages. */
  #record(provider: string, message: InboundMessage): Promise<void> {
    for (const service of this.#attached.values()) {
      const recorded = service.inbound?.(provider, message);
      if (recorded) return recorded;
    }
    return Promise.reject(new Error(`no service takes messages from handsets by ${provider}`));
  }

  #makeAcceptor(): Acceptor {
    const idOf = ({ group, orders: [first] }: Unit) =>
      group ? encodeId(GROUP_PREFIX, group.id) : encodeId(this.#prefixOf(first!), first!.id);
    const defaults = { waitingMax: WAITING_MAX, answerMs: ANSWER_MS };
    return makeAcceptor({ ...defaults, ...this.#options, spans: this.#spans, idOf });
  }

  #makeDispatcher(): Dispatcher {
    const { db, node, clock, log, leaseSeconds, isSuspended } = this.#options;
    const largestWindow = Math.max(0, ...this.routes.map(({ settings }) => settings.window));
    return new Dispatcher({
      db,
      node,
      clock,
      log,
      services: this.#services,
      routes: this.routes,
      queues: this.#queues(),
      recorder: this.#recorder,
      reports: this.reports,
      leaseSeconds,
      inboxMax: this.#options.inboxMax ?? Math.max(INBOX_MIN, largestWindow * 2),
      isSuspended,
      hooksOf: this.#hooksOf,
      metrics: this.#options.metrics,
      spans: this.#spans,
    });
  }

  #makeHousekeeping(): Housekeeping {
    const { db, node, clock, log, others } = this.#options;
    return makeHousekeeping({
      db,
      node,
      clock,
      log,
      services: this.#services,
      routes: this.routes,
      queues: this.#queues(),
      recorder: this.#recorder,
      reports: this.reports,
      dispatches: this.#dispatches,
      isClockRight: () => this.isClockRight,
      ...(others && { others }),
    });
  }

  #queues(): readonly string[] {
    return this.#options.services.flatMap(({ service }) => [queueOf(service, "live"), queueOf(service, "test")]);
  }
}
