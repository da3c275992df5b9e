import { AnswerLost, type Database, DatabaseAway } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Facts, Outcome } from "../providers/provider.ts";
import { chooseRoute, hasMoreRoutes } from "./choose-route.ts";
import { type Answered, decideBegin, decideOutcome, decideRequery, nextAttempt, validUntilOf } from "./decide.ts";
import { decideDue, decideSuspended, decideUnfit } from "./decide-due.ts";
import { decideLateOutcome, isStillHeld, leftOpen } from "./decide-late.ts";
import { type FairQueue, makeFairQueue } from "./fair-queue.ts";
import {
  BEGIN_UNANSWERED,
  LEFT_ALONE,
  notSent,
  type OpenPayload,
  openedPayload,
  questionFor,
  taskFor,
  UNSTORABLE,
} from "./handing-over.ts";
import { type Change, isBulk, type Order } from "./order.ts";
import { claimOrders, releaseOrders, renewLeases } from "./orders.repo.ts";
import type { Recorder } from "./recorder.ts";
import type { Reports } from "./reports.ts";
import type { Route } from "./route.ts";
import { sendPieces } from "./send-pieces.ts";
import type { LastLook, ServiceDefinition } from "./service-definition.ts";
import { cleanOutcome } from "./vendor-words.ts";

/**
 * Takes orders to vendors: from memory (handed over by the accepting node) or claimed from the rows that are due. Holds a
 * lease on each; see docs/ARCHITECTURE.md, "Leases and fencing".
 */
export interface Dispatcher {
  /** Makes room in memory for orders about to be accepted; false: the rows will simply be due. */
  reserve(queue: string, orders: number): boolean;
  /** Gives reserved room back, or fills it with the accepted orders, whose leases were taken not before `leasedAtMs`. */
  handOver(queue: string, reserved: number, orders: readonly Order[], leasedAtMs: number): void;
  /** Something became able to take orders. */
  pump(): void;
  start(): void;
  /** Takes nothing new, finishes what is under way, gives the rest back. */
  stop(): Promise<void>;
  readonly inFlight: number;
  readonly queued: number;
}

export interface DispatcherOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly routes: readonly Route[];
  readonly queues: readonly string[];
  readonly recorder: Recorder;
  readonly reports: Pick<Reports, "hint">;
  readonly leaseSeconds: number;
  /** Most orders in memory a queue. */
  readonly inboxMax: number;
  /** Looked at again when an order's time comes. */
  readonly isSuspended: (accountId: Uuid) => Promise<boolean>;
  /** Encrypts what must not be readable at rest. */
  readonly seal: (orderId: Uuid, facts: Facts) => Facts;
  readonly open: OpenPayload;
  readonly lastLook?: LastLook | undefined;
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

export function makeDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, node, clock, log, services, routes, queues, recorder, leaseSeconds, inboxMax } = options;
  const leaseMs = leaseSeconds * 1_000;
  const inboxes = new Map<string, FairQueue>(queues.map((queue) => [queue, makeFairQueue()]));
  const reserved = new Map<string, number>(queues.map((queue) => [queue, 0]));
  const held = new Map<Uuid, Held>();
  let running = false;
  let underWay = 0;
  let whenIdle: (() => void) | undefined;
  let timers: NodeJS.Timeout[] = [];
  let lastTickMs = 0;
  const claiming = new Set<string>();
  const quietUntilMs = new Map<string, number>();

  const serviceOf = (order: Order): ServiceDefinition => services.get(order.service)!;
  const now = () => clock.now();

  /** Secrets among what a vendor said (tokens) are sealed before they are stored. */
  const sealed = (order: Order, outcome: Outcome): Outcome =>
    "facts" in outcome && outcome.facts ? { ...outcome, facts: options.seal(order.id, outcome.facts) } : outcome;

  /** A vendor that refuses us, not the customer: the operator must mend it. */
  const alarm = (route: Route, order: Order, outcomes: readonly (Outcome | undefined)[]) => {
    for (const outcome of outcomes)
      if (outcome?.kind === "rejected" && outcome.alarm)
        log.error({ route: route.settings.name, order: order.id, alarm: outcome.alarm }, "a vendor refuses us");
  };

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
      await releaseOrders(db, node, orders, new Date(now().getTime() + afterMs));
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
      if (!mine.some((route) => route.open())) {
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
    route.enter();
    void track(async () => {
      try {
        await (due.kind === "requery" ? requery(entry, route) : work(entry, route));
      } finally {
        // Once its outcome is committed the order may be claimed again, here too, before we hear of the commit.
        if (held.get(entry.order.id) === entry) held.delete(entry.order.id);
        route.leave();
      }
    });
    return true;
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

  /** One order at one route, from the last look before it leaves to the committed outcome. */
  const work = async (entry: Held, route: Route) => {
    let order = entry.order;
    const service = serviceOf(order);
    const opened = openedPayload(order, options.open);
    const unfit = opened.ok ? await options.lastLook?.(order) : opened.error;
    const stopped = (await options.isSuspended(order.accountId))
      ? decideSuspended(service, order, now())
      : unfit && decideUnfit(service, order, unfit, now());
    if (stopped || !opened.ok) {
      if (stopped) await recorder.apply("record", stopped);
      return;
    }
    // `retry` may be sent twice anyway, so it saves the commit before the call; everything else is marked first, and what has a reference of ours too.
    const begunAt = now();
    const attempt = nextAttempt(order);
    const reference =
      attempt === order.attempt
        ? order.attemptReference
        : (route.provider.makeReference?.({ orderId: order.id, attempt }, begunAt) ?? null);
    const expiresAt = validUntilOf(service, order);
    const task = taskFor({ ...order, expiresAt }, opened.value, attempt, reference, () => mayStillSend(entry));
    let isCallable = true;
    if (order.ambiguity !== "retry" || reference !== null) {
      const pieceCount = route.provider.pieceCount(task);
      const begin = decideBegin(service, order, route.settings.name, pieceCount, begunAt, reference);
      const begun = await applyBegin(begin);
      if (begun === "no") return;
      order = begin.after;
      isCallable = begun === "yes";
    }
    const before = attempt === order.attempt ? order.pieces : null;
    const answers = isCallable
      ? ((await route.guarded(order.recipient, () => sendPieces(route.provider, task, before))) ??
        notSent(before, LEFT_ALONE))
      : notSent(before, BEGIN_UNANSWERED);
    const outcomes = answers.map((answer) => answer && sealed(order, answer));
    alarm(route, order, outcomes);
    const answered: Answered = {
      route: route.settings.name,
      attempt,
      attemptReference: reference,
      begunAt,
      outcomes,
      moreRoutes: hasMoreRoutes(routes, serviceOf(order), order, route),
    };
    const record = async (said: Answered) => {
      let before = order;
      const after = await recorder.settle("record", order, (current) => {
        before = current;
        return (isStillHeld(current, order) ? decideOutcome : decideLateOutcome)(service, current, said, now());
      });
      if (after && !isStillHeld(before, order))
        for (const open of leftOpen(before, after, said)) await options.reports.hint(open.route, open.reference);
    };
    try {
      await record(answered);
    } catch (error) {
      // What can't be stored is as good as lost; forgetting it would send the order again and again.
      log.error({ error: (error as Error).stack, order: order.id }, "a vendor's answer can't be stored");
      await record({ ...answered, outcomes: outcomes.map((outcome) => outcome && UNSTORABLE) });
    }
  };

  /**
   * `unanswered`: it may be committed, and the vendor is not called. Under this begin nobody else can have called it: it stands
   * or falls with this node's lease (`own lease`), and whoever takes the order over raises the epoch first. So while the epoch
   * is ours the order is recorded as certainly not sent, like any other; a begin that is still on its way is outdated by that.
   * Once the epoch is another's, that holder decides: it sees a begin without an answer, which is `unknown`.
   */
  const applyBegin = async (begin: Change): Promise<"yes" | "no" | "unanswered"> => {
    try {
      return (await recorder.apply("begin", begin)) ? "yes" : "no";
    } catch (error) {
      if (error instanceof AnswerLost) return "unanswered";
      throw error;
    }
  };

  const requery = async (entry: Held, route: Route) => {
    const { order } = entry;
    const task = questionFor(order, () => mayStillSend(entry));
    const said = cleanOutcome(
      (await route.provider.requery?.(task)) ?? { kind: "unknown", detail: "this vendor can't be asked" },
    );
    const outcome = sealed(order, said);
    await recorder.settle("record", order, (current) =>
      isStillHeld(current, order)
        ? decideRequery(
            serviceOf(order),
            current,
            outcome,
            hasMoreRoutes(routes, serviceOf(current), current, route),
            now(),
          )
        : undefined,
    );
  };

  const claim = async (queue: string) => {
    const inbox = inboxes.get(queue)!;
    const room = Math.floor(inboxMax / 2) - inbox.size;
    const able = routes.some((route) => route.settings.queues.includes(queue) && route.open());
    const isQuiet = clock.monotonicMs() < (quietUntilMs.get(queue) ?? 0);
    if (!running || claiming.has(queue) || room <= 0 || !able || isQuiet) return;
    claiming.add(queue);
    try {
      const grantedAtMs = clock.monotonicMs();
      const orders = await claimOrders(db, { node, leaseSeconds, queue, max: Math.min(room, 500), now: now() });
      for (const order of orders) take(order, grantedAtMs);
      if (orders.length > 0) pump();
      else quietUntilMs.set(queue, clock.monotonicMs() + QUIET_MS);
    } catch (error) {
      if (!(error instanceof DatabaseAway || error instanceof AnswerLost))
        log.error({ error: (error as Error).stack }, "claiming failed");
    } finally {
      claiming.delete(queue);
    }
  };

  /** A gap in the event loop longer than a quarter of the lease (a frozen process) drops everything that has not left. */
  const tick = () => {
    const nowMs = clock.monotonicMs();
    const gapMs = nowMs - lastTickMs;
    lastTickMs = nowMs;
    if (gapMs > TICK_MS + leaseMs / 4) {
      log.warn({ gap_ms: Math.round(gapMs) }, "this process was frozen; orders that had not left are dropped");
      for (const inbox of inboxes.values()) for (const order of inbox.drain()) held.delete(order.id);
      for (const entry of held.values()) entry.dropped = true;
      return;
    }
    void renew(nowMs);
  };

  const renew = async (nowMs: number) => {
    const aged = [...held.values()].filter((entry) => !entry.dropped && nowMs - entry.grantedAtMs > leaseMs / 4);
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
        if (lost.has(entry.order.id)) entry.dropped = true;
        else entry.grantedAtMs = nowMs;
      }
    } catch {
      // The database is away: the leases run on and `mayStillSend` ends what they no longer cover.
    }
  };

  return {
    reserve(queue, orders) {
      const inbox = inboxes.get(queue);
      if (!running || !inbox) return false;
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
