import { AnswerLost, type Database, DatabaseAway } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { chooseRoute } from "./choose-route.ts";
import { decideDue } from "./decide-due.ts";
import { type FairQueue, makeFairQueue } from "./fair-queue.ts";
import { type Change, isBulk, type Order } from "./order.ts";
import { claimOrders, releaseOrders, renewLeases } from "./orders.repo.ts";
import type { Recorder } from "./recorder.ts";
import type { Route } from "./route.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { type Begin, type Hold, makeWorker, needsDurableBegin, type Worker, type WorkerOptions } from "./worker.ts";

/**
 * Takes orders to vendors: from memory (handed over by the accepting node) or claimed from the rows that are due. Holds a
 * lease on each; see docs/ARCHITECTURE.md, "Leases and fencing".
 */
export interface Dispatcher {
  /** Makes room in memory for orders about to be accepted; false: the rows will simply be due. */
  reserve(queue: string, orders: number): boolean;
  /** Gives reserved room back, or fills it with the accepted orders, whose leases were taken not before `leasedAtMs`. */
  handOver(queue: string, reserved: number, orders: readonly Order[], leasedAtMs: number): void;
  /**
   * An order that could leave this very moment is begun in the commit that stores it: `accept`. Resolves when that is done, or when
   * the order is to be accepted as any other.
   */
  acceptBegun(order: Order, accept: Begin): Promise<void>;
  /** An order was changed here, be it by its own record or by a vendor's later word: an older copy that waits is not sent any more. */
  changed(order: Order): void;
  /** Something became able to take orders. */
  pump(): void;
  start(): void;
  /** Takes nothing new, finishes what is under way, gives the rest back. */
  stop(): Promise<void>;
  readonly inFlight: number;
  readonly queued: number;
}

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

interface Held {
  readonly order: Order;
  /** Monotonic time at which the lease was surely not yet running out: before the call that took it. */
  grantedAtMs: number;
  /** Not to be sent any more: the lease is lost, or the process was frozen. What has left is recorded all the same. */
  dropped: boolean;
}

/** How often due rows are looked for while nothing wakes the loop: short enough that a retry feels immediate. */
const POLL_MS = 100;
/** A queue in which nothing was due is not looked into again for so long, unless something may have become due. */
const QUIET_MS = 50;
const TICK_MS = 250;
/** Claimed while a vendor that has throttled is tried with one order at a time: the others would only wait here. */
const PROBE_ORDERS = 5;

/** Whether anything may leave there soon; what can't waits in its row and not in memory. */
const mayTake = (route: Route): boolean => route.open() && !route.rests;

export function makeDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, node, clock, log, services, routes, queues, recorder, leaseSeconds, inboxMax } = options;
  const leaseMs = leaseSeconds * 1_000;
  const inboxes = new Map<string, FairQueue>(queues.map((queue) => [queue, makeFairQueue()]));
  const reserved = new Map<string, number>(queues.map((queue) => [queue, 0]));
  const held = new Map<Uuid, Held>();
  /** Orders that a vendor has just now, or may have: their answers are on their way. */
  const away = new Set<Uuid>();
  let running = false;
  let underWay = 0;
  let whenIdle: (() => void) | undefined;
  let timers: NodeJS.Timeout[] = [];
  let lastTickMs = 0;
  const claiming = new Set<string>();
  const quietUntilMs = new Map<string, number>();

  const worker: Worker = makeWorker(options);

  const serviceOf = (order: Order): ServiceDefinition => services.get(order.service)!;
  const now = () => clock.now();

  /** Past half the lease by our own clock nothing is written any more: another node may be about to claim it. */
  const mayStillSend = (entry: Held) => !entry.dropped && clock.monotonicMs() < entry.grantedAtMs + leaseMs / 2;

  const take = (order: Order, grantedAtMs: number) => {
    held.set(order.id, { order, grantedAtMs, dropped: false });
    inboxes.get(order.queue)?.push(order);
  };

  const giveBack = async (orders: readonly Order[], afterMs: number) => {
    if (orders.length === 0) return;
    for (const order of orders) held.delete(order.id);
    try {
      await releaseOrders(db, node, orders, afterMs);
    } catch (error) {
      log.warn(
        { error: (error as Error).message, orders: orders.length },
        "orders were not given back; their leases run out",
      );
    }
  };

  const pump = () => {
    if (!running) return;
    for (const [queue, inbox] of inboxes) {
      const mine = routes.filter((route) => route.settings.queues.includes(queue));
      if (!mine.some(mayTake)) {
        // Nothing can leave: the orders wait in their rows, where what time decides is found.
        void giveBack(inbox.drain(), 1_000);
        continue;
      }
      const blocked: Order[] = [];
      for (
        let next = inbox.peek();
        next && mine.some((route) => route.able(isBulk(next as Order)));
        next = inbox.peek()
      ) {
        const entry = held.get(inbox.next()!.id);
        if (!entry) continue;
        if (!mayStillSend(entry))
          held.delete(entry.order.id); // its lease runs out and it becomes due
        else if (!look(entry)) blocked.push(entry.order);
      }
      void giveBack(blocked, 1_000);
      if (inbox.size < inboxMax / 4) void claim(queue);
    }
  };

  /** Decides first, chooses a route after. False when the order can only be given back. */
  const look = (entry: Held): boolean => {
    const due = decideDue(serviceOf(entry.order), entry.order, now());
    if (due.kind === "change") {
      void track(() => applyDue(entry, due.change));
      return true;
    }
    const route = chooseRoute(routes, serviceOf(entry.order), entry.order);
    if (!route) return false;
    void at(route, entry, (hold) => worker[due.kind](hold, route));
    return true;
  };

  /** Has a place in the route's window meanwhile. */
  const at = (route: Route, entry: Held, act: (hold: Hold) => Promise<void>): Promise<void> => {
    route.enter();
    away.add(entry.order.id);
    return track(async () => {
      try {
        await act({ order: entry.order, mayStillSend: () => mayStillSend(entry) });
      } finally {
        away.delete(entry.order.id);
        // Once its outcome is committed the order may be claimed again, here too, before we hear of the commit.
        if (held.get(entry.order.id) === entry) held.delete(entry.order.id);
        route.leave();
      }
    });
  };

  /** Where it could leave this very moment. Nobody waits before it, and time decides nothing of it. */
  const routeAtOnce = (order: Order): Route | undefined => {
    if (!running || inboxes.get(order.queue)?.size !== 0) return undefined;
    const service = serviceOf(order);
    if (decideDue(service, order, now()).kind !== "send") return undefined;
    const route = chooseRoute(routes, service, order);
    return route && needsDurableBegin(order, route) ? route : undefined;
  };

  /** Counts what is under way, so that `stop` can wait for it, and goes on with the next when it is done. */
  const track = async (act: () => Promise<void>) => {
    underWay += 1;
    try {
      await act();
    } catch (error) {
      const away = error instanceof DatabaseAway || error instanceof AnswerLost;
      log[away ? "warn" : "error"](
        { error: away ? error.message : (error as Error).stack },
        "an order could not be worked on; its lease runs out",
      );
    } finally {
      underWay -= 1;
      if (underWay === 0) whenIdle?.();
      pump();
    }
  };

  /** What time decides, without a vendor. An order that stays ours goes on as it is then. */
  const applyDue = async (entry: Held, change: Change) => {
    held.delete(entry.order.id);
    if ((await recorder.apply("record", change)) && change.keepLease) take(change.after, entry.grantedAtMs);
  };

  const claim = async (queue: string) => {
    const inbox = inboxes.get(queue)!;
    const room = Math.floor(inboxMax / 2) - inbox.size;
    const mine = routes.filter((route) => route.settings.queues.includes(queue) && mayTake(route));
    const isQuiet = clock.monotonicMs() < (quietUntilMs.get(queue) ?? 0);
    if (!running || claiming.has(queue) || room <= 0 || mine.length === 0 || isQuiet) return;
    claiming.add(queue);
    try {
      const grantedAtMs = clock.monotonicMs();
      const max = Math.min(room, mine.every((route) => route.probes) ? PROBE_ORDERS : 500);
      const orders = await claimOrders(db, { node, leaseSeconds, queue, max, now: now() });
      // A lease that ran out while this process was frozen: the answer may lie unread, and will say what became of the message. Of a
      // purchase its vendor may be asked meanwhile.
      const isAway = ({ id, ambiguity }: Order) => ambiguity !== "requery" && away.has(id);
      const [unanswered = [], others = []] = [true, false].map((is) => orders.filter((order) => isAway(order) === is));
      void giveBack(unanswered, 1_000);
      for (const order of others) take(order, grantedAtMs);
      if (others.length > 0) pump();
      else quietUntilMs.set(queue, clock.monotonicMs() + QUIET_MS);
    } catch (error) {
      if (!(error instanceof DatabaseAway || error instanceof AnswerLost))
        log.error({ error: (error as Error).stack }, "claiming failed");
    } finally {
      claiming.delete(queue);
    }
  };

  /**
   * A gap in the event loop longer than a quarter of the lease (a frozen process) drops everything that has not left. What has left
   * is held on to: its answer may lie unread.
   */
  const tick = () => {
    const nowMs = clock.monotonicMs();
    const gapMs = nowMs - lastTickMs;
    lastTickMs = nowMs;
    if (gapMs > TICK_MS + leaseMs / 4) {
      log.warn({ gap_ms: Math.round(gapMs) }, "this process was frozen; orders that had not left are dropped");
      for (const inbox of inboxes.values()) for (const order of inbox.drain()) held.delete(order.id);
      for (const entry of held.values()) entry.dropped = true;
    }
    void renew(nowMs);
  };

  const renew = async (nowMs: number) => {
    const aged = [...held.values()].filter((entry) => nowMs - entry.grantedAtMs > leaseMs / 4);
    if (aged.length === 0) return;
    try {
      const lost = new Set(
        await renewLeases(
          db,
          node,
          leaseSeconds,
          aged.map((entry) => entry.order),
        ),
      );
      for (const entry of aged) {
        if (!lost.has(entry.order.id)) entry.grantedAtMs = nowMs;
        else {
          entry.dropped = true;
          if (held.get(entry.order.id) === entry) held.delete(entry.order.id);
        }
      }
    } catch {
      // The database is away: the leases run on and `mayStillSend` ends what they no longer cover.
    }
  };

  return {
    reserve(queue, orders) {
      const inbox = inboxes.get(queue);
      if (!running || !inbox) return false;
      const mine = routes.filter((route) => route.settings.queues.includes(queue));
      if (mine.length > 0 && mine.every((route) => route.rests)) return false;
      if (inbox.size + reserved.get(queue)! + orders > inboxMax) {
        quietUntilMs.delete(queue); // they will be due
        return false;
      }
      reserved.set(queue, reserved.get(queue)! + orders);
      return true;
    },
    handOver(queue, count, orders, leasedAtMs) {
      reserved.set(queue, reserved.get(queue)! - count);
      for (const order of orders) take(order, leasedAtMs);
      pump();
    },
    acceptBegun(order, accept) {
      const route = routeAtOnce(order);
      if (!route) return Promise.resolve();
      const entry = { order, grantedAtMs: clock.monotonicMs(), dropped: false };
      held.set(order.id, entry);
      let isBegun = false;
      return new Promise((resolve) => {
        const begin: Begin = async (change) => {
          try {
            const said = await accept(change);
            isBegun = said !== "no";
            return said;
          } finally {
            resolve();
          }
        };
        void at(route, entry, async (hold) => {
          try {
            await worker.send(hold, route, begin);
          } finally {
            if (!isBegun) route.spare();
          }
        }).then(resolve);
      });
    },
    changed({ id, version, leasedUntil }) {
      if (leasedUntil !== null) return;
      away.delete(id); // whatever its vendor answers yet, it has been decided
      const entry = held.get(id);
      if (entry && entry.order.version < version) entry.dropped = true;
    },
    pump() {
      quietUntilMs.clear();
      pump();
    },
    start() {
      running = true;
      lastTickMs = clock.monotonicMs();
      timers = [setInterval(pump, POLL_MS), setInterval(tick, TICK_MS)];
      pump();
    },
    async stop() {
      running = false;
      for (const timer of timers) clearInterval(timer);
      const waiting = [...inboxes.values()].flatMap((inbox) => inbox.drain());
      await giveBack(waiting, 0);
      if (underWay > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
    },
    get inFlight() {
      return underWay;
    },
    get queued() {
      return [...inboxes.values()].reduce((total, inbox) => total + inbox.size, 0);
    },
  };
}
