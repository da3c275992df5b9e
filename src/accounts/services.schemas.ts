import Type from "typebox";
import { extending, ListOf, Money } from "../http/schemas.ts";

const BasisPoints = Type.Integer({ description: "in 1/100 of a percent" });

const byNetwork = <Value extends Type.TSchema>(name: string, value: Value) =>
  Type.Object(
    {
      default: value,
      mtn: Type.Optional(value),
      airtel: Type.Optional(value),
      glo: Type.Optional(value),
      "9mobile": Type.Optional(value),
    },
    { title: `${name}ByNetwork`, description: "`default` applies to every network not listed." },
  );

/** What a plan's prices say depends on the service; `per` says what they are for. */
const Prices = Type.Union([
  Type.Object(
    { per: Type.Literal("segment"), transactional: byNetwork("Money", Money), promotional: byNetwork("Money", Money) },
    { title: "SmsPrices", description: "The price of a segment, by route type and network." },
  ),
  Type.Object(
    { per: Type.Literal("message"), marketing: Money, utility: Money, authentication: Money, service: Money },
    { title: "ChatPrices", description: "The price of a message, by category." },
  ),
  Type.Object(
    {
      per: Type.Literal("amount"),
      discount_basis_points: byNetwork("BasisPoints", BasisPoints),
      data_margin_basis_points: BasisPoints,
    },
    {
      title: "AirtimePrices",
      description: "The discount on a top-up's amount; the margin on a data bundle's vendor price.",
    },
  ),
  Type.Object(
    { per: Type.Literal("purchase"), fee: Money },
    { title: "ElectricityPrices", description: "The fee on top of a purchase's amount." },
  ),
]);

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

const PlanInFull = extending("PlanInFull", Plan, {
  limits: Type.Record(Type.String(), Type.Integer(), { description: "Per minute, by the endpoints' policy." }),
  prices: Prices,
});

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

export const Service = Type.Object(
  {
    object: Type.Literal("service"),
    service: Type.String({ description: "Used in paths and in keys' limits." }),
    name: Type.String(),
    category: Type.Union([Type.Literal("messaging"), Type.Literal("fintech")]),
    version: Type.Literal("v1"),
    path_prefix: Type.String(),
    available: Type.Boolean({ description: "False: announced, but not open to subscription yet." }),
    endpoints: Type.Array(Endpoint),
    plans: Type.Array(PlanInFull, { description: "The smallest first." }),
  },
  { title: "Service" },
);

export const Services = ListOf(Service);

export type Service = Type.Static<typeof Service>;
export type Prices = Type.Static<typeof Prices>;
export type Plan = Type.Static<typeof Plan>;
