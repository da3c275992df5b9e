import type { Facts } from "../ports/provider.ts";
import type { Order, Piece } from "./order.ts";

/**
 * An order that goes on another way instead of failing keeps, among its facts, where its first way had come to: a vendor's word
 * on that may still come, and is judged by what was known of it.
 */
interface FirstWay {
  readonly attempt: number;
  readonly route: string | null;
  readonly attempt_reference: string | null;
  readonly pieces: readonly Piece[] | null;
  /** When it was left. */
  readonly left_at: string;
}

const kept = ({ facts }: Pick<Order, "facts">): FirstWay | undefined => facts?.first_way as FirstWay | undefined;

/** Since when the order goes on another way; undefined while it does not. */
export function goneOnSince({ facts }: Partial<Pick<Order, "facts">>): Date | undefined {
  const first = kept({ facts: facts ?? null });
  return first && new Date(first.left_at);
}

export const hasGoneOn = (order: Partial<Pick<Order, "facts">>): boolean => goneOnSince(order) !== undefined;

/** The facts of an order that leaves its first way as it stands there. */
export function leavingFirstWay({ attempt, route, attemptReference, pieces, facts }: Order, at: Date): Facts {
  const firstWay: FirstWay = {
    attempt,
    route,
    attempt_reference: attemptReference,
    pieces,
    left_at: at.toISOString(),
  };
  return { ...facts, first_way: firstWay };
}

/** The order as if it had stayed on its first way, where a word on this attempt is about that; else undefined. */
export function onFirstWay(order: Order, attempt: number): Order | undefined {
  const first = kept(order);
  if (!first || attempt > first.attempt) return undefined;
  const { first_way: _, ...facts } = order.facts ?? {};
  const { route, pieces } = first;
  return { ...order, attempt: first.attempt, route, attemptReference: first.attempt_reference, pieces, facts };
}

/** An order as if it had never been sent. */
export const NOT_SENT_YET = {
  route: null,
  attemptReference: null,
  begunAt: null,
  ambiguousAt: null,
  notFoundAt: null,
  tries: 0,
  tried: [],
  pieces: null,
} as const satisfies Partial<Order>;
