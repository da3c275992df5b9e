import type { Change, Order } from "../../src/orders/order.ts";
import type { Agenda } from "./agenda.ts";
import type { Faults, Random } from "./random.ts";
import type { SimulatedStore } from "./store.ts";

/** An order in a node's memory. */
export interface Held {
  readonly order: Order;
  grantedAtMs: number;
  dropped: boolean;
}

export interface Node {
  readonly name: string;
  /** Raised by a crash: what the process had planned is gone. */
  life: number;
  /** Stands still, or is down, until then. */
  backAtMs: number;
  clockOffMs: number;
  held: Held | undefined;
}

/** Two processes with everything that can befall one: it dies, stands still, or its clock jumps. */
export interface Processes {
  readonly nodes: readonly Node[];
  /** By the node's own clock. */
  nowOf(node: Node): Date;
  /** The node stands still, and the first thing that it does then is `act`, unless it has died by then. */
  freeze(node: Node, act: () => void): void;
  /** What a process does next, unless it has died by then; a frozen one does it when it thaws. */
  later(node: Node, ms: number, act: () => void): void;
  /** Writes a change; false when it was decided on an old version or its lease is lost. */
  apply(node: Node, change: Change): boolean;
  /** As `Recorder.settle`: decided anew until it fits. A commit may succeed although the node never hears of it. */
  settle(node: Node, order: Order, decide: (order: Order) => Change | undefined, done: () => void): void;
}

export interface ProcessesOptions {
  readonly agenda: Agenda;
  readonly random: Random;
  readonly faults: Faults;
  readonly store: SimulatedStore;
  /** How far a node's clock may be wrong, either way. */
  readonly jumpMs: number;
  /** A node has written something, which others may have waited for. */
  readonly wrote: (node: Node) => void;
  readonly tell: (line: () => string) => void;
}

export const NODES = ["ada", "obi"] as const;

export function makeProcesses(options: ProcessesOptions): Processes {
  const { agenda, random, faults, store, jumpMs, wrote, tell } = options;
  const nodes = NODES.map((name): Node => ({ name, life: 0, backAtMs: 0, clockOffMs: 0, held: undefined }));

  const nowOf = (node: Node) => new Date(agenda.nowMs + node.clockOffMs);
  const isBack = (node: Node) => node.backAtMs <= agenda.nowMs;

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

  const standStill = (node: Node) => {
    node.backAtMs = agenda.nowMs + random.pick([10_000, 100_000, 700_000]);
    tell(() => `${node.name} stands still until ${new Date(node.backAtMs).toISOString()}`);
    if (node.held) node.held.dropped = true;
  };

  const freeze = (node: Node, act: () => void) => {
    standStill(node);
    const { life } = node;
    agenda.after(node.backAtMs - agenda.nowMs, () => {
      if (node.life === life) act();
    });
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
    if (faults.happens("freeze")) agenda.after(within, () => standStill(node));
    if (faults.happens("clock jump"))
      agenda.after(within, () => {
        node.clockOffMs = random.between(-jumpMs, jumpMs + 1);
        tell(() => `${node.name}'s clock is off by ${node.clockOffMs} ms`);
      });
  };

  const apply = (node: Node, change: Change): boolean => {
    const applied = store.apply(node.name, change, agenda.nowMs);
    tell(() => `${node.name} ${applied ? "records" : "is too late for"} ${toldOf(change)}`);
    wrote(node);
    return applied;
  };

  const settle: Processes["settle"] = (node, order, decide, done) => {
    const change = decide(order);
    if (change === undefined) done();
    else
      later(node, random.between(1, 30), () => {
        const applied = apply(node, change);
        if (applied && !faults.happens("database answer lost")) done();
        else later(node, random.between(1, 100), () => settle(node, store.read(), decide, done));
      });
  };

  return { nodes, nowOf, freeze, later, apply, settle };
}

/** For the teller of a history. */
const toldOf = ({ before, after, money, detail, dueAt, keepLease }: Change): string =>
  [
    before.state === after.state ? after.state : `${before.state} → ${after.state}`,
    `version ${after.version}, attempt ${after.attempt} at ${after.route ?? "no route"}`,
    after.pieces ? `parts ${after.pieces.map((piece) => piece.status).join(", ")}` : "no parts",
    money ?? "no money",
    keepLease ? "lease kept" : dueAt ? `due ${dueAt.toISOString()}` : "nothing due",
    detail ? JSON.stringify(detail) : "",
  ].join("; ");
