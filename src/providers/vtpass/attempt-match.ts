import { type Kobo, kobo, ZERO_KOBO } from "../../kernel/kobo.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import type { PurchasePayload } from "../../ports/purchase-payload.ts";
import { type Fields, fieldsOf, isFields, type Member, membersIn, textOf } from "../../vendor-text/fields.ts";
import { isSameMeter } from "../../vendor-text/meter-number.ts";
import { transactionOf } from "./facts.ts";
import type { Meaning } from "./statuses.ts";

/** What was asked for. */
export interface Attempt {
  /** Our reference of the attempt. */
  readonly reference: string;
  readonly recipient: string;
  readonly payload: PurchasePayload;
}

/** Why an answer is not about our attempt; undefined when nothing in it says so. `meaning`: what its code says. */
export function attemptMismatch(body: Fields, attempt: Attempt, meaning: Meaning): string | undefined {
  const { reference, payload } = attempt;
  const members = membersIn(body);
  const transactions = transactionsOf(body);
  const echoes = members.filter(({ name }) => REQUEST_ID_NAME.test(name));
  if (echoes.some(({ text }) => text !== reference)) return "the answer is about another request_id";
  // Every sample with a transaction echoes it. A refusal is the answer to our call, whether there is a transaction yet or not.
  const isRefusal = meaning.kind === "failed" || meaning.kind === "rejected";
  if (echoes.length === 0 && !isRefusal && membersIn(transactions).length > 0)
    return "the answer does not say its request_id";
  if (members.some((member) => isAnothers(member, attempt))) return "the answer is about another recipient";
  // What a bundle costs is the vendor's word.
  if (payload.product === "data") return undefined;
  const amount = kobo(payload.amount_kobo);
  return transactions.every((one) => hasAmount(one, amount, meaning))
    ? undefined
    : "the answer is about another amount";
}

export const REQUEST_ID_NAME = /^request_?id$/i;
const METER_NAME = /^meter_?(?:number|no)?$/i;

/** One, or a list of them. */
function transactionsOf(body: Fields): readonly Fields[] {
  const { transactions } = fieldsOf(body.content);
  return Array.isArray(transactions) ? transactions.filter(isFields) : [transactionOf(body)];
}

/**
 * Whether it names another phone or meter. `phone` is in some answers that of the account with the vendor, so it is not looked at;
 * a disco's block need not say the meter's number.
 */
export function isAnothers({ name, text }: Member, { recipient, payload }: Attempt): boolean {
  const digits = text.replaceAll(/\D/g, "");
  if (payload.product !== "electricity") return name === "unique_element" && !digits.endsWith(recipient.slice(-10));
  if (name === "unique_element") return !isOurMeter(digits, recipient);
  return METER_NAME.test(name) && digits !== "" && !isOurMeter(digits, recipient);
}

/** The vendor drops zeros in front; before a number of Port Harcourt's, whole, a sample has 61. */
const isOurMeter = (said: string, meter: string): boolean =>
  isSameMeter(said, meter) || (meter.length >= METER_DIGITS_MIN && said === `61${meter}`);

/** Of a decoder's number. Source: IEC 62055-41. */
const METER_DIGITS_MIN = 11;

/** `unit_price` is what was bought, `amount` that and the fee; of a reversal it is what went back, less the commission. */
function hasAmount(transaction: Fields, amount: Kobo, meaning: Meaning): boolean {
  const price = readVendorNaira(transaction.unit_price) ?? amount;
  const fee = readVendorNaira(transaction.convinience_fee) ?? ZERO_KOBO;
  const sum = readVendorNaira(transaction.amount);
  if (price !== amount) return false;
  if (sum === undefined || sum === amount || sum === amount + fee) return true;
  const isReversal = meaning.kind === "reversed" || textOf(transaction, ["status"]) === "reversed";
  return isReversal && sum < amount && sum * 100n >= amount * (100n - COMMISSION_PERCENT_MAX);
}

/** More than any that is known; less would be a part of the purchase that went back. */
const COMMISSION_PERCENT_MAX = 10n;
