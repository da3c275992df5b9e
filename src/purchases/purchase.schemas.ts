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
      "Tells the customer of the success with a message of its own, from the same wallet: an SMS, or a chat text, which needs the customer's window to be open. Its failure never touches the purchase.",
  },
);

/** The optional fields of every body that buys: spread them into its properties. */
export const purchaseOptions = {
  notify: Type.Optional(Notify),
  expected_price: Type.Optional({
    ...Amount,
    description: "The `price.amount` that you were told. Another price is refused with `price_changed`.",
  }),
  validate_only: Type.Optional(
    Type.Boolean({
      description:
        "Check everything, a likely duplicate and a used key or `reference` included, and say what it would cost; buy nothing. The answer is a `purchase_check`, always with 200; a purchase is answered with 201 or 202. Needs no Idempotency-Key and spends none. It is a look and reserves nothing: a purchase after it may still be refused.",
    }),
  ),
  allow_duplicate: Type.Optional(
    Type.Boolean({
      description: "The same was bought for the same recipient within the last minute, and this one is meant as well.",
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
    name: Type.String({ description: "As the disco has it; some vendors mask a part of it." }),
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
  network: Type.Optional({ ...Network, description: "As you told it, or as learned from a vendor's answer." }),
  network_guess: Type.Optional({
    ...Network,
    description: "By the number's first digits, as none was told. A guess: numbers move to other networks.",
  }),
  plan: Type.Optional(Type.Object({ plan_id: Type.String(), name: Type.String() }, { title: "BoughtPlan" })),
  meter_number: Type.Optional(Type.String()),
  disco: Type.Optional(Type.String()),
  customer: Type.Optional(Customer),
};

const charges = {
  amount: { ...Money, description: "What the customer receives for." },
  price: {
    ...Price,
    description:
      "What the wallet pays. `tax` is the VAT in it; what pays arrears of a meter bears none, by `breakdown` once there is one.",
  },
  discount: { ...Money, description: "What `price` is less than `amount`." },
  fee: Type.Optional({ ...Money, description: "What `price` is more than `amount`." }),
};

/** What became of telling the customer. A message that could not be sent has the refusal's code. */
const Notice = Type.Object(
  {
    channel: Channel,
    status: Type.String({
      description:
        "The message's own status; `pending` until there is one, `refused` when there can't be, `none` when there is nothing to tell.",
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
  { title: "Breakdown", description: "The disco's own figures; what it does not say is absent." },
);

export const Purchase = Type.Object(
  {
    id: Id("pur"),
    object: Product,
    mode: Mode,
    status: {
      ...PurchaseStatus,
      description:
        "`processing`: the vendor is asked until the outcome is certain, and the money stays held. `reversed`: the vendor took it back, and the price was refunded.",
    },
    ...subject,
    ...charges,
    delivered_amount: Type.Optional({
      ...Money,
      description:
        "What the customer received by the vendor's word, where that is less than `amount`: an operator's fee, or a rate. `price` stays.",
    }),
    charge: Charge,
    token_pending: Type.Optional(
      Type.Boolean({ description: "Delivered by the vendor's word, but its token has not come yet." }),
    ),
    tokens: Type.Optional(
      Type.Array(Token, {
        description:
          "To be typed into the meter in this order. A purchase that is `reversed` shows them no more: its price was refunded.",
      }),
    ),
    units_kwh: Type.Optional(Type.String()),
    breakdown: Type.Optional(Breakdown),
    vendor_receipt_number: Type.Optional(Type.String({ description: "The vendor's own, as its receipt shows it." })),
    failure: Type.Optional(Failure),
    provider_reference: Type.Optional(Type.String({ description: "The vendor's own, for its support." })),
    notify: Type.Optional(Notice),
    reference: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
    timeline: Type.Optional(
      Type.Array(TimelineEntry, {
        description: "Everything that happened, in order. Not in lists, nor in the answer to the purchase itself.",
      }),
    ),
    next_check_at: Type.Optional({ ...Timestamp, description: "When it is looked at next, while it is `processing`." }),
    created_at: Timestamp,
    completed_at: Type.Optional(Timestamp),
  },
  { title: "Purchase" },
);

export const PurchaseList = ListOf(Purchase);

/** What a meter owes. */
export const Arrears = { ...Money, description: "Owed to the disco, which takes it out of the next amount." };

/** The answer to `validate_only`: its own object under a status of its own, 200, which no purchase is answered with. */
export const PurchaseCheck = Type.Object(
  {
    object: Type.Literal("purchase_check", { description: "Nothing was bought: this answers `validate_only`." }),
    product: { ...Product, description: "The `object` that the purchase would be." },
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
