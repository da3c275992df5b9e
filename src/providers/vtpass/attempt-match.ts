import { type Kobo, ZERO_KOBO } from "../../kernel/kobo.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import { type Fields, fieldsOf, isFields, membersIn, textOf } from "../../vendor-text/fields.ts";
import { transactionOf } from "./answer.ts";
import { type Attempt, soldOf } from "./products.ts";
import type { Meaning } from "./statuses.ts";

/** Why an answer is not about our attempt; undefined when nothing in it says so. `meaning`: what its code says. */
export function attemptMismatch(body: Fields, attempt: Attempt, meaning: Meaning): string | undefined {
  const { reference } = attempt;
  const { isAnothers, amountKobo } = soldOf(attempt);
  const members = membersIn(body);
  const transactions = transactionsOf(body);
  const echoes = members.filter(({ name }) => REQUEST_ID_NAME.test(name));
  if (echoes.some(({ text }) => text !== reference)) return "the answer is about another request_id";
  // Every sample with a transaction echoes it. A refusal is the answer to our call, whether there is a transaction yet or not.
  const isRefusal = meaning.kind === "failed" || meaning.kind === "rejected";
  if (echoes.length === 0 && !isRefusal && membersIn(transactions).length > 0)
    return "the answer does not say its request_id";
  if (members.some(isAnothers)) return "the answer is about another recipient";
  const isOurAmount = amountKobo === undefined || transactions.every((one) => hasAmount(one, amountKobo, meaning));
  return isOurAmount ? undefined : "the answer is about another amount";
}

export const REQUEST_ID_NAME = /^request_?id$/i;

/** One, or a list of them. */
function transactionsOf(body: Fields): readonly Fields[] {
  const { transactions } = fieldsOf(body.content);
  return Array.isArray(transactions) ? transactions.filter(isFields) : [transactionOf(body)];
}

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
