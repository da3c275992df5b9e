import { kobo, koboToNaira, ZERO_KOBO } from "../../kernel/kobo.ts";
import { readTime } from "../../kernel/rfc3339.ts";
import type { PaidBy, Verification } from "../../ports/funding.ts";
import { quoted, shortWords, wordOf } from "../../vendor-text/words.ts";
import { type Answer, amountOf, isObject, textOf } from "./answer.ts";
import type { PaystackSettings } from "./settings.ts";

/**
 * What each status of a transaction means. `failed` is not the end: the payer may try another card on the same page.
 * A status that is not here is `unknown`.
 */
export const STATUS_TABLE: Readonly<Record<string, "paid" | "unpaid" | "reversed">> = {
  success: "paid",
  abandoned: "unpaid", // also what a page is that nobody has opened
  failed: "unpaid",
  ongoing: "unpaid",
  pending: "unpaid",
  processing: "unpaid",
  queued: "unpaid",
  reversed: "reversed",
};

type Rules = Pick<PaystackSettings, "feesPaidBy" | "sandbox">;

/** Reads the answer to `GET /transaction/verify/{reference}`. */
export function verificationOf(reference: string, answer: Answer, { feesPaidBy, sandbox }: Rules): Verification {
  if (answer.kind === "unclear") return unknown(answer.detail, answer.answer);
  if (answer.kind === "refused")
    return answer.status === 404 || /not found/i.test(answer.message)
      ? { kind: "not_found" }
      : unknown(`HTTP ${answer.status}: ${answer.message}`, answer.answer);

  const { data } = answer;
  if (data.reference !== reference) return unknown("the answer is about another reference");
  const status = wordOf(data.status).toLowerCase();
  const meaning = Object.hasOwn(STATUS_TABLE, status) ? STATUS_TABLE[status] : undefined;
  if (meaning === undefined) return unknown(`the status ${quoted(status)} is not in Paystack's documents`);
  if (meaning === "unpaid") return { kind: "unpaid", detail: status };
  if (meaning === "reversed") return { kind: "reversed", detail: status };

  const paidBy = paidByOf(data);
  const notCreditable = (why: string): Verification => ({ kind: "not_creditable", detail: why, ...paidBy });
  const currency = shortWords(wordOf(data.currency).toUpperCase(), 10);
  if (currency !== "NGN") return notCreditable(`paid ${paidText(data.amount, currency)}, not in naira`);
  const domain = wordOf(data.domain).toLowerCase();
  if (domain !== (sandbox ? "test" : "live"))
    return notCreditable(`paid ${paidText(data.amount, currency)} in Paystack's domain ${quoted(domain)}`);
  const charged = amountOf(data.amount);
  const fees = feesPaidBy === "payer" ? amountOf(data.fees) : ZERO_KOBO;
  if (charged === undefined || fees === undefined || charged <= fees) return unknown("the amount can't be read");
  const paidAt = readTime(wordOf(data.paid_at ?? data.paidAt));
  if (!paidAt) return unknown("the time of payment can't be read");

  return { kind: "paid", amountKobo: kobo(charged - fees), paidAt, ...paidBy };
}

function paidByOf({ customer, authorization }: Readonly<Record<string, unknown>>): PaidBy {
  const code = isObject(customer) ? textOf(customer.customer_code) : undefined;
  const accountNumber = isObject(authorization) ? textOf(authorization.receiver_bank_account_number) : undefined;
  return { ...(code !== undefined && { customer: code }), ...(accountNumber !== undefined && { accountNumber }) };
}

/** Amounts of every currency that Paystack has are in hundredths. */
function paidText(amount: unknown, currency: string): string {
  const hundredths = amountOf(amount);
  return hundredths === undefined
    ? `an amount that can't be read in ${currency}`
    : `${koboToNaira(hundredths)} ${currency}`;
}

const unknown = (detail: string, answer?: string): Verification => ({
  kind: "unknown",
  detail,
  ...(answer !== undefined && { answer }),
});
