/**
 * What a purchase stores for its adapters: the port between the services that sell and every vendor. Here is what all services have in
 * common; what each has of its own is in a file beside this one (`electricity-payload.ts`). Amounts are digits of kobo, as JSON has no
 * bigint.
 */
export interface PurchasePayload {
  /** What is bought, as subscribers see it in `object`. A vendor takes only the products that it names itself. */
  readonly product: string;
  /** Of the customer, E.164 without `+`. Absent where the order's `recipient` is that phone. Orders are found by it. */
  readonly phone?: string;
}

/** A code that the customer was sold: electricity's token, a voucher. It is money, so it is sealed before it is stored. */
export interface TokenParcel {
  /** One of its service's. */
  readonly kind: string;
  /** Without spaces. */
  readonly value: string;
  /** What its service says of it besides. */
  readonly [member: string]: string | undefined;
}

/** What a vendor's answer may teach of any purchase, in `facts`. Naira are decimal strings with two places. */
export interface PurchaseFacts {
  /** In the order in which they are used. */
  readonly tokens?: readonly TokenParcel[];
  /** Where the customer's money went, as far as it decides about VAT: debts bear none. */
  readonly breakdown?: { readonly vat?: string; readonly arrears?: string };
  readonly receipt_number?: string;
  /** What the vendor took from our float. */
  readonly cost?: string;
  /** What the customer got by the vendor's word, where that is less than what was bought. */
  readonly delivered_amount?: string;
}
