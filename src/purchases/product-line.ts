import type { Network } from "../kernel/networks.ts";
import type { Order } from "../orders/order.ts";
import type { NoticeWords } from "./notice-text.ts";

/** What a service that sells by purchase brings to the steps that all purchases share. */
export interface ProductLine {
  /** As in `ServiceDefinition`: its purchases are at `/{service}/status/{purchase_id}`. */
  readonly service: string;
  /** In words, for a refusal: "airtime or data". */
  readonly goods: string;
  /** Of the customer, MSISDN without `+`. */
  readonly phoneOf: (purchase: Purchased) => string;
  /** Members of a purchase's view, and of a quote's, that say what is bought and for whom. */
  readonly subjectOf: (purchase: Purchased, learned?: Network) => PurchaseSubject;
  /** Of a success. */
  readonly notice: NoticeWords;
}

/** Columns that describe what was bought; the payload is a `StoredPurchase`. */
export type Purchased = Pick<Order, "payload" | "recipient">;

export interface PurchaseSubject {
  /** Phone of the customer, E.164. */
  readonly to: string;
}
