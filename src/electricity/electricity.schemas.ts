import Type from "typebox";
import { Amount } from "../http/amount.ts";
import { closed, extending, Id, ListOf, Money, named, oneOf, Price, Timestamp } from "../http/schemas.ts";
import { DISCOS } from "../kernel/discos.ts";
import type { ProductSchemas } from "../purchases/product-line.ts";
import { Channel, Phone, PURCHASE_ERRORS, purchaseListQuery, purchaseOptions } from "../purchases/purchase.schemas.ts";
import type { PurchaseModels } from "../purchases/purchase-models.schemas.ts";
import { BillerStatus } from "../purchases/sellers.schemas.ts";

const MeterNumber = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "6 to 20 digits, as printed on the meter or the bill; spaces and dashes are allowed.",
  examples: ["11111111111"],
});
const DiscoName = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "`code` of `GET /electricity/discos`, or a usual short name: `ikedc`, `aedc`, `phed` …",
  examples: ["ikeja-electric"],
});
const DiscoCode = named("DiscoCode", oneOf(Object.keys(DISCOS)));
const MeterType = named("MeterType", oneOf(["prepaid", "postpaid"]));

/** Who a meter belongs to. */
const Customer = Type.Object(
  {
    name: Type.String({ description: "The disco's record; some vendors mask part of it." }),
    address: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "Customer" },
);

/** What a meter owes. */
const Arrears = { ...Money, description: "Debt to the disco, deducted from the next amount paid." };

/** What the customer's money went to, by the vendor's own figures. */
const Breakdown = Type.Object(
  { energy: Type.Optional(Money), vat: Type.Optional(Money), arrears: Type.Optional(Money) },
  { title: "Breakdown", description: "The disco's own figures; those it does not report are absent." },
);

/** What purchases of electricity show. */
export const ELECTRICITY_SCHEMAS: ProductSchemas = {
  subject: { meter_number: Type.String(), disco: Type.String(), customer: Customer },
  delivered: { units_kwh: Type.String(), breakdown: Breakdown },
  quoted: { arrears: Arrears },
  untaxed: "the part that pays a meter's arrears bears none, by `breakdown` once there is one",
};

export const VerifyBody = closed({
  meter_number: MeterNumber,
  disco: DiscoName,
  meter_type: Type.Optional({ ...MeterType, description: "Without it prepaid is tried first, then postpaid." }),
});

export const VerifiedMeter = Type.Object(
  {
    object: Type.Literal("verification"),
    verification_id: Id("ver"),
    meter_number: Type.String({ description: "Digits alone." }),
    disco: DiscoCode,
    meter_type: { ...MeterType, description: "`postpaid` meters take no tokens." },
    customer: Customer,
    tariff: Type.Optional(Type.String()),
    arrears: Type.Optional(Arrears),
    minimum_amount: {
      ...Money,
      description:
        "Arrears raise it. Above `maximum_amount` nothing can be bought until the debt is paid to the disco.",
    },
    maximum_amount: Money,
    expires_at: { ...Timestamp, description: "Until then a purchase can use this verification without a new one." },
  },
  { title: "VerifiedMeter" },
);

export const PurchaseBody = closed({
  meter_number: MeterNumber,
  disco: DiscoName,
  amount: {
    ...Amount,
    description:
      'What the customer pays for (energy, VAT and arrears together), in whole naira, without sign or separators: `5000` or `"5000"`.',
    examples: ["5000.00"],
  },
  to: { ...Phone, description: "The customer's phone, e.g. `08031234567`: `notify` writes to it." },
  verification_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "The `verification_id` of `POST /electricity/verify`. Without it, or once it has expired, the meter is verified first.",
    }),
  ),
  ...purchaseOptions,
});

export const Discos = ListOf(
  Type.Object(
    {
      object: Type.Literal("disco"),
      code: DiscoCode,
      name: Type.String(),
      states: Type.Array(Type.String(), { description: "The states it serves." }),
      minimum_amount: { ...Money, description: "Unless the meter's own limits differ." },
      maximum_amount: Money,
      status: { ...BillerStatus, description: "Whether its electricity can be bought right now." },
    },
    { title: "Disco" },
  ),
);

export const ElectricityListQuery = purchaseListQuery({ meter_number: Type.Optional(MeterNumber) });

export const ResendBody = closed({
  channel: Channel,
  to: Type.Optional({ ...Phone, description: "A phone other than the purchase's." }),
});

export const Resent = Type.Object(
  {
    object: Type.Literal("token_resend"),
    purchase_id: Id("pur"),
    message_id: Id("msg"),
    channel: Channel,
    to: Type.String(),
    status: Type.String({
      description: "The message's own; `GET /sms/status/{message_id}` (or `/chat/status`) has its further status.",
    }),
    price: Price,
  },
  { title: "TokenResend" },
);

export const electricityReceipt = ({ ReceiptBasics, Token }: PurchaseModels) =>
  extending("Receipt", ReceiptBasics, {
    disco: Type.Object({ code: Type.String(), name: Type.String() }),
    meter_number: Type.String(),
    meter_type: MeterType,
    customer: Type.Object({
      name: Type.String(),
      address: Type.Union([Type.String(), Type.Null()]),
      phone: Type.String(),
    }),
    tokens: Type.Array(Token),
    units_kwh: Type.Optional(Type.String()),
    tariff: Type.Optional(Type.String()),
    breakdown: Type.Optional(Breakdown),
  });

export const VERIFY_ERRORS = ["meter_not_found", "provider_unavailable", "database_unavailable"] as const;
export const ELECTRICITY_ERRORS = [
  ...PURCHASE_ERRORS,
  "not_found",
  "meter_not_found",
  "meter_is_postpaid",
  "meter_changed",
] as const;
export const RESEND_ERRORS = [
  "not_found",
  "chat_window_closed",
  "invalid_state",
  "quota_exceeded",
  "account_suspended",
  "insufficient_balance",
  "invalid_phone_number",
  "destination_not_supported",
  "destination_rate_limited",
  "sender_not_approved",
  "idempotency_key_reused",
  "idempotency_in_progress",
  "provider_unavailable",
  "database_unavailable",
  "overloaded",
  "acceptance_unknown",
] as const;

export const electricityAuth = (scope: "vend" | "read", policy: "electricity-verify" | "electricity-vend" | "read") =>
  ({ service: "electricity", scope, policy }) as const;
