import type { NodeRoute } from "../orders/nodes.repo.ts";

/** Human-readable: whether orders can reach a vendor, as the live nodes report their routes. */
export function connectionText(reported: readonly NodeRoute[]): string {
  if (reported.length === 0) return "no node is running";
  const ready = reported.filter((node) => node.ready);
  const troubles = reported
    .filter((node) => !node.ready || node.detail !== null)
    .map(({ ready, since, detail }) =>
      ready ? detail! : `not connected since ${since.toISOString()}${detail === null ? "" : `: ${detail}`}`,
    );
  // The oldest trouble first, as the repository sorts them; identical reports from several nodes appear once.
  const [first, ...more] = new Set(troubles);
  const count = `ready on ${ready.length} of ${reported.length} nodes`;
  return [
    ...(ready.length > 0 || reported.length > 1 ? [count] : []),
    ...(first === undefined ? [] : [first]),
    ...(more.length > 0 ? [`and ${more.length} more`] : []),
  ].join("; ");
}

/** At least one node has the route, and all that have it are connected. */
export const isConnected = (reported: readonly NodeRoute[]): boolean =>
  reported.length > 0 && reported.every(({ ready }) => ready);

/** A vendor that was never reached isn't ready; the state `asking` lasts at most ten seconds after a node's start. */
export type ContactState = "never_reached" | "reached" | "refused" | "not_reached";

/** A vendor's contact over all nodes: the worst state, as its orders may go through any node. */
export interface VendorContact {
  readonly state: ContactState;
  readonly detail: string | null;
  readonly since: Date;
  /** When any node last reached it; null: never. */
  readonly reachedAt: Date | null;
  readonly isAsking: boolean;
}

const WORST_FIRST = ["refused", "not_reached", "asking", "reached"] as const;

/** Null while no node reports about it. */
export function contactOf(reported: readonly NodeRoute[]): VendorContact | null {
  for (const contact of WORST_FIRST) {
    const one = reported.find((node) => node.contact === contact);
    if (!one) continue;
    const { reachedAt, detail, since } = one;
    const isReachedBefore = contact === "asking" || contact === "not_reached";
    const state = isReachedBefore ? (reachedAt === null ? "never_reached" : "not_reached") : contact;
    return { state, detail: contact === "reached" ? null : detail, since, reachedAt, isAsking: contact === "asking" };
  }
  return null;
}

export function contactText({ state, detail, since, reachedAt, isAsking }: VendorContact): string {
  const last = reachedAt === null ? "" : `; last reached ${reachedAt.toISOString()}`;
  const why = detail === null ? "" : `: ${detail}`;
  if (state === "reached") return `reached, last at ${(reachedAt ?? since).toISOString()}`;
  if (isAsking)
    return `${state === "never_reached" ? "never reached so far" : "not reached yet"}: it is being asked${last}`;
  if (state === "refused") return `refused since ${since.toISOString()}${why}${last}`;
  return state === "never_reached"
    ? `never reached, asked since ${since.toISOString()}${why}`
    : `not reached since ${since.toISOString()}${why}${last}`;
}

/** For `--json`. */
export const contactView = (contact: VendorContact | null) =>
  contact && {
    state: contact.state,
    detail: contact.detail,
    since: contact.since.toISOString(),
    reached_at: contact.reachedAt?.toISOString() ?? null,
  };
