import { attemptState } from "./attempt.ts";
import { isBulk, type Order } from "./order.ts";
import type { Route } from "./route.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/**
 * The route for an order that may be sent now: the one with the lowest load for its weight, this order included, so that of two idle
 * routes the heavier gets it. An order that may have been sent stays on its route.
 */
export function chooseRoute(routes: readonly Route[], service: ServiceDefinition, order: Order): Route | undefined {
  const labels = service.labels?.(order) ?? {};
  const bound = service.boundTo?.(order);
  const pinned = attemptState(order) !== "new";
  const able = routes.filter(
    (route) =>
      route.serves(order.queue, labels, bound) &&
      (pinned ? route.settings.name === order.route : !order.tried.includes(route.settings.name)) &&
      route.able(isBulk(order)),
  );
  let best = able[0];
  for (const route of able) if (loadWith(route) < loadWith(best!)) best = route;
  return best;
}

const loadWith = ({ inFlight, settings }: Route): number => (inFlight + 1) / settings.weight;

/** Whether another route is left for the order, whether or not that route is able now. */
export function hasMoreRoutes(
  routes: readonly Route[],
  service: ServiceDefinition,
  order: Order,
  route: Route,
): boolean {
  const labels = service.labels?.(order) ?? {};
  const bound = service.boundTo?.(order);
  return routes.some(
    (other) =>
      other !== route && other.serves(order.queue, labels, bound) && !order.tried.includes(other.settings.name),
  );
}
