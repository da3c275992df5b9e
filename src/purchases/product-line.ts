import type { TProperties } from "typebox";
import type { Order } from "../orders/order.ts";
import type { NoticeWords } from "./notice-text.ts";
import type { TokenForm } from "./tokens.ts";

/** What a service that sells by purchase brings to the steps that all purchases share. */
export interface ProductLine {
  /** As in `ServiceDefinition`: its purchases are at `/{service}/status/{purchase_id}`. */
  readonly service: string;
  /** What can be bought, by the `object` of its purchases: its name in "No vendor can deliver this … now". */
  readonly products: Readonly<Record<string, string>>;
  /** All of it in words, for a refusal: "airtime or data". */
  readonly goods: string;
  /** Members of a purchase's view, and of a quote's, that say what is bought and for whom. */
  readonly subjectOf: (purchase: Purchased) => PurchaseSubject;
  /** Members of a paid purchase's view that say what the vendor delivered, besides its tokens. */
  readonly deliveredOf?: (purchase: Purchased) => object;
  /** Of a service that sells codes. */
  readonly tokens?: TokenForm;
  /** Of a success. */
  readonly notice: NoticeWords;
  readonly schemas: ProductSchemas;
}

/** Columns that describe what was bought; the payload is a `StoredPurchase`. A quote has no facts yet. */
export type Purchased = Pick<Order, "payload" | "recipient"> & Partial<Pick<Order, "facts">>;

export interface PurchaseSubject {
  /** Phone of the customer, E.164. */
  readonly to: string;
}

/** The members that a line brings, as the OpenAPI document describes them. In a purchase each of them is optional: other lines lack it. */
export interface ProductSchemas {
  /** Members of `subjectOf`, besides `to`. */
  readonly subject: TProperties;
  /** Members of `deliveredOf`. */
  readonly delivered?: TProperties;
  /** Members that only the answer to `validate_only` has. */
  readonly quoted?: TProperties;
  /** Which part of the price bears no VAT, as the end of a sentence. */
  readonly untaxed?: string;
}
