import type { Refusal } from "./refusal.ts";

/** Outcomes caused by a caller, a vendor or a money rule are returned as values; only internal errors are thrown. */
export type Result<T, E = Refusal> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const refuse = <E>(error: E): Result<never, E> => ({ ok: false, error });

/** Throws if `condition` is false: an internal error, never a caller's. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}
