import type { Readable } from "node:stream";
import Type from "typebox";
import { oneOf } from "../http/schemas.ts";
import { orderListQuery } from "./orders.schemas.ts";
import type { ShownService } from "./service.ts";

/** As long as a reference or a chat user's id is at most. */
const FIND_CHARACTERS_MAX = 170;

/** What the services call what they sell: messages, purchases. */
export const kindsOf = (services: readonly ShownService[]): readonly string[] => [
  ...new Set(services.map(({ definition }) => definition.noun.many)),
];

export function findQuery(services: readonly ShownService[]) {
  const { to: _to, reference: _reference, ...filters } = orderListQuery(services).properties;
  return Type.Object(
    {
      ...filters,
      find: Type.Optional(Type.String({ minLength: 1, maxLength: FIND_CHARACTERS_MAX, pattern: "\\S" })),
      kind: Type.Optional(oneOf(kindsOf(services))),
    },
    { additionalProperties: false },
  );
}

export type FindFilters = Omit<Type.Static<ReturnType<typeof findQuery>>, "limit" | "after">;

/** A stream of text. */
export const OrdersCsv = Type.Unsafe<Readable>({ type: "string" });
