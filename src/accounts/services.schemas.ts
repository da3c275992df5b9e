import Type, { type TSchema } from "typebox";
import { extending, ListOf, Money } from "../http/schemas.ts";

/** A plan by the few things that a choice is made by. */
export const Plan = Type.Object(
  {
    object: Type.Literal("plan"),
    id: Type.String(),
    name: Type.String(),
    fee: { ...Money, description: "The fee for a month. A part of a month costs its share of days." },
    free: Type.Boolean(),
    quota: Type.Union([Type.Integer(), Type.Null()], {
      description: "Orders per calendar month in Lagos, counted in each mode separately; null for no quota.",
    }),
  },
  { title: "Plan" },
);

const Endpoint = Type.Object(
  {
    method: Type.String(),
    path: Type.String(),
    purpose: Type.String(),
    policy: Type.String({ description: "The limit it counts against, as named in the `RateLimit` header." }),
    rate_per_minute: Type.Integer({
      description: "The value on the first plan. `plans[].limits[policy]` has that of each plan.",
    }),
  },
  { title: "Endpoint" },
);

/** `prices`: the schema of each service that is sold here; some have one in common. */
const planInFull = (prices: readonly TSchema[]) =>
  extending("PlanInFull", Plan, {
    limits: Type.Record(Type.String(), Type.Integer(), { description: "Per minute, by the endpoints' policy." }),
    prices: Type.Unsafe<object>(Type.Union([...new Set(prices)])),
  });

const service = (prices: readonly TSchema[]) =>
  Type.Object(
    {
      object: Type.Literal("service"),
      service: Type.String({ description: "Used in paths and in keys' limits." }),
      name: Type.String(),
      category: Type.Union([Type.Literal("messaging"), Type.Literal("fintech")]),
      version: Type.Literal("v1"),
      path_prefix: Type.String(),
      available: Type.Boolean({ description: "False: announced, but not open to subscription yet." }),
      endpoints: Type.Array(Endpoint),
      plans: Type.Array(planInFull(prices), { description: "The smallest first." }),
    },
    { title: "Service" },
  );

export const servicesOf = (prices: readonly TSchema[]) => ListOf(service(prices));

export type Service = Type.Static<ReturnType<typeof service>>;
export type Plan = Type.Static<typeof Plan>;
