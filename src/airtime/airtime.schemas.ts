import Type from "typebox";
import { Amount } from "../http/amount.ts";
import { closed, extending, ListOf, Network, named, oneOf, Price, Timestamp } from "../http/schemas.ts";
import { NETWORKS } from "../kernel/networks.ts";
import { Phone, PURCHASE_ERRORS, purchaseListQuery, purchaseOptions } from "../purchases/purchase.schemas.ts";
import { BoughtPlan, type PurchaseModels } from "../purchases/purchase-models.schemas.ts";
import { PLAN_KINDS } from "./parse-plan.ts";

/** Our names of the networks, and the others that 9mobile goes by. */
export const NetworkName = named(
  "NetworkName",
  oneOf([...NETWORKS, "t2", "etisalat"], "`t2` and `etisalat` are accepted for `9mobile`, which is what answers show."),
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
    description: "A `plan_id` of `GET /airtime/data/plans`. It determines the network.",
  }),
  ...purchaseOptions,
});

export const AirtimeListQuery = purchaseListQuery({ to: Type.Optional(Phone) });

export const PlansQuery = closed({
  network: Type.Optional(NetworkName),
  to: Type.Optional({ ...Phone, description: "In place of `network`: the network of this number's prefix." }),
});

const Unread = (what: string) => `${what}; null when the vendor's name does not state it clearly.`;

const DataPlan = Type.Object(
  {
    object: Type.Literal("data_plan"),
    plan_id: Type.String({ description: "Stable: never reused for another plan." }),
    network: Network,
    name: Type.String({ description: "The vendor's name for it." }),
    size_mb: Type.Union([Type.Integer(), Type.Null()], { description: Unread("A GB is 1,024") }),
    validity_days: Type.Union([Type.Number(), Type.Null()], {
      description: Unread("2 hours is 0.08, a month without a number is 30 days"),
    }),
    kind: Type.Union([named("DataPlanKind", oneOf(PLAN_KINDS)), Type.Null()], {
      description: Unread("Which sort of plan"),
    }),
    parsed: Type.Boolean({ description: "Whether both size and validity were found in the name." }),
    price: { ...Price, description: "Your price, on your plan." },
    available: Type.Boolean({
      description:
        "Whether it can be bought. False once the vendor has withdrawn it, or when the vendor's list is older than 48 hours.",
    }),
  },
  { title: "DataPlan" },
);

export const DataPlans = ListOf(DataPlan, {
  as_of: Type.Union([Timestamp, Type.Null()], {
    description:
      "When the vendors' lists were last fetched; the oldest time, if there are several. Null before the first fetch.",
  }),
  network_guess: Type.Optional({ ...Network, description: "The network of the number in `to`." }),
});

/** What is bought and for which network. */
export const AIRTIME_SUBJECT = {
  network: { ...Network, description: "As you gave it, or as learned from a vendor's answer." },
  network_guess: {
    ...Network,
    description: "Derived from the number's prefix, as none was given. A guess: numbers are ported to other networks.",
  },
  plan: BoughtPlan,
};

export const airtimeReceipt = ({ ReceiptBasics }: PurchaseModels) =>
  extending("AirtimeReceipt", ReceiptBasics, {
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
        { title: "ReceiptPlan", description: "Data only; what the plan's name does not state is null." },
      ),
    ),
  });

export const AIRTIME_ERRORS = [...PURCHASE_ERRORS, "wrong_network"] as const;
export const DATA_ERRORS = [...AIRTIME_ERRORS, "plan_not_found"] as const;

export const airtimeAuth = (scope: "vend" | "read", policy: "airtime-vend" | "read") =>
  ({ service: "airtime", scope, policy }) as const;
