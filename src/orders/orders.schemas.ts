import Type from "typebox";
import { closed, IdParameter, ListOf, named, oneOf, paging, Reference, Timestamp } from "../http/schemas.ts";
import type { ShownService } from "./service.ts";

/** The answers about orders of any service are those of the services themselves. */
export function orderModels(services: readonly ShownService[]) {
  const models = services.map(({ views }) => views.models());
  const all = (part: "inFull" | "listed") =>
    Type.Unsafe<object>(Type.Union([...new Set(models.map((model) => model[part]))]));
  return {
    Order: named("AnyOrder", all("inFull")),
    OrderList: ListOf(named("AnyListedOrder", all("listed"))),
  };
}

const TO_MAX = 170;

export const orderListQuery = (services: readonly ShownService[]) =>
  closed({
    ...paging,
    reference: Type.Optional(Reference),
    service: Type.Optional(oneOf(services.map(({ definition }) => definition.service))),
    status: Type.Optional(
      oneOf(
        [...new Set(services.flatMap(({ views }) => Object.keys(views.statuses)))],
        "As the order's service shows it.",
      ),
    ),
    to: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TO_MAX,
        description: "The recipient of a message or of airtime, or the customer of another purchase.",
      }),
    ),
    created_after: Type.Optional({ ...Timestamp, description: "From this time on." }),
    created_before: Type.Optional({ ...Timestamp, description: "Before this time." }),
  });

export const orderParams = ([service]: readonly ShownService[]) =>
  Type.Object({ order_id: IdParameter(service!.definition.idPrefix, "`id` of any message or purchase.") });
