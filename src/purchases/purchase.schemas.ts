import Type, { type TSchema } from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import { Amount } from "../http/amount.ts";
import {
  Charge,
  closed,
  Failure,
  Id,
  ListOf,
  Metadata,
  Mode,
  Money,
  Network,
  named,
  oneOf,
  Price,
  paging,
  Reference,
  TimelineEntry,
  Timestamp,
} from "../http/schemas.ts";
import { CUSTOMER_CHANNELS } from "../ports/customer-message.ts";

/** What airtime, data and electricity have in common on the wire. */

/** Of the customer: whoever gets the airtime, or the message with the token. */
export const Phone = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "A Nigerian mobile number, e.g. `08031234567` or `+2348031234567`.",
});

/** How customers can be written to. */
export const Channel = named("Channel", oneOf(CUSTOMER_CHANNELS));

const Notify = closed(
  { channel: Channel },
  {
    title: "Notify",
    examples: [{ channel: "sms" }],
    description:
      "Notifies the customer of the success by a separate message, paid from the same wallet: an SMS, or a chat text, which needs the customer's window to be open. If it fails, the purchase is unaffected.",
  },
);

/** The optional fields of every body that buys: spread them into its properties. */
export const purchaseOptions = {
  notify: Type.Optional(Notify),
  expected_price: Type.Optional({
    ...Amount,
    description: "The `price.amount` you were shown. Any other price is refused with `price_changed`.",
  }),
  validate_only: Type.Optional(
    Type.Boolean({
      description:
        "Check everything, including a likely duplicate and a used key or `reference`, and quote the price without buying. The answer is a `purchase_check`, always with 200; a purchase is answered with 201 or 202. Needs no Idempotency-Key and uses none. Nothing is reserved: a later purchase may still be refused.",
    }),
  ),
  allow_duplicate: Type.Optional(
    Type.Boolean({
      description:
        "The same was bought for the same recipient within the last minute, and this purchase is intended too.",
    }),
  ),
  reference: Type.Optional(Reference),
  metadata: Type.Optional(Metadata),
};

export const PURCHASE_STATUSES = ["processing", "successful", "failed", "reversed"] as const;
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number];

export const Product = named("Product", oneOf(["airtime", "data", "electricity"]));
const PurchaseStatus = named("PurchaseStatus", oneOf(PURCHASE_STATUSES));
/** Who a meter belongs to. */
export const Customer = Type.Object(
  {
    name: Type.String({ description: "The disco's record; some vendors mask part of it." }),
    address: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "Customer" },
);

/** Tokens go into the meter in their order. */
export const Token = Type.Object(
  {
    kind: oneOf(["kct1", "kct2", "credit", "bonus"]),
    value: Type.String({ description: "20 digits in groups of four. Masked for keys without the scope `vend`." }),
    units_kwh: Type.Optional(Type.String()),
  },
  { title: "Token" },
);

/** What is bought and for whom. */
const subject = {
  to: Type.String(),
  network: Type.Optional({ ...Network, description: "As you gave it, or as learned from a vendor's answer." }),
  network_guess: Type.Optional({
    ...Network,
    description: "Derived from the number's prefix, as none was given. A guess: numbers are ported to other networks.",
  }),
  plan: Type.Optional(Type.Object({ plan_id: Type.String(), name: Type.String() }, { title: "BoughtPlan" })),
  meter_number: Type.Optional(Type.String()),
  disco: Type.Optional(Type.String()),
  customer: Type.Optional(Customer),
};

const charges = {
  amount: { ...Money, description: "The value that the customer receives." },
  price: {
    ...Price,
    description:
      "The amount taken from the wallet. `tax` is the VAT in it; the part that pays a meter's arrears bears none, by `breakdown` once there is one.",
  },
  discount: { ...Money, description: "`amount` minus `price`." },
  fee: Type.Optional({ ...Money, description: "`price` minus `amount`." }),
};

/** What became of telling the customer. A message that could not be sent has the refusal's code. */
const Notice = Type.Object(
  {
    channel: Channel,
    status: Type.String({
      description:
        "The message's status; `pending` before the message exists, `refused` when it could not be made, `none` when there is nothing to notify.",
    }),
    message_id: Type.Optional(Id("msg")),
    price: Type.Optional(Price),
    failure: Type.Optional(
      Type.Object({ code: Type.String(), detail: Type.String() }, { description: "Why there is no message." }),
    ),
  },
  { title: "Notice" },
);

/** What the customer's money went to, by the vendor's own figures. */
export const Breakdown = Type.Object(
  { energy: Type.Optional(Money), vat: Type.Optional(Money), arrears: Type.Optional(Money) },
  { title: "Breakdown", description: "The disco's own figures; those it does not report are absent." },
);

export const Purchase = Type.Object(
  {
    id: Id("pur"),
    object: Product,
    mode: Mode,
    status: {
      ...PurchaseStatus,
      description:
        "`processing`: the vendor is queried until the outcome is certain, and the money stays held. `reversed`: the vendor reversed it, and the price was refunded.",
    },
    ...subject,
    ...charges,
    delivered_amount: Type.Optional({
      ...Money,
      description:
        "The value delivered according to the vendor, where it is less than `amount` because of an operator's fee or an exchange rate. `price` is unchanged.",
    }),
    charge: Charge,
    token_pending: Type.Optional(
      Type.Boolean({ description: "Delivered according to the vendor, but the token has not arrived yet." }),
    ),
    tokens: Type.Optional(
      Type.Array(Token, {
        description:
          "Enter them into the meter in this order. A `reversed` purchase no longer shows them: its price was refunded.",
      }),
    ),
    units_kwh: Type.Optional(Type.String()),
    breakdown: Type.Optional(Breakdown),
    vendor_receipt_number: Type.Optional(Type.String({ description: "The vendor's receipt number." })),
    failure: Type.Optional(Failure),
    provider_reference: Type.Optional(Type.String({ description: "The vendor's reference, for its support." })),
    notify: Type.Optional(Notice),
    reference: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
    timeline: Type.Optional(
      Type.Array(TimelineEntry, {
        description: "Everything that happened, in order. Absent in lists and in the answer to the purchase itself.",
      }),
    ),
    next_check_at: Type.Optional({
      ...Timestamp,
      description: "The time of the next check, while it is `processing`.",
    }),
    created_at: Timestamp,
    completed_at: Type.Optional(Timestamp),
  },
  { title: "Purchase" },
);

export const PurchaseList = ListOf(Purchase);

/** What a meter owes. */
export const Arrears = { ...Money, description: "Debt to the disco, deducted from the next amount paid." };

/** The answer to `validate_only`: its own object under a status of its own, 200, which no purchase is answered with. */
export const PurchaseCheck = Type.Object(
  {
    object: Type.Literal("purchase_check", {
      description: "Nothing was bought: this is the answer to `validate_only`.",
    }),
    product: { ...Product, description: "The `object` of the purchase that would be made." },
    valid: Type.Literal(true),
    ...subject,
    ...charges,
    arrears: Type.Optional(Arrears),
  },
  { title: "PurchaseCheck" },
);

/** The query of a list of purchases. `recipient`: the filter by whom they are for, under the service's own name. */
export const purchaseListQuery = <Recipient extends Record<string, TSchema>>(recipient: Recipient) =>
  closed({
    ...paging,
    status: Type.Optional(PurchaseStatus),
    ...recipient,
    reference: Type.Optional(Reference),
    created_after: Type.Optional(Timestamp),
    created_before: Type.Optional(Timestamp),
  });

/** What can keep any purchase from being made, or end it in its own answer. Each service adds its own. */
export const PURCHASE_ERRORS = [
  "amount_not_exact",
  "amount_out_of_bounds",
  "insufficient_balance",
  "possible_duplicate",
  "price_changed",
  "invalid_phone_number",
  "destination_not_supported",
  "purchase_failed",
  "idempotency_key_reused",
  "idempotency_in_progress",
  "reference_already_used",
  "quota_exceeded",
  "provider_unavailable",
  "database_unavailable",
  "overloaded",
  "acceptance_unknown",
] as const;

/** Buying and seeing tokens in full takes the scope `vend`; everything else `read`. */
export const mayVend = (key: Pick<KeyRecord, "scopes">): boolean => key.scopes.includes("vend");
