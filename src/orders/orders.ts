import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { InSlices } from "../kernel/slices.ts";
import type { Contact, Facts, InboundMessage, Provider } from "../ports/provider.ts";
import type { NewGroup, NewOrder, NotAccepted, OrderKey, UnitAnswer } from "./accept.repo.ts";
import { type Acceptor, makeAcceptor } from "./accept.ts";
import { type AcceptedOnce, type Declined, type GroupAcceptedOnce, OnceAcceptor } from "./accept-once.ts";
import { Canceller } from "./cancel.ts";
import { clockFault, makeClockWatch, SKEW_MAX_MS } from "./clock-watch.ts";
import { type Dispatcher, makeDispatcher } from "./dispatcher.ts";
import { type Housekeeping, type Job, makeHousekeeping } from "./housekeeping.ts";
import { clockSkew, forgetNode, registerNode, takeBackFrom } from "./nodes.repo.ts";
import { type Order, queueOf } from "./order.ts";
import type { OpenPayload } from "./provider-task.ts";
import { makeRecorder } from "./recorder.ts";
import type { KeyScope, RequestKeys } from "./repeats.ts";
import { makeReports, type Reports } from "./reports.ts";
import { makeRoute, type Route, type RouteSettings } from "./route.ts";
import type { PreSendCheck, ServiceDefinition } from "./service-definition.ts";
import { cleanInbound, cleanReport } from "./vendor-words.ts";
import { makeWaiters } from "./waiters.ts";

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
  /** Ends an order that has not left and that no dispatcher holds. */
  cancel(order: Order): Promise<Result<Order>>;
  /** Ends what of a group has not left; in steps, each of which is committed. */
  cancelGroup(accountId: Uuid, groupId: Uuid): Promise<{ readonly cancelled: readonly Order[] }>;
  /** Whether any route takes orders of this queue, with these labels at least, be it able just now or not. */
  serves(queue: string, labels?: Readonly<Record<string, string>>): boolean;
  /** Whether a route takes this very order now. A node without routes of its own knows only which are configured. */
  takes(order: Pick<NewOrder, "service" | "mode" | "payload">): boolean;
  /** The order once it has ended; undefined when the time is up first. */
  waitForEnd(order: Pick<Order, "accountId" | "id">, ms: number): Promise<Order | undefined>;
  readonly routes: readonly Route[];
  readonly reports: Reports;
  /** Whether this node's clock agrees with the database's; no order leaves otherwise. */
  readonly isClockRight: boolean;
  /** Orders under way and waiting in this node's memory. */
  readonly load: { readonly inFlight: number; readonly queued: number; readonly accepting: number };
  /** `dead`: nodes that are surely gone; their orders need not wait for the leases to run out. */
  start(dead: readonly Uuid[]): Promise<void>;
  /** Whoever waits for an outcome is answered with what is known: the node is ending. */
  stopWaiting(): void;
  /** Finishes what is under way and gives leases back. */
  stop(): Promise<void>;
}

export type Accepted = { readonly kind: "accepted" } | { readonly kind: "not_accepted"; readonly why: NotAccepted };

export interface AcceptedGroup {
  /** Set when nothing of the group was accepted. */
  readonly whole: NotAccepted | undefined;
  /** By index: items whose reference another order has. */
  readonly items: ReadonlyMap<number, NotAccepted>;
}

export interface OrdersOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly role: "all" | "api" | "dispatcher";
  readonly clock: Clock;
  readonly log: Log;
  readonly services: readonly ServiceDefinition[];
  readonly routes: readonly { readonly settings: RouteSettings; readonly provider: Provider }[];
  /** All providers by name: one without a route may still be called back, about what was sold through it before. */
  readonly providers?: ReadonlyMap<string, Provider>;
  readonly isSuspended: (accountId: Uuid) => Promise<boolean>;
  readonly preSendCheck?: PreSendCheck;
  /** Where a handset's own message goes. Resolves once it is committed. */
  readonly inbound: (provider: string, message: InboundMessage) => Promise<void>;
  /** A vendor's price list changed. */
  readonly plansChanged?: (provider: string) => void;
  /** An order changed on this node, right after the commit. */
  readonly changed?: (order: Order) => void;
  /** Encrypts what must not be readable at rest. */
  readonly seal?: (orderId: Uuid, facts: Facts) => Facts;
  /** Deciphers what of a payload is not readable at rest. */
  readonly open?: OpenPayload;
  readonly leaseSeconds: number;
  readonly inboxMax: number;
  readonly waitingMax: number;
  readonly inSlices?: InSlices;
  readonly answerMs: number;
  /** Vendors that are no routes: asked whether they are reached, see `HousekeepingOptions`. */
  readonly others?: ReadonlyMap<string, () => Contact | undefined>;
  /** What others have to do from time to time, on every node; see `Housekeeping`. */
  readonly jobs?: readonly Job[];
}

/** How soon a clock that jumps is noticed. */
const CLOCK_MS = 2_000;
/** How often those who wait for an order that another node works on are looked after. */
const LOOK_EVERY_MS = { dispatching: 500, api: 50 } as const;

export function makeOrders(options: OrdersOptions): Orders {
  const { db, node, role, clock, log, leaseSeconds } = options;
  const services = new Map(options.services.map((service) => [service.service, service]));
  const queues = options.services.flatMap(({ service }) => [queueOf(service, "live"), queueOf(service, "test")]);
  const clockWatch = makeClockWatch({ db, clock, log });
  const isHalted = () => !clockWatch.isRight;
  const routes = options.routes.map(({ settings, provider }) => makeRoute(settings, provider, clock, isHalted, log));

  const dispatches = role !== "api";
  const waiters = makeWaiters(db, dispatches ? LOOK_EVERY_MS.dispatching : LOOK_EVERY_MS.api);
  const recorder = makeRecorder({
    db,
    node,
    clock,
    log,
    onChanged: (order) => {
      dispatcher.changed(order);
      waiters.changed(order);
      options.changed?.(order);
    },
    onParked: (references) =>
      void reports
        .workOff(references)
        .catch((error: Error) => log.warn({ error: error.message }, "parked reports wait for the sweep")),
  });
  const reports: Reports = makeReports({ db, clock, log, services, recorder });
  const acceptor: Acceptor = makeAcceptor({
    db,
    node,
    clock,
    leaseSeconds,
    waitingMax: options.waitingMax,
    answerMs: options.answerMs,
    ...(options.inSlices && { inSlices: options.inSlices }),
    idOf: ({ group, orders: [first] }) =>
      group ? encodeId("blk", group.id) : encodeId(services.get(first!.service)!.idPrefix, first!.id),
  });
  const dispatcher: Dispatcher = makeDispatcher({
    reports,
    db,
    node,
    clock,
    log,
    services,
    routes,
    queues,
    recorder,
    leaseSeconds,
    inboxMax: options.inboxMax,
    isSuspended: options.isSuspended,
    seal: options.seal ?? ((_, facts) => facts),
    open: options.open ?? (({ payload }) => payload),
    preSendCheck: options.preSendCheck,
  });
  const housekeeping: Housekeeping = makeHousekeeping({
    db,
    node,
    clock,
    log,
    services,
    routes,
    queues,
    recorder,
    reports,
    dispatches,
    isClockRight: () => clockWatch.isRight,
    ...(options.others && { others: options.others }),
    jobs: [{ name: "clock", everyMs: CLOCK_MS, run: () => clockWatch.compare() }, ...(options.jobs ?? [])],
  });
  /** A provider may have a route for each of several services. One that is called back is connected where the calls come in, too. */
  const connected = new Map([
    ...[...(options.providers ?? [])].filter(([, { callback }]) => callback !== undefined),
    ...routes
      .filter(({ provider }) => dispatches || provider.callback !== undefined)
      .map(({ settings, provider }) => [settings.name, provider] as const),
  ]);
  let started = false;

  const canceller = new Canceller({ db, clock, services, recorder });

  /** Undefined: it can't leave this moment, and nothing was done. */
  const acceptBegun = async (order: NewOrder): Promise<Result<UnitAnswer> | undefined> => {
    let answer: Result<UnitAnswer> | undefined;
    await dispatcher.acceptBegun(freshOrder(order, leaseSeconds), async (begin) => {
      answer = await acceptor.accept({ orders: [order], leased: true, begin });
      if (!answer.ok) return answer.error.code === "acceptance_unknown" ? "unanswered" : "no";
      return answer.value.begun ? "yes" : "no";
    });
    return answer;
  };

  const orders: Omit<Orders, "acceptOnce" | "acceptGroupOnce" | "repeatOr"> = {
    routes,
    reports,
    get isClockRight() {
      return clockWatch.isRight;
    },
    serves: (queue, labels = {}) =>
      routes.some(
        ({ settings: { queues, only } }) =>
          queues.includes(queue) &&
          Object.entries(labels).every(([label, value]) => only?.[label]?.includes(value) ?? true),
      ),
    takes(order) {
      const service = services.get(order.service)!;
      const labels = service.labels?.(order) ?? {};
      const bound = service.boundTo?.(order);
      return routes.some(
        (route) =>
          route.serves(queueOf(order.service, order.mode), labels, bound) && (!dispatches || !started || route.open()),
      );
    },
    waitForEnd: (order, ms) => waiters.wait(order, ms),
    get load() {
      return { inFlight: dispatcher.inFlight, queued: dispatcher.queued, accepting: acceptor.waiting };
    },

    async accept(order) {
      if (!clockWatch.isRight) return refuse(CLOCK_WRONG);
      const begun = order.state === "scheduled" ? undefined : await acceptBegun(order);
      if (begun) return acceptedOf(begun);
      const queue = queueOf(order.service, order.mode);
      const leased = order.state !== "scheduled" && dispatcher.reserve(queue, 1);
      const leasedAtMs = clock.monotonicMs();
      let handedOver: readonly Order[] = [];
      try {
        const answer = await acceptor.accept({ orders: [order], leased });
        const accepted = acceptedOf(answer);
        if (accepted.ok && accepted.value.kind === "accepted") handedOver = [freshOrder(order, leaseSeconds)];
        return accepted;
      } finally {
        // Whatever became of it, its place in memory is filled or free again.
        if (leased) dispatcher.handOver(queue, 1, handedOver, leasedAtMs);
      }
    },

    async acceptGroup(group, orders, gone) {
      if (!clockWatch.isRight) return refuse(CLOCK_WRONG);
      // A bulk is drained from its rows, in fair turns, rather than from this node's memory.
      const answer = await acceptor.accept({ orders, group, leased: false, ...(gone && { gone }) });
      if (!answer.ok) return answer;
      dispatcher.pump();
      return ok({ whole: answer.value.refused.get(-1), items: answer.value.refused });
    },

    cancel: (order) => canceller.cancel(order),
    cancelGroup: (accountId, groupId) => canceller.cancelGroup(accountId, groupId),

    async start(dead) {
      const { skewMs } = await clockSkew(db, () => clock.now().getTime());
      if (Math.abs(skewMs) > SKEW_MAX_MS) throw new Error(`${clockFault(skewMs)}. Set it right (NTP) and start again.`);
      await registerNode(db, node, role);
      if (dead.length > 0) {
        const orders = await takeBackFrom(db, dead);
        log.info({ nodes: dead.length, orders }, "took back what killed nodes were holding");
      }
      for (const [name, provider] of connected)
        await provider.start({
          report: (report) => reports.report(name, cleanReport(report)),
          inbound: (message) => options.inbound(name, cleanInbound(message)),
          readinessChanged: () => {
            dispatcher.pump();
            housekeeping.readinessChanged();
          },
          hint: (reference, isKnown) => reports.hint(name, reference, isKnown),
          plansChanged: () => options.plansChanged?.(name),
        });
      if (dispatches) dispatcher.start();
      housekeeping.start();
      started = true;
    },

    stopWaiting: () => waiters.release(),

    async stop() {
      if (!started) return;
      started = false;
      waiters.release();
      await acceptor.idle();
      if (dispatches) await dispatcher.stop();
      await Promise.all([...connected.values()].map((provider) => provider.stop()));
      await reports.idle();
      await recorder.idle();
      await housekeeping.stop();
      // With the database away its heartbeat runs out instead.
      await forgetNode(db, node).catch((error: Error) =>
        log.warn({ error: error.message }, "this node could not sign off; the others forget it in a few seconds"),
      );
    },
  };
  const once = new OnceAcceptor({ db, clock, accept: orders.accept, acceptGroup: orders.acceptGroup });
  return Object.assign(orders, {
    acceptOnce: once.accept.bind(once),
    acceptGroupOnce: once.acceptGroup.bind(once),
    repeatOr: once.repeatOr.bind(once),
  });
}

/** An order dated by a wrong clock would stand in the wrong partition, and receipts older than it would not be believed. */
const CLOCK_WRONG = refusal(
  "provider_unavailable",
  "This gateway's clock is being set right, and nothing leaves meanwhile. This request was not carried out; send it again in a few seconds.",
  { retryAfterSeconds: 5 },
);

/** The order as the row is right after its acceptance with a lease. */
function acceptedOf(answer: Result<UnitAnswer>): Result<Accepted> {
  if (!answer.ok) return answer;
  const why = answer.value.refused.get(0) ?? answer.value.refused.get(-1);
  return ok(why ? { kind: "not_accepted", why } : { kind: "accepted" });
}

function freshOrder(order: NewOrder, leaseSeconds: number): Order {
  return {
    ...order,
    queue: queueOf(order.service, order.mode),
    groupId: null,
    version: 1,
    leaseEpoch: 1,
    leasedUntil: new Date(order.createdAt.getTime() + leaseSeconds * 1_000),
    attempt: 0,
    route: null,
    attemptReference: null,
    begunAt: null,
    ambiguousAt: null,
    tries: 0,
    notFoundAt: null,
    tried: [],
    pieces: null,
    facts: null,
    updatedAt: order.createdAt,
    endedAt: null,
    dueAt: order.dueAt,
  };
}
