import { type Kobo, koboToNaira } from "../../../kernel/kobo.ts";
import { readVendorNaira } from "../../../kernel/naira.ts";
import type { PurchaseFacts } from "../../../ports/purchase.ts";
import type { Fields, Member } from "../../../vendor-text/fields.ts";
import { transactionOf } from "../answer.ts";

/** What was asked for. */
export interface Attempt<Payload> {
  /** Our reference of the attempt. */
  readonly reference: string;
  readonly recipient: string;
  readonly payload: Payload;
}

/** A purchase in VTpass's terms: what is sent for it, and what its answers say besides what the answers of all products do. */
export interface Sold {
  /** Members of the body of `pay`, after `request_id`. */
  readonly body: Fields;
  /** The amount that answers must be about; absent where the price is the vendor's word. */
  readonly amountKobo?: Kobo;
  /** Whether a member of an answer names another recipient. */
  isAnothers(member: Member): boolean;
  /** Reads an answer by which it is delivered. */
  delivery(text: string, body: Fields): Delivery;
  /** Whether a token, which must not be lost, stands anywhere in an answer. */
  hasToken?(body: Fields): boolean;
  /** Whether a member says that something of it was given, such as units. */
  isUnits?(member: Member): boolean;
}

export interface Delivery {
  readonly facts: PurchaseFacts;
  /** What a person must look at, in words. */
  readonly doubts?: readonly string[];
  /** Why it can't be read, though it is delivered: a person must look at it. */
  readonly unreadable?: string;
  /** What the customer needs of it (a token) has not come yet. */
  readonly isIncomplete?: boolean;
}

/** The vendor writes phones with the trunk 0. */
export const national = (msisdn: string): string => msisdn.replace(/^234/, "0");

/** Whole naira as such, others with two places: both are exact as JSON numbers up to the largest amount that is sold. */
export const nairaNumber = (kobo: string): number => Number(kobo) / 100;

/** What a purchase for a phone has in common, whatever the phone gets. */
export const forPhone = (recipient: string): Pick<Sold, "isAnothers"> => ({
  // `phone` is in some answers that of the account with the vendor, so it is not looked at.
  isAnothers: ({ name, text }) =>
    name === "unique_element" && !text.replaceAll(/\D/g, "").endsWith(recipient.slice(-10)),
});

/** What the vendor took from our float. */
export function costIn(body: Fields): Pick<PurchaseFacts, "cost"> {
  const cost = readVendorNaira(transactionOf(body).total_amount);
  return cost === undefined || cost <= 0n ? {} : { cost: koboToNaira(cost) };
}
