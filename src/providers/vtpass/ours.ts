import { type Kobo, kobo, ZERO_KOBO } from "../../kernel/kobo.ts";
import type { PurchasePayload } from "../../kernel/purchase-payload.ts";
import { type Fields, textOf } from "../../kernel/vendor-fields.ts";
import { readVendorNaira } from "../../kernel/vendor-naira.ts";
import { transactionOf } from "./facts.ts";

/** What was asked for. */
export interface Attempt {
  /** Our reference of the attempt. */
  readonly reference: string;
  readonly recipient: string;
  readonly payload: PurchasePayload;
}

/** Why an answer is not about our attempt; undefined when nothing in it says so. */
export function whyNotOurs(body: Fields, { reference, recipient, payload }: Attempt): string | undefined {
  const transaction = transactionOf(body);
  const echoes = [body, transaction].flatMap((place) =>
    ["requestId", "request_id"].flatMap((key) => textOf(place, [key]) ?? []),
  );
  if (echoes.some((echoed) => echoed !== reference)) return "the answer is about another request_id";
  // Every sample with a transaction echoes it; refusals that come before there is one need not.
  if (echoes.length === 0 && Object.keys(transaction).length > 0) return "the answer does not say its request_id";
  // `phone` is in some answers that of the account with the vendor, so it is not looked at.
  const receiver = textOf(transaction, ["unique_element"])?.replaceAll(/\D/g, "");
  if (receiver !== undefined && !receiver.endsWith(significant(recipient, payload)))
    return "the answer is about another recipient";
  // What a bundle costs is the vendor's word.
  const isOurAmount = payload.product === "data" || hasAmount(transaction, kobo(payload.amount_kobo));
  return isOurAmount ? undefined : "the answer is about another amount";
}

/** A phone without what stands before its ten digits. Of meters the vendor drops zeros in front, and puts numbers there. */
const significant = (recipient: string, { product }: PurchasePayload): string =>
  product === "electricity" ? recipient.replace(/^0+/, "") : recipient.slice(-10);

/** `unit_price` is what was bought, `amount` that and the fee; of a reversal it is what went back. */
function hasAmount(transaction: Fields, amount: Kobo): boolean {
  const price = readVendorNaira(transaction.unit_price) ?? amount;
  const fee = readVendorNaira(transaction.convinience_fee) ?? ZERO_KOBO;
  const sum = textOf(transaction, ["status"]) === "reversed" ? undefined : readVendorNaira(transaction.amount);
  return price === amount && (sum === undefined || sum === amount || sum === amount + fee);
}
