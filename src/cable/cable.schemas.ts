import Type from "typebox";
import { closed, extending, Id, ListOf, Money, named, oneOf, Price, Timestamp } from "../http/schemas.ts";
import { TV_PROVIDERS } from "../ports/cable-payload.ts";
import type { ProductSchemas } from "../purchases/product-line.ts";
import { Phone, PURCHASE_ERRORS, purchaseListQuery, purchaseOptions } from "../purchases/purchase.schemas.ts";
import type { PurchaseModels } from "../purchases/purchase-models.schemas.ts";
import { BillerStatus } from "../purchases/sellers.schemas.ts";
import { KINDS } from "./cable.ts";

const SmartcardNumber = Type.String({
  minLength: 1,
  maxLength: 40,
  description:
    "10 or 11 digits, as they stand on the card or the decoder (GOtv: IUC number); spaces and dashes are allowed.",
  examples: ["1212121212"],
});
const TvProvider = named("TvProvider", oneOf(TV_PROVIDERS));
export const CableKind = named("CableKind", oneOf(KINDS));
const PlanId = Type.String({ minLength: 1, maxLength: 100, description: "A `plan_id` of `GET /cable/plans`." });
const Subscriber = Type.Object(
  { name: Type.String({ description: "The TV provider's record." }) },
  { title: "TvSubscriber" },
);

/** What purchases of cable TV show. */
export const CABLE_SCHEMAS: ProductSchemas = {
  subject: {
    smartcard_number: Type.String({ description: "Absent for Showmax, which has no smartcards." }),
    provider: { ...TvProvider, description: "The TV provider." },
    kind: CableKind,
    plan: Type.Object({ plan_id: Type.String(), name: Type.String() }, { title: "BoughtPlan" }),
    customer: Subscriber,
  },
};

export const VerifyBody = closed({ smartcard_number: SmartcardNumber, provider: TvProvider });

export const VerifiedSmartcard = Type.Object(
  {
    object: Type.Literal("smartcard_verification"),
    verification_id: Id("ver"),
    smartcard_number: Type.String({ description: "Digits alone." }),
    provider: TvProvider,
    customer: Subscriber,
    current_plan: Type.Optional(Type.String({ description: "The TV provider's name of the card's bouquet." })),
    renewal_amount: Type.Optional({
      ...Money,
      description: "What a renewal costs now, without your plan's fee. Absent: there is nothing to renew.",
    }),
    due_date: Type.Optional(
      Type.String({ format: "date", description: "When the subscription ends, as far as the TV provider says so." }),
    ),
    expires_at: { ...Timestamp, description: "Until then a purchase can name this verification." },
  },
  { title: "VerifiedSmartcard" },
);

export const PurchaseBody = closed({
  smartcard_number: Type.Optional({ ...SmartcardNumber, description: "Required, except for Showmax, which has none." }),
  provider: TvProvider,
  kind: {
    ...CableKind,
    description:
      "`renew`: the card's own bouquet, DStv and GOtv only. `change`: the bouquet `plan_id`, or a Showmax voucher.",
  },
  plan_id: Type.Optional({ ...PlanId, description: "A `plan_id` of `GET /cable/plans`; required for `change`." }),
  to: {
    ...Phone,
    description: "The customer's phone, e.g. `08031234567`: `notify` writes to it. For Showmax, who gets the voucher.",
  },
  verification_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "The `verification_id` of `POST /cable/verify`. With it, another customer or another `renewal_amount` is refused.",
    }),
  ),
  ...purchaseOptions,
});

export const TvProviders = ListOf(
  Type.Object(
    {
      object: Type.Literal("tv_provider"),
      code: TvProvider,
      name: Type.String(),
      verify: Type.Boolean({ description: "Whether it has smartcards, whose customer can be verified." }),
      kinds: Type.Array(CableKind, { description: "What can be bought." }),
      status: { ...BillerStatus, description: "Whether it can be bought right now." },
    },
    { title: "TvProviderStatus" },
  ),
);

export const PlansQuery = closed({ provider: Type.Optional(TvProvider) });

export const CablePlans = ListOf(
  Type.Object(
    {
      object: Type.Literal("cable_plan"),
      plan_id: Type.String({ description: "Stable: never reused for another plan." }),
      provider: TvProvider,
      name: Type.String({ description: "The vendor's name for it. A price in it may be an old one: `price` counts." }),
      validity_days: Type.Union([Type.Number(), Type.Null()], {
        description: "Null when the name does not state it clearly.",
      }),
      amount: { ...Money, description: "The list price." },
      price: { ...Price, description: "Your price: the list price and your plan's fee." },
      available: Type.Boolean({
        description:
          "Whether it can be bought. False once the vendor has withdrawn it, or when the vendor's list is older than 48 hours.",
      }),
    },
    { title: "CablePlan" },
  ),
  {
    as_of: Type.Union([Timestamp, Type.Null()], {
      description:
        "When the vendors' lists were last fetched; the oldest time, if there are several. Null before the first fetch.",
    }),
  },
);

export const CableListQuery = purchaseListQuery({
  smartcard_number: Type.Optional(SmartcardNumber),
  to: Type.Optional({ ...Phone, description: "The phone of purchases without a smartcard (Showmax)." }),
});

export const cableReceipt = ({ ReceiptBasics, Token }: PurchaseModels) =>
  extending("CableReceipt", ReceiptBasics, {
    provider: Type.Object({ code: TvProvider, name: Type.String() }, { title: "ReceiptTvProvider" }),
    kind: CableKind,
    plan: Type.Optional(Type.Object({ plan_id: Type.String(), name: Type.String() }, { title: "BoughtPlan" })),
    smartcard_number: Type.Optional(Type.String()),
    customer: Type.Object(
      { name: Type.Optional(Type.String()), phone: Type.String() },
      { title: "ReceiptTvSubscriber" },
    ),
    tokens: Type.Optional(Type.Array(Token)),
  });

export const VERIFY_ERRORS = [
  "smartcard_not_found",
  "not_supported_by_provider",
  "provider_unavailable",
  "database_unavailable",
] as const;
export const CABLE_ERRORS = [
  ...PURCHASE_ERRORS,
  "not_found",
  "plan_not_found",
  "smartcard_not_found",
  "smartcard_changed",
  "not_supported_by_provider",
] as const;

export const cableAuth = (scope: "vend" | "read", policy: "cable-verify" | "cable-vend" | "read") =>
  ({ service: "cable", scope, policy }) as const;
