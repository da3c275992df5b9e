import { AnswerLost, type Database, DatabaseAway } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { chooseRoute } from "./choose-route.ts";
import { Claimer } from "./claimer.ts";
import { decideDue } from "./decide-due.ts";
import { type FairQueue, makeFairQueue } from "./fair-queue.ts";
import { type Held, HeldOrders, LEASE_CHECK_MS } from "./held-orders.ts";
import { type Change, isBulk, type Order } from "./order.ts";
import { releaseOrders } from "./orders.repo.ts";
import type { Recorder } from "./recorder.ts";
import type { Route } from "./route.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { type Begun, needsDurableBegin, type Prepared, Worker, type WorkerOptions } from "./worker.ts";

export interface DispatcherOptions extends WorkerOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly routes: readonly Route[];
  readonly queues: readonly string[];
  readonly recorder: Recorder;
  readonly leaseSeconds: number;
  /** Most orders in memory a queue. */
  readonly inboxMax: number;
}

/** How often due rows are looked for while nothing wakes the loop: short enough that a retry feels immediate. */
const POLL_MS = 100;
/** Most orders of a claim while a throttling vendor is tried with one order at a time: more would only wait here. */
const PROBE_ORDERS = 5;
/** Most orders of one claim. */
const CLAIM_MAX = 500;

/** An accepted order's place on its way to a vendor: `prepareNew` takes it, `run` or `giveUp` ends it. */
export interface Departure {
  readonly prepared: Prepared;
  /** The first attempt, to be committed with the order. */
  readonly begin: Change;
  readonly entry: Held;
}

/** Whether the route may take orders soon; an order that can't leave waits in its row and not in memory. */
const mayTake = (route: Route): boolean => route.open() && !route.rests;

/**
 * Takes orders to vendors: from memory (handed over by the accepting node) or claimed from the rows that are due. Holds a
 * lease on each; see docs/LIFE-OF-AN-ORDER.md, "Leases and fencing".
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #worker: Worker;
  readonly #inboxes: ReadonlyMap<string, FairQueue>;
  readonly #routes: ReadonlyMap<string, readonly Route[]>;
  /** By queue: places in the inbox for orders that are being accepted. */
  readonly #reserved: Map<string, number>;
  readonly #held: HeldOrders;
  /** Orders that a vendor has, or may have, whose answers have not been recorded yet. */
  readonly #awaited = new Set<Uuid>();
  readonly #claimer: Claimer;
  #isRunning = false;
  #isDispatchPlanned = false;
  #underWay = 0;
  #whenIdle: (() => void) | undefined;
  #timers: NodeJS.Timeout[] = [];

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#worker = new Worker(options);
    this.#held = new HeldOrders(options);
    this.#inboxes = new Map(options.queues.map((queue) => [queue, makeFairQueue()]));
    this.#routes = new Map(
      options.queues.map((queue) => [queue, options.routes.filter(({ settings }) => settings.queues.includes(queue))]),
    );
    this.#reserved = new Map(options.queues.map((queue) => [queue, 0]));
    this.#claimer = new Claimer({
      ...options,
      maxOf: (queue) => this.#mostOf(queue),
      take: (orders, grantedAtMs) => this.#takeClaimed(orders, grantedAtMs),
      onWake: () => this.#dispatchSoon(),
    });
  }

  get inFlight(): number {
    return this.#underWay;
  }

  get queued(): number {
    return [...this.#inboxes.values()].reduce((total, inbox) => total + inbox.size, 0);
  }

  start(): void {
    this.#isRunning = true;
    this.#held.startWatch();
    this.#timers = [
      setInterval(() => this.#dispatchQueued(), POLL_MS),
      setInterval(() => this.#checkLeases(), LEASE_CHECK_MS),
    ];
    this.#dispatchQueued();
  }

  /** Takes nothing new, finishes what is under way, gives the rest back. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const timer of this.#timers) clearInterval(timer);
    const waiting = [...this.#inboxes.values()].flatMap((inbox) => inbox.drain());
    await this.#giveBack(waiting, 0);
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }

  /** Reserves room in memory for orders about to be accepted; false: the rows are simply due. */
  reserve(queue: string, orders: number): boolean {
    const inbox = this.#inboxes.get(queue);
    if (!this.#isRunning || !inbox) return false;
    const routes = this.#routesOf(queue);
    if (routes.length > 0 && routes.every((route) => route.rests)) return false;
    const reserved = this.#reserved.get(queue)!;
    if (inbox.size + reserved + orders > this.#options.inboxMax) {
      this.#claimer.wake(queue); // they will be due
      return false;
    }
    this.#reserved.set(queue, reserved + orders);
    return true;
  }

  /** Gives reserved room back, or fills it with the accepted orders, whose leases were taken not before `leasedAtMs`. */
  handOver(queue: string, reserved: number, orders: readonly Order[], leasedAtMs: number): void {
    this.#reserved.set(queue, this.#reserved.get(queue)! - reserved);
    for (const order of orders) this.#enqueue(order, leasedAtMs);
    this.#dispatchQueued();
  }

  /**
   * Prepares an order that is not stored yet and could leave at once: its begin goes into the commit that accepts it. Undefined: it
   * is to be accepted without a begin.
   */
  async prepareNew(order: Order): Promise<Departure | undefined> {
    const route = this.#routeAtOnce(order);
    if (!route) return undefined;
    const entry = this.#held.add(order, this.#nowMs());
    this.#enter(route, entry);
    try {
      const prepared = await this.#worker.prepare(this.#held.holdOf(entry), route);
      if (prepared.kind === "prepared" && prepared.begin) return { prepared, begin: prepared.begin, entry };
    } catch (error) {
      this.#logFailure(error);
    }
    route.spare();
    this.#leave(route, entry);
    return undefined;
  }

  /** Sends a prepared order as its commit has left it. Resolves once the outcome is recorded; never rejects. */
  async run({ prepared, entry }: Departure, begun: Begun): Promise<void> {
    try {
      if (begun === "no") prepared.route.spare();
      else await this.#worker.run(prepared, begun);
    } catch (error) {
      this.#logFailure(error);
    } finally {
      this.#leave(prepared.route, entry);
    }
  }

  /** Its commit failed. */
  giveUp({ prepared, entry }: Departure, error: unknown): void {
    this.#logFailure(error);
    prepared.route.spare();
    this.#leave(prepared.route, entry);
  }

  /** An order was changed here, by its own record or by a vendor's report: an older copy that waits is not sent any more. */
  changed({ id, version, leasedUntil }: Order): void {
    if (leasedUntil !== null) return;
    this.#awaited.delete(id); // decided already: its vendor's answer is no longer awaited
    this.#held.dropOlder(id, version);
  }

  /** Rows may have become due, or routes able: dispatches without waiting for the next poll. */
  wake(): void {
    this.#claimer.wake();
    this.#dispatchQueued();
  }

  /** Once for all orders that end in the same turn of the event loop. */
  #dispatchSoon(): void {
    if (this.#isDispatchPlanned) return;
    this.#isDispatchPlanned = true;
    setImmediate(() => {
      this.#isDispatchPlanned = false;
      this.#dispatchQueued();
    });
  }

  #dispatchQueued(): void {
    if (!this.#isRunning) return;
    const hungry: string[] = [];
    for (const [queue, inbox] of this.#inboxes) {
      const mayClaim = this.#claimer.mayLook(queue);
      if (inbox.size === 0 && !mayClaim) continue;
      const routes = this.#routesOf(queue);
      if (!routes.some(mayTake)) {
        // Nothing can leave: the orders wait in their rows, where timeouts are found.
        if (inbox.size > 0) void this.#giveBack(inbox.drain(), 1_000);
        continue;
      }
      this.#dispatchFrom(inbox, routes);
      if (mayClaim && inbox.size < this.#options.inboxMax / 4) hungry.push(queue);
    }
    void this.#claimer.look(hungry);
  }

  #dispatchFrom(inbox: FairQueue, routes: readonly Route[]): void {
    const blocked: Order[] = [];
    for (let next = inbox.peek(); next; next = inbox.peek()) {
      const bulk = isBulk(next);
      if (!routes.some((route) => route.able(bulk))) break;
      const entry = this.#held.get(inbox.next()!.id);
      if (!entry) continue;
      if (!this.#held.mayStillSend(entry))
        this.#held.delete(entry.order.id); // its lease runs out and it becomes due
      else if (!this.#dispatchOne(entry)) blocked.push(entry.order);
    }
    void this.#giveBack(blocked, 1_000);
  }

  /** Decides first, chooses a route after. False: no route can take it, so it is given back. */
  #dispatchOne(entry: Held): boolean {
    const { order } = entry;
    const service = this.#serviceOf(order);
    const due = decideDue(service, order, this.#now());
    if (due.kind === "change") {
      void this.#applyDue(entry, due.change);
      return true;
    }
    const route = chooseRoute(this.#options.routes, service, order);
    if (!route) return false;
    void this.#workAt(route, entry, due.kind);
    return true;
  }

  /** Sends or asks, with a place in the route's window meanwhile. */
  async #workAt(route: Route, entry: Held, act: "send" | "requery"): Promise<void> {
    this.#enter(route, entry);
    try {
      await this.#worker[act](this.#held.holdOf(entry), route);
    } catch (error) {
      this.#logFailure(error);
    } finally {
      this.#leave(route, entry);
    }
  }

  /** A change that time alone brings, without a vendor. An order that keeps its lease goes on from there. */
  async #applyDue(entry: Held, change: Change): Promise<void> {
    this.#underWay += 1;
    try {
      this.#held.delete(entry.order.id);
      const isApplied = await this.#options.recorder.apply("record", change);
      if (isApplied && change.keepLease) this.#enqueue(change.after, entry.grantedAtMs);
    } catch (error) {
      this.#logFailure(error);
    } finally {
      this.#finishOne();
    }
  }

  #enter(route: Route, entry: Held): void {
    route.enter();
    this.#awaited.add(entry.order.id);
    this.#underWay += 1;
  }

  #leave(route: Route, entry: Held): void {
    this.#awaited.delete(entry.order.id);
    // Once its outcome is committed the order may be claimed again, here too, before this node hears of the commit.
    this.#held.deleteEntry(entry);
    route.leave();
    this.#finishOne();
  }

  #finishOne(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#whenIdle?.();
    this.#dispatchSoon();
  }

  #logFailure(error: unknown): void {
    const isAway = error instanceof DatabaseAway || error instanceof AnswerLost;
    this.#options.log[isAway ? "warn" : "error"](
      { error: isAway ? error.message : (error as Error).stack },
      "an order could not be worked on; its lease runs out",
    );
  }

  /** The route that could take it this moment. None when others wait before it, or when time alone decides about it. */
  #routeAtOnce(order: Order): Route | undefined {
    if (!this.#isRunning || this.#inboxes.get(order.queue)?.size !== 0) return undefined;
    const service = this.#serviceOf(order);
    if (decideDue(service, order, this.#now()).kind !== "send") return undefined;
    const route = chooseRoute(this.#options.routes, service, order);
    return route && needsDurableBegin(order, route) ? route : undefined;
  }

  #enqueue(order: Order, grantedAtMs: number): void {
    this.#held.add(order, grantedAtMs);
    this.#inboxes.get(order.queue)?.push(order);
  }

  async #giveBack(orders: readonly Order[], afterMs: number): Promise<void> {
    if (orders.length === 0) return;
    const { db, node, log } = this.#options;
    for (const order of orders) this.#held.delete(order.id);
    try {
      await releaseOrders(db, node, orders, afterMs);
    } catch (error) {
      log.warn(
        { error: (error as Error).message, orders: orders.length },
        "orders were not given back; their leases run out",
      );
    }
  }

  /** How many orders may be claimed now. */
  #mostOf(queue: string): number {
    const routes = this.#routesOf(queue).filter(mayTake);
    if (!this.#isRunning || routes.length === 0) return 0;
    const room = Math.floor(this.#options.inboxMax / 2) - this.#inboxes.get(queue)!.size;
    return Math.min(room, routes.every((route) => route.probes) ? PROBE_ORDERS : CLAIM_MAX);
  }

  #takeClaimed(orders: readonly Order[], grantedAtMs: number): number {
    // A lease that ran out while this process was frozen: the vendor's answer may lie unread, and decides about the message. Of a
    // purchase its vendor may be asked meanwhile.
    const isUnanswered = ({ id, ambiguity }: Order) => ambiguity !== "requery" && this.#awaited.has(id);
    const unanswered = orders.filter(isUnanswered);
    const others = orders.filter((order) => !isUnanswered(order));
    void this.#giveBack(unanswered, 1_000);
    for (const order of others) this.#enqueue(order, grantedAtMs);
    if (others.length > 0) this.#dispatchQueued();
    return others.length;
  }

  /** After a freeze what has not left is dropped. What has left is held on to: its answer may lie unread. */
  #checkLeases(): void {
    if (this.#held.dropIfFrozen())
      for (const inbox of this.#inboxes.values()) for (const order of inbox.drain()) this.#held.delete(order.id);
    void this.#held.renewLeases();
  }

  #routesOf(queue: string): readonly Route[] {
    return this.#routes.get(queue) ?? [];
  }

  #serviceOf(order: Order): ServiceDefinition {
    return this.#options.services.get(order.service)!;
  }

  #now(): Date {
    return this.#options.clock.now();
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }
}
