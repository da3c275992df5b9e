import Type, { type TSchema } from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import { Amount } from "../http/amount.ts";
import { closed, Metadata, named, oneOf, paging, Reference, Timestamp } from "../http/schemas.ts";
import { CUSTOMER_CHANNELS } from "../ports/customer-message.ts";

/** What every service that sells by purchase is asked with, and refuses with. Answers are in purchase-models.schemas.ts. */

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

export const PurchaseStatus = named("PurchaseStatus", oneOf(PURCHASE_STATUSES));

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
