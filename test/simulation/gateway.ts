import { nextAttempt } from "../../src/orders/attempt.ts";
import { type Answered, decideBegin, decideOutcome } from "../../src/orders/decide.ts";
import { decideDue } from "../../src/orders/decide-due.ts";
import { decideLateOutcome, isStillHeld, leftOpen } from "../../src/orders/decide-late.ts";
import { decideRequery } from "../../src/orders/decide-requery.ts";
import type { Change, Order } from "../../src/orders/order.ts";
import { isOpen } from "../../src/orders/pieces.ts";
import { BEGIN_UNANSWERED, notSent } from "../../src/orders/provider-task.ts";
import type { HintMet } from "../../src/orders/reports.repo.ts";
import { decideResolved } from "../../src/orders/resolve.ts";
import type { ServiceDefinition } from "../../src/orders/service-definition.ts";
import { isFinal, stepFor } from "../../src/orders/steps.ts";
import { transition } from "../../src/orders/transition.ts";
import type { Outcome, ProviderReport } from "../../src/ports/provider.ts";
import type { Agenda } from "./agenda.ts";
import { type Held, makeProcesses, type Node } from "./processes.ts";
import type { Promises } from "./promises.ts";
import type { Faults, Random } from "./random.ts";
import { makeSimulatedReports, REPEATED_AFTER_MS } from "./reporting.ts";
import { LEASE_MS, type SimulatedStore } from "./store.ts";
import type { SentRequest, SimulatedVendors } from "./vendor.ts";

/**
 * Two nodes that do with an order what dispatcher.ts, recorder.ts, reports.ts and housekeeping.ts do, on the same pure
 * decisions, but in simulated time and with everything that can befall a process in between.
 */
export interface SimulatedGateway {
  /** A node looks for the order where it is due. */
  poll(): void;
  /** A vendor has forgotten what it took: a person will end the order. */
  resolve(): void;
  /** The subscriber wants it cancelled. */
  cancel(): void;
  /** When a node will look next; undefined when there is nothing to look at. */
  readonly nextMs: number | undefined;
  /** The accepting node takes the order along. */
  handOver(order: Order): void;
  report(route: string, report: ProviderReport): void;
  /** A callback that can't be verified. Repeated until a node has it in the database; `met`: what it met there. */
  hint(ours: string, met: (what: HintMet) => void): void;
}

export interface GatewayOptions {
  readonly service: ServiceDefinition;
  readonly agenda: Agenda;
  readonly random: Random;
  readonly faults: Faults;
  readonly store: SimulatedStore;
  readonly vendors: SimulatedVendors;
  readonly promises: Promises;
  readonly routes: readonly string[];
  readonly pieceCount: number;
  /** How far a node's clock may be wrong, either way. */
  readonly jumpMs: number;
  readonly tell: (line: () => string) => void;
}

type Attempt = Pick<Answered, "route" | "attempt" | "attemptReference" | "begunAt">;

/** Until an operator looks again. */
const ASKED_AGAIN_MS = 6 * 3_600_000;

export function makeGateway(options: GatewayOptions): SimulatedGateway {
  const { service, agenda, random, faults, store, vendors, promises, routes, pieceCount, tell } = options;
  const processes = makeProcesses({ ...options, wrote: (node) => reports.replay(node) });
  const { nodes, nowOf, later, apply, settle } = processes;
  const reports = makeSimulatedReports({ ...options, processes });
  let pollDelayMs = 0;
  let made = 0;

  const letGo = (node: Node, held: Held) => {
    if (node.held === held) node.held = undefined;
  };

  const take = (node: Node, order: Order) => {
    const held: Held = { order, grantedAtMs: agenda.nowMs, dropped: false };
    node.held = held;
    const renew = () => {
      if (node.held !== held || held.dropped) return;
      const askedAtMs = agenda.nowMs;
      if (!faults.happens("lease not renewed")) {
        if (store.renew(node.name, order.leaseEpoch, agenda.nowMs)) held.grantedAtMs = askedAtMs;
        else held.dropped = true;
      }
      later(node, LEASE_MS / 4, renew);
    };
    later(node, LEASE_MS / 4, renew);
    later(node, random.between(0, 20), () => work(node, held, order));
  };

  const mayStillSend = (held: Held) => !held.dropped && agenda.nowMs < held.grantedAtMs + LEASE_MS / 2;

  /** As `Dispatcher.work`. */
  const work = (node: Node, held: Held, order: Order) => {
    const due = decideDue(service, order, nowOf(node));
    const route = routeFor(order);
    if (!mayStillSend(held)) letGo(node, held);
    else if (due.kind === "change") carryOut(node, held, due.change);
    else if (route === undefined) {
      store.release(node.name, order.leaseEpoch, nowOf(node).getTime() + 1_000);
      letGo(node, held);
    } else if (due.kind === "requery") requery(node, held, order, route);
    else begin(node, held, order, route);
  };

  const carryOut = (node: Node, held: Held, change: Change) =>
    later(node, random.between(1, 30), () => {
      if (apply(node, change) && change.keepLease) work(node, held, change.after);
      else letGo(node, held);
    });

  /** `retry` saves the commit before the call; everything else is marked first. */
  const begin = (node: Node, held: Held, order: Order, route: string) => {
    const attempt = nextAttempt(order);
    const begunAt = nowOf(node);
    if (order.ambiguity === "retry") {
      send(node, held, order, route, attempt, begunAt, null);
      return;
    }
    // Another one each time: a vendor that were asked by one that is made again would know nothing.
    const isNew = order.ambiguity === "requery" && attempt !== order.attempt;
    const ours = isNew ? `ours-${++made}` : order.attemptReference;
    const change = decideBegin({ service, order, route, pieceCount, at: begunAt, attemptReference: ours });
    later(node, random.between(1, 30), () => {
      if (faults.happens("begin not answered")) leaveUnsent(node, held, change);
      else if (apply(node, change))
        later(node, random.between(0, 5), () => send(node, held, change.after, route, attempt, begunAt, ours));
      else letGo(node, held);
    });
  };

  /** The database broke off, before it committed the begin or after, and is away for longer than a lease perhaps. */
  const leaveUnsent = (node: Node, held: Held, begun: Change) => {
    if (random.chance(0.5)) apply(node, begun);
    const { before, after } = begun;
    const attempt: Attempt = {
      route: after.route!,
      attempt: after.attempt,
      attemptReference: after.attemptReference,
      begunAt: after.begunAt!,
    };
    const outcomes = notSent(after.attempt === before.attempt ? before.pieces : null, BEGIN_UNANSWERED);
    later(node, random.pick([50, 1_000, 2 * LEASE_MS]), () =>
      record(node, held, after, attempt, outcomes, () => {}, "own begin"),
    );
  };

  const isPinned = (order: Order) =>
    order.route !== null &&
    (order.pieces !== null || order.ambiguousAt !== null || order.begunAt !== null || order.endedAt !== null);

  const routeFor = (order: Order): string | undefined =>
    isPinned(order) ? order.route! : routes.find((route) => !order.tried.includes(route));

  const moreRoutes = (order: Order, route: string) =>
    routes.some((other) => other !== route && !order.tried.includes(other));

  /** As `sendPieces`: the first piece alone, then the others together. */
  const send = (
    node: Node,
    held: Held,
    order: Order,
    route: string,
    attempt: number,
    begunAt: Date,
    ours: string | null,
  ) => {
    const before = attempt === order.attempt ? order.pieces : null;
    const outcomes: (Outcome | undefined)[] = Array.from({ length: pieceCount }, () => undefined);
    const requests = outcomes.map((_, piece): SentRequest => ({ route, attempt, piece, ours }));
    const written = new Set<number>();
    const answered = () =>
      record(node, held, order, { route, attempt, attemptReference: ours, begunAt }, outcomes, () => {
        for (const [piece, outcome] of outcomes.entries())
          if (outcome && written.has(piece)) promises.recorded(requests[piece]!, outcome.kind);
      });
    const sendOne = (piece: number, then: () => void) => {
      const answer = (outcome: Outcome) =>
        later(node, 0, () => {
          tell(() => `${node.name} hears of attempt ${attempt} part ${piece}: ${outcome.kind}`);
          outcomes[piece] = outcome;
          then();
        });
      if (!mayStillSend(held)) return answer({ kind: "throttled", retryAfterMs: 0, detail: "the lease has run out" });
      tell(() => `${node.name} sends attempt ${attempt} part ${piece} to ${route}`);
      written.add(piece);
      promises.sending(order, requests[piece]!);
      const write = () => vendors.send(requests[piece]!, answer);
      if (order.ambiguity === "requery" && faults.happens("freeze before it is written"))
        processes.freeze(node, () => {
          if (promises.isExcused(store.read(), requests[piece]!)) vendors.excuse(ours!);
          write();
        });
      else write();
    };
    const sendRest = () => {
      const open = requests.filter(({ piece }) => piece > 0 && isOpen(before?.[piece]));
      let waiting = open.length;
      if (waiting === 0) return answered();
      for (const { piece } of open)
        sendOne(piece, () => {
          waiting -= 1;
          if (waiting === 0) answered();
        });
    };
    if (!isOpen(before?.[0])) return sendRest();
    sendOne(0, () => (outcomes[0]?.kind === "accepted" || outcomes[0]?.kind === "done" ? sendRest() : answered()));
  };

  /** `needs`: of a record that is built on `order` itself. */
  const record = (
    node: Node,
    held: Held,
    order: Order,
    attempt: Attempt,
    outcomes: Answered["outcomes"],
    recordedOurs: () => void,
    needs?: Change["needs"],
  ) => {
    const answered: Answered = { ...attempt, outcomes, moreRoutes: moreRoutes(order, attempt.route) };
    let wasOurs = false;
    let met = order;
    settle(
      node,
      order,
      (current) => {
        met = current;
        wasOurs = isStillHeld(current, order);
        const change = (wasOurs ? decideOutcome : decideLateOutcome)(service, current, answered, nowOf(node));
        return needs && current === order ? { ...change, needs } : change;
      },
      () => {
        if (wasOurs) recordedOurs();
        // Of one that was left by then it is too late.
        if (store.read().attempt === attempt.attempt)
          for (const outcome of outcomes) if (outcome) promises.heard(attempt.attemptReference, outcome);
        if (!wasOurs) for (const { reference } of leftOpen(met, store.read(), answered)) hint(reference, () => {});
        letGo(node, held);
      },
    );
  };

  const requery = (node: Node, held: Held, order: Order, route: string) => {
    tell(() => `${node.name} asks ${route} about attempt ${order.attempt}`);
    promises.asking(order, route);
    vendors.requery({ route, attempt: order.attempt, ours: order.attemptReference }, (outcome) =>
      later(node, 0, () => {
        tell(() => `${node.name} hears of attempt ${order.attempt}: ${outcome.kind}`);
        settle(
          node,
          order,
          (current) =>
            isStillHeld(current, order)
              ? decideRequery({
                  service,
                  order: current,
                  outcome,
                  moreRoutes: moreRoutes(current, route),
                  at: nowOf(node),
                })
              : undefined,
          () => {
            promises.heard(order.attemptReference, outcome);
            letGo(node, held);
          },
        );
      }),
    );
  };

  /** What an operator does with a case: asks the vendor's people, who know, and ends the order with their words. */
  const resolve = () => {
    const order = store.read();
    const take = vendors.takes.findLast(({ ours }) => ours === order.attemptReference);
    if (!take?.forgotten || isFinal(service.table, order.state)) return;
    const as = take.word === "successful" ? "successful" : "failed";
    const resolved =
      take.word === "pending" ? undefined : decideResolved(service, order, { as, proof: "by phone" }, nowOf(nodes[0]!));
    const isDone = resolved?.ok && apply(nodes[0]!, resolved.value);
    tell(() => `the operator ${isDone ? `ends it as ${as}` : "will try again"}`);
    if (!isDone) agenda.after(ASKED_AGAIN_MS, resolve);
  };

  const cancel = (node: Node) => {
    const order = store.read();
    const isHeld = order.leasedUntil !== null && order.leasedUntil > nowOf(node);
    const mayHaveLeft = order.ambiguousAt !== null || order.pieces !== null || order.begunAt !== null;
    if (!stepFor(service.table, order.state, "cancelled") || isHeld || mayHaveLeft) return;
    later(node, 2, () => apply(node, transition(service, order, "cancelled", { at: nowOf(node) })));
  };

  /** As `Housekeeping.endOverdue`: what time alone has decided, without a claim. */
  const endOverdue = (node: Node) => {
    const order = store.read();
    const now = nowOf(node);
    const isHeld = order.leasedUntil !== null && order.leasedUntil.getTime() >= agenda.nowMs;
    if (store.dueMs === undefined || store.dueMs > now.getTime() || isHeld) return;
    if (!(order.expiresAt !== null && order.expiresAt <= now) && order.ambiguousAt === null) return;
    const due = decideDue(service, order, now);
    if (due.kind === "change" && !due.change.keepLease) later(node, 2, () => apply(node, due.change));
  };

  const nextPoll = (): { readonly node: Node; readonly atMs: number } | undefined => {
    const { dueMs, leasedUntilMs } = store;
    if (dueMs === undefined) return undefined;
    const polls = nodes
      .filter((node) => node.held === undefined)
      .map((node) => ({
        node,
        atMs: Math.max(agenda.nowMs, dueMs - node.clockOffMs, (leasedUntilMs ?? 0) + 1, node.backAtMs) + pollDelayMs,
      }));
    return polls.toSorted((a, b) => a.atMs - b.atMs)[0];
  };

  const hint: SimulatedGateway["hint"] = (ours, met) => {
    let acknowledged = false;
    later(random.pick(nodes), random.between(0, 5), () => {
      acknowledged = true;
      const what = store.hint(ours, agenda.nowMs);
      tell(() => `a callback names ${ours}: ${what}`);
      met(what);
    });
    agenda.after(REPEATED_AFTER_MS, () => {
      if (!acknowledged) hint(ours, met);
    });
  };

  return {
    resolve: () => agenda.after(ASKED_AGAIN_MS, resolve),
    get nextMs() {
      return nextPoll()?.atMs;
    },
    poll() {
      const node = nextPoll()?.node;
      if (node === undefined) return;
      pollDelayMs = random.between(0, 100);
      if (faults.happens("swept while overdue")) {
        endOverdue(random.pick(nodes));
        return;
      }
      const order = store.claim(node.name, agenda.nowMs, nowOf(node).getTime());
      if (order !== undefined) {
        tell(() => `${node.name} claims it (${order.state}, epoch ${order.leaseEpoch})`);
        take(node, order);
      }
    },
    cancel: () => cancel(random.pick(nodes)),
    handOver: (order) => take(nodes[0]!, order),
    report: (route, report) => reports.arrive(random.pick(nodes), { route, report }),
    hint,
  };
}
