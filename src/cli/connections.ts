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
