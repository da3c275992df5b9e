import { isBulk, type Order } from "./order.ts";
import type { Route } from "./route.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/** The route for an order that may leave now: the least loaded for its weight. Once it may have left, it stays on its route. */
export function chooseRoute(routes: readonly Route[], service: ServiceDefinition, order: Order): Route | undefined {
  const labels = service.labels?.(order) ?? {};
  const bound = service.boundTo?.(order);
  const pinned =
    order.begunAt !== null || order.pieces !== null || order.ambiguousAt !== null || order.endedAt !== null;
  const able = routes.filter(
    (route) =>
      route.serves(order.queue, labels, bound) &&
      (pinned ? route.settings.name === order.route : !order.tried.includes(route.settings.name)) &&
      route.able(isBulk(order)),
  );
  let best = able[0];
  for (const route of able)
    if (route.inFlight / route.settings.weight < best!.inFlight / best!.settings.weight) best = route;
  return best;
}

/** Whether the order may still go elsewhere, be that route able just now or not. */
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
