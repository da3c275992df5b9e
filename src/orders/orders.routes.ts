import type { Db } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import { parseChatAddress } from "../kernel/chat-address.ts";
import { decodeId, type Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { timeOf } from "../kernel/rfc3339.ts";
import { findRoutes } from "./find.routes.ts";
import { makeListedViews } from "./listed-views.ts";
import { listOrders } from "./listing.repo.ts";
import { statesOf } from "./order-views.ts";
import { findOrder } from "./orders.repo.ts";
import { orderListQuery, orderModels, orderParams } from "./orders.schemas.ts";
import type { ShownService } from "./service.ts";

export interface OrdersRoutesOptions {
  readonly db: Db;
  readonly services: readonly ShownService[];
}

/** `GET /orders` and `GET /orders/{id}`: orders of all services, each as its own service shows it. */
export function ordersRoutes(app: Http, { db, services }: OrdersRoutesOptions): void {
  const byName = new Map(services.map((service) => [service.definition.service, service]));
  const prefixes = new Set(services.map(({ definition }) => definition.idPrefix));
  const { Order, OrderList } = orderModels(services);
  const viewsOf = makeListedViews(services);
  const examples = services.flatMap(({ views }) => views.examples ?? []);

  app.get(
    "/orders",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        errors: ["invalid_cursor", "invalid_phone_number", "destination_not_supported", "scope_missing"],
        answerExamples: [
          {
            status: 200,
            summary: "Of several services",
            value: { object: "list", data: examples.map(({ listed }) => listed), has_more: false },
          },
        ],
      },
      schema: {
        operationId: "listOrders",
        summary: "Messages and purchases of all services, newest first",
        description: LIST,
        tags: ["Orders"],
        querystring: orderListQuery(services),
        response: { 200: OrderList },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { filters, rowLimit, beforeId } = page.value;
      const { service, status } = filters;
      if (service !== undefined && !mayUse(key, service)) return sendRefusal(reply, otherService(key, service));
      const to = filters.to === undefined ? undefined : parseChatAddress(filters.to, key.mode);
      if (to && !to.ok) {
        const { code, detail } = to.error;
        return sendRefusal(reply, refusal(code, detail, { errors: [{ parameter: "to", code, detail }] }));
      }
      const found = await listOrders(db, {
        accountId: key.accountId as Uuid,
        mode: key.mode,
        among: services
          .filter(({ definition }) => service === undefined || definition.service === service)
          .filter(({ definition }) => mayUse(key, definition.service))
          .map(({ definition, views }) => statesOf(definition.service, views, status)),
        limit: rowLimit,
        ...(to && { to: to.value }),
        ...(filters.reference !== undefined && { reference: filters.reference }),
        ...(filters.created_after !== undefined && { createdAfter: timeOf(filters.created_after) }),
        ...(filters.created_before !== undefined && { createdBefore: timeOf(filters.created_before) }),
        ...(beforeId && { beforeId }),
      });
      return page.value.answerWith(found, (orders) => viewsOf(orders, key));
    },
  );

  app.get(
    "/orders/:order_id",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        errors: ["not_found", "scope_missing"],
        answerExamples: [{ status: 200, summary: "With its timeline", value: examples[0]!.inFull }],
      },
      schema: {
        operationId: "getOrder",
        summary: "Any message or purchase by its id",
        description: ONE,
        tags: ["Orders"],
        params: orderParams(services),
        response: { 200: Order },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const id = [...prefixes].map((prefix) => decodeId(prefix, request.params.order_id)).find(Boolean);
      const order = id && (await findOrder(db, key.accountId as Uuid, id));
      const service = order && byName.get(order.service);
      const isItsId = service && decodeId(service.definition.idPrefix, request.params.order_id) !== undefined;
      if (!order || order.mode !== key.mode || !isItsId) return sendRefusal(reply, NO_ORDER);
      if (!mayUse(key, order.service)) return sendRefusal(reply, otherService(key, order.service));
      return service.views.inFull(order, key);
    },
  );

  findRoutes(app, { db, services });
}

interface LimitedKey {
  readonly services: readonly string[] | null;
}

const mayUse = ({ services }: LimitedKey, service: string): boolean => services === null || services.includes(service);

const otherService = ({ services }: LimitedKey, service: string): Refusal =>
  refusal("scope_missing", `This key is limited to: ${services?.join(", ")}. Use a key that includes \`${service}\`.`, {
    members: { service },
  });

const NO_ORDER = refusal(
  "not_found",
  "There is no such message or purchase in this account and mode. A bulk has an endpoint of its own.",
);

const LIST =
  "Messages and purchases of all services in one list, each as in its own service's list. Your key's mode decides: a live key sees live orders. A key that is limited to services sees the orders of those.";
const ONE =
  "A message or purchase, as its own service's status endpoint shows it. For whoever has an id alone, such as the `order_id` of `acceptance_unknown`.";
