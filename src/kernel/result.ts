import type { Refusal } from "./refusal.ts";

/** What a caller, a vendor or a money rule can bring about comes back as a value; only our own mistakes are thrown. */
export type Result<T, E = Refusal> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const refuse = <E>(error: E): Result<never, E> => ({ ok: false, error });

/** Throws when `condition` is false: a mistake of ours, never a caller's. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}
