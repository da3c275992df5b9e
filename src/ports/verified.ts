/** The answer to the question whom a recipient belongs to, before anything is bought. */
export type Verified<Found> = FoundOrNot<Found> | Unavailable;

export type FoundOrNot<Found> =
  | ({ readonly kind: "found" } & Found)
  /** For certain no such recipient. */
  | { readonly kind: "not_found"; readonly detail: string };

/** It can't be told now; says nothing about the recipient. */
export interface Unavailable {
  readonly kind: "unavailable";
  /** For the log, so no words of the vendor's. */
  readonly detail: string;
}
