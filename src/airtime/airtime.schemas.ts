import Type from "typebox";
import { Amount } from "../http/amount.ts";
import { closed, extending, ListOf, Network, named, oneOf, Price, Timestamp } from "../http/schemas.ts";
import { NETWORKS } from "../kernel/networks.ts";
import { Phone, PURCHASE_ERRORS, purchaseListQuery, purchaseOptions } from "../purchases/purchase.schemas.ts";
import { ReceiptBasics } from "../purchases/receipt.schemas.ts";
import { PLAN_KINDS } from "./parse-plan.ts";

/** Our names of the networks, and the others that 9mobile goes by. */
export const NetworkName = named(
  "NetworkName",
  oneOf([...NETWORKS, "t2", "etisalat"], "`t2` and `etisalat` are other names of `9mobile`, which is how it goes out."),
);

export const TopupBody = closed({
  to: Phone,
  amount: {
    ...Amount,
    description: 'Face value, ₦50.00 to ₦50,000.00 in whole naira, without sign or separators: `1000` or `"1000"`.',
    examples: ["500.00"],
  },
  network: Type.Optional(NetworkName),
  ...purchaseOptions,
});

export const DataBody = closed({
  to: Phone,
  plan_id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "Of `GET /airtime/data/plans`. It says the network too.",
  }),
  ...purchaseOptions,
});

export const AirtimeListQuery = purchaseListQuery({ to: Type.Optional(Phone) });

export const PlansQuery = closed({
  network: Type.Optional(NetworkName),
  to: Type.Optional({ ...Phone, description: "Instead of `network`: that of the number, by its first digits." }),
});

const Unread = (what: string) => `${what}; null when the vendor's name for it does not say, or not clearly.`;

const DataPlan = Type.Object(
  {
    object: Type.Literal("data_plan"),
    plan_id: Type.String({ description: "Stable: it is never another plan's." }),
    network: Network,
    name: Type.String({ description: "As the vendor calls it." }),
    size_mb: Type.Union([Type.Integer(), Type.Null()], { description: Unread("A GB is 1,024") }),
    validity_days: Type.Union([Type.Number(), Type.Null()], {
      description: Unread("2 hours are 0.08, a month without a number is 30 days"),
    }),
    kind: Type.Union([named("DataPlanKind", oneOf(PLAN_KINDS)), Type.Null()], {
      description: Unread("Which sort of plan"),
    }),
    parsed: Type.Boolean({ description: "Whether size and validity were both found in the name." }),
    price: { ...Price, description: "What it costs you, on your plan." },
    available: Type.Boolean({
      description:
        "Whether it can be bought. False once the vendor has taken it off its list, or its list is older than 48 hours.",
    }),
  },
  { title: "DataPlan" },
);

export const DataPlans = ListOf(DataPlan, {
  as_of: Type.Union([Timestamp, Type.Null()], {
    description:
      "When the vendors' lists were last asked for; the oldest, if they are several. Null before the first time.",
  }),
  network_guess: Type.Optional({ ...Network, description: "Of the number in `to`." }),
});

export const AirtimeReceipt = extending("AirtimeReceipt", ReceiptBasics, {
  to: Type.String(),
  network: Type.Optional(Network),
  network_guess: Type.Optional(Network),
  plan: Type.Optional(
    Type.Object(
      {
        plan_id: Type.String(),
        name: Type.String(),
        size_mb: Type.Union([Type.Integer(), Type.Null()]),
        validity_days: Type.Union([Type.Number(), Type.Null()]),
      },
      { title: "ReceiptPlan", description: "Of data; what its name does not say is null." },
    ),
  ),
});

export const AIRTIME_ERRORS = [...PURCHASE_ERRORS, "wrong_network"] as const;
export const DATA_ERRORS = [...AIRTIME_ERRORS, "plan_not_found"] as const;

export const airtimeAuth = (scope: "vend" | "read", policy: "airtime-vend" | "read") =>
  ({ service: "airtime", scope, policy }) as const;
