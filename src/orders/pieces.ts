import type { FailureCode } from "../kernel/failures.ts";
import type { Facts, Outcome } from "../ports/provider.ts";
import type { Piece } from "./order.ts";

/** What the answers to the pieces of an attempt mean for the order. */
export type Verdict =
  | { readonly kind: "accepted"; readonly facts?: Facts; readonly askAgainMs?: number; readonly incomplete?: true }
  | { readonly kind: "done"; readonly facts?: Facts }
  | {
      readonly kind: "rejected";
      readonly scope: "order" | "route";
      readonly code: FailureCode;
      readonly detail: string;
    }
  | { readonly kind: "part_refused"; readonly detail: string }
  | { readonly kind: "throttled"; readonly retryAfterMs: number; readonly detail: string }
  | { readonly kind: "unknown"; readonly detail: string; readonly isKnown?: true; readonly facts?: Facts }
  | { readonly kind: "not_found"; readonly detail: string }
  | { readonly kind: "reversed"; readonly detail: string };

/** Taken, and the vendor gave no reference. */
export const isUnnamed = (piece: Piece): boolean =>
  !isOpen(piece) && piece.status !== "refused" && piece.reference === undefined;

/** A piece that may still be sent: neither taken for certain, nor reported on. */
export const isOpen = (piece: Piece | undefined): boolean =>
  piece === undefined || piece.status === "open" || piece.status === "unheard" || piece.status === "unanswered";

/** Some piece was taken, or reported on. */
export const hasTakenPiece = (pieces: readonly Piece[] | null): boolean =>
  pieces?.some((piece) => !isOpen(piece) && piece.status !== "refused") ?? false;

/** A call whose outcome no node recorded may still reach the vendor: whatever is sent has the same reference, and a refusal of it proves nothing. */
export const mayHaveEarlierCall = (pieces: readonly Piece[] | null): boolean =>
  pieces?.some(({ status }) => status === "unheard") ?? false;

/** Whether this answer shows that the vendor has it, whatever becomes of it. */
export const showsIt = (said: { readonly kind: Outcome["kind"] | Verdict["kind"]; readonly isKnown?: true }): boolean =>
  said.kind === "accepted" || said.kind === "done" || said.isKnown === true;

/** The pieces of an attempt that its vendor does not find, although it has it by its own word. */
export const denied = (pieces: readonly Piece[] | null, at: Date): readonly Piece[] =>
  (pieces ?? []).map((piece) => ({ ...piece, denied_at: piece.denied_at ?? at.toISOString() }));

/** Since when the vendor contradicts itself so; undefined: it does not. */
export const deniedSince = (pieces: readonly Piece[] | null): string | undefined => pieces?.[0]?.denied_at;

/**
 * One verdict for the order from the answers to its pieces. If the first piece was not taken, its answer is the verdict. Otherwise
 * a refused piece ends the order, and unanswered or throttled ones are sent again alone. What is known of a piece is never
 * forgotten: an answer adds something only about an open one.
 * Shape: `outcomes[i]` is undefined where piece `i` was not sent this time (taken before, or not reached).
 */
export function settlePieces(
  before: readonly Piece[] | null,
  outcomes: readonly (Outcome | undefined)[],
): { readonly pieces: readonly Piece[]; readonly verdict: Verdict } {
  const pieces = Array.from({ length: Math.max(before?.length ?? 0, outcomes.length) }, (_, index): Piece => {
    const known = before?.[index];
    const outcome = outcomes[index];
    return outcome && isOpen(known) ? pieceAfter(outcome, known) : (known ?? { status: "open" });
  });
  const answers = outcomes.filter((outcome) => outcome !== undefined);
  const first = outcomes[0];
  if (first && first.kind !== "accepted" && first.kind !== "done" && isOpen(before?.[0]))
    return { pieces, verdict: first };

  const refused = answers.find((outcome) => outcome.kind === "rejected");
  if (refused) return { pieces, verdict: { kind: "part_refused", detail: refused.detail } };
  const unanswered = answers.find((outcome) => outcome.kind === "unknown");
  if (unanswered) return { pieces, verdict: { kind: "unknown", detail: unanswered.detail } };
  const throttled = answers.filter((outcome) => outcome.kind === "throttled");
  if (throttled.length > 0) {
    const retryAfterMs = Math.max(...throttled.map((outcome) => outcome.retryAfterMs));
    return { pieces, verdict: { kind: "throttled", retryAfterMs, detail: throttled[0]!.detail } };
  }
  if (pieces.some((piece) => isOpen(piece)))
    return { pieces, verdict: { kind: "unknown", detail: "An earlier part's answer was lost." } };
  const facts = Object.assign({}, ...answers.map((outcome) => ("facts" in outcome ? outcome.facts : {}))) as Facts;
  const learned = Object.keys(facts).length > 0 ? { facts } : {};
  if (answers.length > 0 && answers.every((outcome) => outcome.kind === "done"))
    return { pieces, verdict: { kind: "done", ...learned } };
  // These come with orders of one piece only.
  const { askAgainMs, incomplete } = answers.find((outcome) => outcome.kind === "accepted") ?? {};
  const beside = { ...(askAgainMs !== undefined && { askAgainMs }), ...(incomplete && { incomplete }) };
  return { pieces, verdict: { kind: "accepted", ...learned, ...beside } };
}

function pieceAfter(outcome: Outcome, known: Piece | undefined): Piece {
  switch (outcome.kind) {
    case "accepted":
    case "done":
      return {
        status: "taken",
        ...(outcome.providerReference === undefined ? {} : { reference: outcome.providerReference }),
      };
    case "rejected":
      return { status: "refused" };
    case "unknown":
      return { status: outcome.isKnown ? "taken" : "unanswered" };
    default:
      // That this call was not taken says nothing about an earlier one.
      return { status: known?.status === "unheard" ? "unheard" : "open" };
  }
}
