/**
 * The answer to a harmless question: one that moves nothing, costs nothing and vends nothing. Details are for the operator and
 * the log, and never the vendor's own words.
 */
export type ProbeAnswer =
  /** It answered as itself, and takes our keys. */
  | { readonly kind: "reached" }
  /** It answered, and does not let us in: a key, a password, an IP address. */
  | { readonly kind: "refused"; readonly detail: string }
  /** Nobody answered, or somebody else. */
  | { readonly kind: "not_reached"; readonly detail: string };

/** How a vendor is reached from this node. */
export interface Contact {
  /** `asking`: since the start there has been no answer, and no failure either. */
  readonly state: "asking" | ProbeAnswer["kind"];
  /** Why it is not reached, in words for the operator, without secrets. */
  readonly detail: string | null;
  /** Since when the state is what it is. */
  readonly since: Date;
  /** When it was last reached; null: never since the start. */
  readonly reachedAt: Date | null;
}
