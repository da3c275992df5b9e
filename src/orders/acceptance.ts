import type { Clock } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { NewGroup, NewOrder, NotAccepted, UnitAnswer } from "./accept.repo.ts";
import type { Acceptor } from "./accept.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { type Order, queueOf } from "./order.ts";
import type { Begun } from "./worker.ts";

export type Accepted = { readonly kind: "accepted" } | { readonly kind: "not_accepted"; readonly why: NotAccepted };

export interface AcceptedGroup {
  /** Set when nothing of the group was accepted. */
  readonly whole: NotAccepted | undefined;
  /** By index: items whose reference another order has. */
  readonly items: ReadonlyMap<number, NotAccepted>;
}

export interface AcceptanceOptions {
  readonly acceptor: Acceptor;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly leaseSeconds: number;
  readonly isClockRight: () => boolean;
}

/** Takes new orders in: begun in the same commit, into this node's memory, or as rows that are due. */
export class Acceptance {
  readonly #options: AcceptanceOptions;

  constructor(options: AcceptanceOptions) {
    this.#options = options;
  }

  async accept(order: NewOrder): Promise<Result<Accepted>> {
    if (!this.#options.isClockRight()) return refuse(CLOCK_WRONG);
    const begun = order.state === "scheduled" ? undefined : await this.#acceptBegun(order);
    return begun ? acceptedOf(begun) : this.#acceptQueued(order);
  }

  /** Accepts an order that can leave at once, with its begin in the same commit. Undefined: it can't, and nothing was done. */
  async #acceptBegun(order: NewOrder): Promise<Result<UnitAnswer> | undefined> {
    const departure = await this.#options.dispatcher.prepareNew(freshOrder(order, this.#options.leaseSeconds));
    if (!departure) return undefined;
    try {
      const answer = await this.#options.acceptor.accept({ orders: [order], leased: true, begin: departure.begin });
      void this.#options.dispatcher.run(departure, begunBy(answer));
      return answer;
    } catch (error) {
      this.#options.dispatcher.giveUp(departure, error);
      return undefined;
    }
  }

  /** Accepts an order that leaves later: from this node's memory if it has room, else from its row. */
  async #acceptQueued(order: NewOrder): Promise<Result<Accepted>> {
    const { clock, leaseSeconds } = this.#options;
    const queue = queueOf(order.service, order.mode);
    const leased = order.state !== "scheduled" && this.#options.dispatcher.reserve(queue, 1);
    const leasedAtMs = clock.monotonicMs();
    let handedOver: readonly Order[] = [];
    try {
      const accepted = acceptedOf(await this.#options.acceptor.accept({ orders: [order], leased }));
      if (accepted.ok && accepted.value.kind === "accepted") handedOver = [freshOrder(order, leaseSeconds)];
      return accepted;
    } finally {
      // Accepted or not, its place in memory is filled or free again.
      if (leased) this.#options.dispatcher.handOver(queue, 1, handedOver, leasedAtMs);
    }
  }

  async acceptGroup(group: NewGroup, orders: readonly NewOrder[], gone?: AbortSignal): Promise<Result<AcceptedGroup>> {
    if (!this.#options.isClockRight()) return refuse(CLOCK_WRONG);
    // A bulk is drained from its rows, in fair turns, rather than from this node's memory.
    const answer = await this.#options.acceptor.accept({ orders, group, leased: false, ...(gone && { gone }) });
    if (!answer.ok) return answer;
    this.#options.dispatcher.wake();
    return ok({ whole: answer.value.refused.get(-1), items: answer.value.refused });
  }
}

/** What an acceptance says of the begin that was in it. */
function begunBy(answer: Result<UnitAnswer>): Begun {
  if (!answer.ok) return answer.error.code === "acceptance_unknown" ? "unanswered" : "no";
  return answer.value.begun ? "yes" : "no";
}

/** An order dated by a wrong clock would be stored in the wrong partition, and receipts dated before it would be ignored. */
const CLOCK_WRONG = refusal(
  "provider_unavailable",
  "This gateway's clock is being set right, and nothing leaves meanwhile. This request was not carried out; send it again in a few seconds.",
  { retryAfterSeconds: 5 },
);

function acceptedOf(answer: Result<UnitAnswer>): Result<Accepted> {
  if (!answer.ok) return answer;
  const why = answer.value.refused.get(0) ?? answer.value.refused.get(-1);
  return ok(why ? { kind: "not_accepted", why } : { kind: "accepted" });
}

/** The order as its row is right after an acceptance with a lease. */
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
    failedAt: null,
    tried: [],
    pieces: null,
    facts: null,
    updatedAt: order.createdAt,
    endedAt: null,
    dueAt: order.dueAt,
  };
}
