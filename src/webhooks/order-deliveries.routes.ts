import type { Db } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { decodeId, encodeId, type IdPrefix, type Uuid } from "../kernel/ids.ts";
import { listAttemptsOf } from "./attempts.repo.ts";
import { deliveryView } from "./deliveries.routes.ts";
import { KEPT_DAYS } from "./endpoint.ts";
import type { WebhookSeal } from "./sealed.ts";
import { MANAGE, readerOf } from "./webhook-caller.replies.ts";
import { OrderDeliveriesQuery, OrderDeliveryList } from "./webhooks.schemas.ts";

export interface OrderDeliveriesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: WebhookSeal;
}

/** `GET /portal/api/deliveries?order=`: what was told of one order, at all endpoints of its account. */
export function orderDeliveriesRoutes(app: Http, { db, clock, seal }: OrderDeliveriesOptions): void {
  app.get(
    "/portal/api/deliveries",
    {
      config: { auth: { ...MANAGE, policy: "read", forPeople: true }, errors: ["invalid_cursor"] },
      schema: { hide: true, querystring: OrderDeliveriesQuery, response: { 200: OrderDeliveryList } },
    },
    async (request, reply) => {
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { beforeId, rowLimit: limit, answer, filters } = page.value;
      const [prefix] = filters.order.split("_") as [IdPrefix];
      const attempts = await listAttemptsOf(db, seal, {
        ...readerOf(callerOf(request)),
        subjectId: decodeId(prefix, filters.order) as Uuid,
        since: new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS),
        beforeId,
        limit,
      });
      return answer(attempts, (attempt) => ({
        ...deliveryView(attempt),
        webhook: { id: encodeId("whe", attempt.endpointId), url: attempt.url },
      }));
    },
  );
}
