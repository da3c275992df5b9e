import type { Uuid } from "../kernel/ids.ts";
import type { Order } from "./order.ts";
import type { Viewer } from "./order-views.ts";
import type { ShownService } from "./service.ts";

/** Orders of several services of one account as they are listed, in the same order. Each service is asked once for all of its orders. */
export function makeListedViews(services: readonly ShownService[]) {
  const byName = new Map(services.map(({ definition, views }) => [definition.service, views]));
  return async (orders: readonly Order[], viewer: Viewer): Promise<readonly object[]> => {
    const views = new Map<Uuid, object>();
    await Promise.all(
      [...Map.groupBy(orders, ({ service }) => service)].map(async ([service, own]) => {
        const listed = await byName.get(service)!.listed(own, viewer);
        for (const [index, { id }] of own.entries()) views.set(id, listed[index]!);
      }),
    );
    return orders.map(({ id }) => views.get(id)!);
  };
}
