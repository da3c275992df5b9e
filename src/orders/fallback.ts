import type { Facts } from "../ports/provider.ts";
import type { Order, Piece } from "./order.ts";

/**
 * An order that goes on by its fallback instead of failing. Its facts keep the attempt that was given up: reports on that may still
 * come, and are judged by what was known of it.
 */
interface GivenUp {
  readonly attempt: number;
  readonly route: string | null;
  readonly attempt_reference: string | null;
  readonly pieces: readonly Piece[] | null;
  /** When the order went on by its fallback. */
  readonly left_at: string;
}

const kept = ({ facts }: Pick<Order, "facts">): GivenUp | undefined => facts?.first_way as GivenUp | undefined;

/** Since when the order goes by its fallback; undefined if it does not. */
export function fellBackAt({ facts }: Partial<Pick<Order, "facts">>): Date | undefined {
  const givenUp = kept({ facts: facts ?? null });
  return givenUp && new Date(givenUp.left_at);
}

export const hasFallenBack = (order: Partial<Pick<Order, "facts">>): boolean => fellBackAt(order) !== undefined;

/** The facts of an order that goes on by its fallback from here. */
export function factsAfterFallback({ attempt, route, attemptReference, pieces, facts }: Order, at: Date): Facts {
  const givenUp: GivenUp = {
    attempt,
    route,
    attempt_reference: attemptReference,
    pieces,
    left_at: at.toISOString(),
  };
  return { ...facts, first_way: givenUp };
}

/** The order without its fallback, if this attempt was made before that; else undefined. */
export function beforeFallback(order: Order, attempt: number): Order | undefined {
  const givenUp = kept(order);
  if (!givenUp || attempt > givenUp.attempt) return undefined;
  const { first_way: _, ...facts } = order.facts ?? {};
  const { route, pieces } = givenUp;
  return { ...order, attempt: givenUp.attempt, route, attemptReference: givenUp.attempt_reference, pieces, facts };
}

/** An order as if it had never been sent. */
export const NOT_SENT_YET = {
  route: null,
  attemptReference: null,
  begunAt: null,
  ambiguousAt: null,
  notFoundAt: null,
  failedAt: null,
  tries: 0,
  tried: [],
  pieces: null,
} as const satisfies Partial<Order>;
