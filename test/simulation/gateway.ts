import {
  type Answered,
  decideBegin,
  decideDue,
  decideLateOutcome,
  decideOutcome,
  decideRequery,
  nextAttempt,
  transition,
} from "../../src/orders/decide.ts";
import { decideReport } from "../../src/orders/decide-report.ts";
import type { Change, Order } from "../../src/orders/order.ts";
import { isOpen } from "../../src/orders/pieces.ts";
import { guessAmbiguous } from "../../src/orders/reports.ts";
import type { ServiceDefinition } from "../../src/orders/service-definition.ts";
import { stepFor } from "../../src/orders/steps.ts";
import type { Outcome, ProviderReport } from "../../src/providers/provider.ts";
import type { Agenda } from "./agenda.ts";
import type { Promises } from "./promises.ts";
import type { Faults, Random } from "./random.ts";
import { LEASE_MS, type SimulatedStore } from "./store.ts";
import type { SentRequest, SimulatedVendors } from "./vendor.ts";

/**
 * Two nodes that do with an order what dispatcher.ts, recorder.ts, reports.ts and housekeeping.ts do, on the same pure
 * decisions, but in simulated time and with everything that can befall a process in between.
 */
export interface SimulatedGateway {
  /** A node looks for the order where it is due. */
  poll(): void;
  /** The subscriber wants it cancelled. */
  cancel(): void;
  /** When a node will look next; undefined when there is nothing to look at. */
  readonly nextMs: number | undefined;
  /** The accepting node takes the order along. */
  handOver(order: Order): void;
  report(route: string, report: ProviderReport): void;
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

interface Held {
  readonly order: Order;
  grantedAtMs: number;
  dropped: boolean;
}

interface Node {
  readonly name: string;
  /** Raised by a crash: what the process had planned is gone. */
  life: number;
  /** Stands still, or is down, until then. */
  backAtMs: number;
  clockOffMs: number;
  held: Held | undefined;
}

interface Parked {
  readonly route: string;
  readonly report: ProviderReport;
}

export const NODES = ["ada", "obi"] as const;

export function makeGateway(options: GatewayOptions): SimulatedGateway {
  const { service, agenda, random, faults, store, vendors, promises, routes, pieceCount, jumpMs, tell } = options;
  const nodes = NODES.map((name): Node => ({ name, life: 0, backAtMs: 0, clockOffMs: 0, held: undefined }));
  let parked: Parked[] = [];
  let pollDelayMs = 0;

  const nowOf = (node: Node) => new Date(agenda.nowMs + node.clockOffMs);
  const isBack = (node: Node) => node.backAtMs <= agenda.nowMs;

  /** What a process does next, unless it has died by then; a frozen one does it when it thaws. */
  const later = (node: Node, ms: number, act: () => void) => {
    befall(node, ms);
    const { life } = node;
    const run = () => {
      if (node.life !== life) return;
      if (isBack(node)) act();
      else agenda.after(node.backAtMs - agenda.nowMs, run);
    };
    agenda.after(ms, run);
  };

  /** Misfortune within the next step. */
  const befall = (node: Node, ms: number) => {
    const within = random.between(0, ms + 1);
    if (faults.happens("crash"))
      agenda.after(within, () => {
        tell(() => `${node.name} DIES`);
        node.life += 1;
        node.backAtMs = agenda.nowMs + random.pick([1, 1_000, 300_000]);
        node.held = undefined;
      });
    if (faults.happens("freeze"))
      agenda.after(within, () => {
        node.backAtMs = agenda.nowMs + random.pick([10_000, 100_000, 700_000]);
        tell(() => `${node.name} stands still until ${new Date(node.backAtMs).toISOString()}`);
        if (node.held) node.held.dropped = true;
      });
    if (faults.happens("clock jump"))
      agenda.after(within, () => {
        node.clockOffMs = random.between(-jumpMs, jumpMs + 1);
        tell(() => `${node.name}'s clock is off by ${node.clockOffMs} ms`);
      });
  };

  const apply = (node: Node, change: Change): boolean => {
    const applied = store.apply(node.name, change, agenda.nowMs);
    tell(() => `${node.name} ${applied ? "records" : "is too late for"} ${toldOf(change)}`);
    replayParked(node);
    return applied;
  };

  /** As `Recorder.settle`: decided anew until it fits. A commit may succeed although the node never hears of it. */
  const settle = (node: Node, order: Order, decide: (order: Order) => Change | undefined, done: () => void) => {
    const change = decide(order);
    if (change === undefined) done();
    else
      later(node, random.between(1, 30), () => {
        const applied = apply(node, change);
        if (applied && !faults.happens("database answer lost")) done();
        else later(node, random.between(1, 100), () => settle(node, store.read(), decide, done));
      });
  };

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
      send(node, held, order, route, attempt, begunAt);
      return;
    }
    const change = decideBegin(service, order, route, pieceCount, begunAt);
    later(node, random.between(1, 30), () => {
      if (apply(node, change))
        later(node, random.between(0, 5), () => send(node, held, change.after, route, attempt, begunAt));
      else letGo(node, held);
    });
  };

  /** Whether the lease under which the order was sent still stands. */
  const isOurs = (current: Order, sent: Order) =>
    current.leaseEpoch === sent.leaseEpoch && current.leasedUntil !== null;

  const isPinned = (order: Order) =>
    order.route !== null && (order.pieces !== null || order.ambiguousAt !== null || order.begunAt !== null);

  const routeFor = (order: Order): string | undefined =>
    isPinned(order) ? order.route! : routes.find((route) => !order.tried.includes(route));

  const moreRoutes = (order: Order, route: string) =>
    routes.some((other) => other !== route && !order.tried.includes(other));

  /** As `sendPieces`: the first piece alone, then the others together. */
  const send = (node: Node, held: Held, order: Order, route: string, attempt: number, begunAt: Date) => {
    const before = attempt === order.attempt ? order.pieces : null;
    const outcomes: (Outcome | undefined)[] = Array.from({ length: pieceCount }, () => undefined);
    const requests = outcomes.map((_, piece): SentRequest => ({ route, attempt, piece }));
    const written = new Set<number>();
    const record = () => {
      let wasOurs = false;
      const answered: Answered = { route, attempt, begunAt, outcomes, moreRoutes: moreRoutes(order, route) };
      settle(
        node,
        order,
        (current) => {
          wasOurs = isOurs(current, order);
          return (wasOurs ? decideOutcome : decideLateOutcome)(service, current, answered, nowOf(node));
        },
        () => {
          if (wasOurs)
            for (const [piece, outcome] of outcomes.entries())
              if (outcome && written.has(piece)) promises.recorded(requests[piece]!, outcome.kind);
          letGo(node, held);
        },
      );
    };
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
      vendors.send(requests[piece]!, answer);
    };
    const sendRest = () => {
      const open = requests.filter(({ piece }) => piece > 0 && isOpen(before?.[piece]));
      let waiting = open.length;
      if (waiting === 0) return record();
      for (const { piece } of open)
        sendOne(piece, () => {
          waiting -= 1;
          if (waiting === 0) record();
        });
    };
    if (!isOpen(before?.[0])) return sendRest();
    sendOne(0, () => (outcomes[0]?.kind === "accepted" || outcomes[0]?.kind === "done" ? sendRest() : record()));
  };

  const requery = (node: Node, held: Held, order: Order, route: string) => {
    tell(() => `${node.name} asks ${route} about attempt ${order.attempt}`);
    vendors.requery({ route, attempt: order.attempt }, (outcome) =>
      later(node, 0, () => {
        tell(() => `${node.name} hears of attempt ${order.attempt}: ${outcome.kind}`);
        settle(
          node,
          order,
          (current) =>
            isOurs(current, order)
              ? decideRequery(service, current, outcome, moreRoutes(current, route), nowOf(node))
              : undefined,
          () => letGo(node, held),
        );
      }),
    );
  };

  /** As `Reports`: by its reference, else by what it echoes, else parked until its order can be known. */
  const match = ({ route, report }: Parked) => {
    const order = store.read();
    const known = store.references.get(`${route} ${report.providerReference}`);
    if (known) return { order, match: { attempt: known.attempt, piece: known.piece }, learned: undefined };
    if (order.ambiguousAt === null || order.endedAt !== null) return undefined;
    return guessAmbiguous({ route, report }, [order]);
  };

  const meet = (node: Node, arrived: Parked, done: () => void) => {
    const met = match(arrived);
    if (met === undefined) {
      parked.push(arrived);
      done();
      return;
    }
    let decided: Change | undefined;
    settle(
      node,
      met.order,
      (order) => {
        decided = decideReport(service, order, arrived.report, met.match, nowOf(node));
        return decided && met.learned ? { ...decided, references: [...decided.references, met.learned] } : decided;
      },
      () => {
        if (decided) promises.reported(decided.before, decided.after, arrived.report, met.match);
        done();
      },
    );
  };

  const replayParked = (node: Node) => {
    const waiting = parked.filter((one) => match(one) !== undefined);
    if (waiting.length === 0) return;
    parked = parked.filter((one) => !waiting.includes(one));
    for (const one of waiting) arrive(node, one);
  };

  /** A vendor repeats a report until it is acknowledged, and that is after the commit. */
  const arrive = (node: Node, arrived: Parked) => {
    let acknowledged = false;
    const take = () => meet(node, arrived, () => (acknowledged = true));
    later(node, random.between(0, 5), take);
    agenda.after(1_000_000, () => {
      if (!acknowledged) arrive(random.pick(nodes), arrived);
    });
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

  return {
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
    report: (route, report) => arrive(random.pick(nodes), { route, report }),
  };
}

const toldOf = ({ before, after, money, detail, dueAt, keepLease }: Change): string =>
  [
    before.state === after.state ? after.state : `${before.state} → ${after.state}`,
    `version ${after.version}, attempt ${after.attempt} at ${after.route ?? "no route"}`,
    after.pieces ? `parts ${after.pieces.map((piece) => piece.status).join(", ")}` : "no parts",
    money ?? "no money",
    keepLease ? "lease kept" : dueAt ? `due ${dueAt.toISOString()}` : "nothing due",
    detail ? JSON.stringify(detail) : "",
  ].join("; ");
