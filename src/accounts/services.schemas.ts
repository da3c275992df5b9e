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
    { title: `${name}ByNetwork`, description: "`default` counts for each network that is not named." },
  );

/** What a plan's prices say depends on the service; `per` says what they are for. */
const Prices = Type.Union([
  Type.Object(
    { per: Type.Literal("segment"), transactional: byNetwork("Money", Money), promotional: byNetwork("Money", Money) },
    { title: "SmsPrices", description: "A segment of a message, by route type and network." },
  ),
  Type.Object(
    { per: Type.Literal("message"), marketing: Money, utility: Money, authentication: Money, service: Money },
    { title: "ChatPrices", description: "A message, by its category." },
  ),
  Type.Object(
    {
      per: Type.Literal("amount"),
      discount_basis_points: byNetwork("BasisPoints", BasisPoints),
      data_margin_basis_points: BasisPoints,
    },
    {
      title: "AirtimePrices",
      description: "What a top-up costs less than its amount; what a data bundle costs more than the vendor's price.",
    },
  ),
  Type.Object(
    { per: Type.Literal("purchase"), fee: Money },
    { title: "ElectricityPrices", description: "What a purchase costs besides its amount." },
  ),
]);

/** A plan by the few things that a choice is made by. */
export const Plan = Type.Object(
  {
    object: Type.Literal("plan"),
    id: Type.String(),
    name: Type.String(),
    fee: { ...Money, description: "Of a month. A part of a month costs its share of days." },
    free: Type.Boolean(),
    quota: Type.Union([Type.Integer(), Type.Null()], {
      description: "Orders in a calendar month in Lagos, counted in each mode; null for no quota.",
    }),
  },
  { title: "Plan" },
);

const PlanInFull = extending("PlanInFull", Plan, {
  limits: Type.Record(Type.String(), Type.Integer(), { description: "A minute, by the policy of the endpoints." }),
  prices: Prices,
});

const Endpoint = Type.Object(
  {
    method: Type.String(),
    path: Type.String(),
    purpose: Type.String(),
    policy: Type.String({ description: "The limit that it counts against, as in the `RateLimit` header." }),
    rate_per_minute: Type.Integer({
      description: "On the first plan. `plans[].limits[policy]` has that of each plan.",
    }),
  },
  { title: "Endpoint" },
);

export const Service = Type.Object(
  {
    object: Type.Literal("service"),
    service: Type.String({ description: "Stands in paths and in keys' limits." }),
    name: Type.String(),
    category: Type.Union([Type.Literal("messaging"), Type.Literal("fintech")]),
    version: Type.Literal("v1"),
    path_prefix: Type.String(),
    available: Type.Boolean({ description: "False: announced, but nobody can subscribe to it yet." }),
    endpoints: Type.Array(Endpoint),
    plans: Type.Array(PlanInFull, { description: "The smallest first." }),
  },
  { title: "Service" },
);

export const Services = ListOf(Service);

export type Service = Type.Static<typeof Service>;
export type Prices = Type.Static<typeof Prices>;
export type Plan = Type.Static<typeof Plan>;
