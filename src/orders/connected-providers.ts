import type { Provider } from "../ports/provider.ts";
import type { Route } from "./route.ts";

/**
 * The providers that a node connects, by name. One may have routes of several services. A node that does not send connects those
 * that call back, and one without a route may still be called back about orders that it took before.
 */
export const connectedProviders = (
  providers: ReadonlyMap<string, Provider>,
  routes: readonly Route[],
  dispatches: boolean,
): ReadonlyMap<string, Provider> =>
  new Map([
    ...[...providers].filter(([, { callback }]) => callback !== undefined),
    ...routes
      .filter(({ provider }) => dispatches || provider.callback !== undefined)
      .map(({ settings, provider }) => [settings.name, provider] as const),
  ]);
