import type { NodeRoute } from "../orders/nodes.repo.ts";

/** In words for people: whether orders can reach a vendor, by what the living nodes say of their route to it. */
export function connectionText(told: readonly NodeRoute[]): string {
  if (told.length === 0) return "no node is running";
  const ready = told.filter((node) => node.ready);
  const troubles = told
    .filter((node) => !node.ready || node.detail !== null)
    .map(({ ready, since, detail }) =>
      ready ? detail! : `not connected since ${since.toISOString()}${detail === null ? "" : `: ${detail}`}`,
    );
  // The longest trouble first, as the repository sorts them; a dozen nodes that say the same say it once.
  const [first, ...more] = new Set(troubles);
  const count = `ready on ${ready.length} of ${told.length} nodes`;
  return [
    ...(ready.length > 0 || told.length > 1 ? [count] : []),
    ...(first === undefined ? [] : [first]),
    ...(more.length > 0 ? [`and ${more.length} more`] : []),
  ].join("; ");
}

/** Every node that has the route is connected, and there is one. */
export const isConnected = (told: readonly NodeRoute[]): boolean => told.length > 0 && told.every(({ ready }) => ready);

/** A vendor that was never reached isn't ready; `asking` ends within ten seconds of a node's start. */
export type ContactState = "never_reached" | "reached" | "refused" | "not_reached";

/** What all nodes together know of how a vendor is reached: the worst, as its orders may go to any of them. */
export interface VendorContact {
  readonly state: ContactState;
  readonly detail: string | null;
  readonly since: Date;
  /** When any node last reached it; null: never. */
  readonly reachedAt: Date | null;
  readonly isAsking: boolean;
}

const WORST_FIRST = ["refused", "not_reached", "asking", "reached"] as const;

/** Null while no node says anything of it. */
export function contactOf(told: readonly NodeRoute[]): VendorContact | null {
  for (const contact of WORST_FIRST) {
    const one = told.find((node) => node.contact === contact);
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
