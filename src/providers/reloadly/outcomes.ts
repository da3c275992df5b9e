import { type Kobo, kobo, koboToNaira } from "../../kernel/kobo.ts";
import type { AirtimePayload, DataPayload, PurchaseFacts } from "../../kernel/purchase-payload.ts";
import { readVendorNaira } from "../../kernel/vendor-naira.ts";
import { quoted } from "../../kernel/vendor-words.ts";
import type { Outcome } from "../provider.ts";
import { type Answer, type Fields, fieldsOf, goodFields, isFields, textOf, transactionIdOf } from "./answer.ts";
import { ERRORS, STATUSES } from "./errors.ts";
import { readPlanCode } from "./operators.ts";
import type { ReloadlySettings } from "./settings.ts";

/** Of our own troubles a subscriber hears no more than this. */
const NEUTRAL = "The vendor could not take it.";

const unknown = (detail: string): Outcome => ({ kind: "unknown", detail });

type Sold = AirtimePayload | DataPayload;

/** What was asked for. */
export interface Attempt {
  /** Our reference of the attempt. */
  readonly reference: string;
  /** E.164 without `+`. */
  readonly recipient: string;
  readonly sold: Sold;
}
type Waits = Pick<ReloadlySettings, "firstStatusMs" | "rechargeWaitMs" | "busyWaitMs">;

/** What the answer to `POST /topups-async` says: taken, with a number and no more, or an error. */
export function acceptanceOf(answer: Answer, { product }: Pick<Sold, "product">, waits: Waits): Outcome {
  const providerReference = transactionIdOf(goodFields(answer)?.transactionId);
  if (providerReference !== undefined) return { kind: "accepted", providerReference, askAgainMs: waits.firstStatusMs };
  const { status, body, errorCode, words } = answer;
  if (errorCode === undefined) return unknown(`HTTP ${status} with an answer that can't be read`);
  if (textOf(fieldsOf(body).transactionId) !== undefined) return unknown("it is said to be refused, and has a number");
  const meaning = Object.hasOwn(ERRORS, errorCode) ? ERRORS[errorCode] : undefined;
  switch (meaning?.kind) {
    case undefined:
      return unknown(`the error ${quoted(errorCode)} is not listed`);
    case "unknown":
      return unknown(words);
    case "throttled": {
      const retryAfterMs = meaning.wait === "recharge" ? waits.rechargeWaitMs : waits.busyWaitMs;
      return { kind: "throttled", retryAfterMs, detail: words };
    }
    case "amount":
      // A bundle is sold by its amount and here alone; airtime of this amount another vendor may have.
      return product === "data"
        ? { kind: "rejected", scope: "order", code: "plan_not_found", detail: words }
        : { kind: "rejected", scope: "route", code: "amount_out_of_bounds", detail: words };
    case "rejected": {
      const { kind, scope, code, alarm } = meaning;
      return alarm === undefined ? { kind, scope, code, detail: words } : { kind, scope, code, detail: NEUTRAL, alarm };
    }
  }
}

/** What `GET /topups/{id}/status` says of our attempt. It has the transaction in a field of its own, or is it. */
export function stateOf(answer: Answer, attempt: Attempt): Outcome {
  const body = goodFields(answer);
  // The vendor gave us this number: that it does not know it proves nothing.
  if (!body) return unknown(`HTTP ${answer.status} ${answer.words}`.trim());
  const transaction = isFields(body.transaction) ? body.transaction : body;
  const [outer, inner] = [textOf(body.status), textOf(transaction.status)];
  if (outer !== undefined && inner !== undefined && outer !== inner)
    return unknown(`the vendor says ${quoted(outer)} and ${quoted(inner)} at once`);
  return outcomeOf(outer ?? inner, transaction, attempt);
}

/** What the report of transactions with our customIdentifier says of it. Undefined: there is none. */
export function reportedStateOf(answer: Answer, attempt: Attempt): Outcome {
  const content = goodFields(answer)?.content;
  if (!Array.isArray(content)) return unknown(`HTTP ${answer.status} ${answer.words}`.trim());
  if (content.length === 0) return { kind: "not_found", detail: "the vendor has no transaction of this identifier" };
  const own = content.filter(isFields).filter(({ customIdentifier }) => customIdentifier === attempt.reference);
  // A list of others means that the question was not understood.
  if (own.length === 0) return unknown("the report is about other transactions");
  // Two of one identifier should not be. One that was delivered decides.
  const told = own.find(({ status }) => status === "SUCCESSFUL") ?? own.find(isPending) ?? own[0]!;
  return outcomeOf(textOf(told.status), told, attempt);
}

const isPending = ({ status }: Fields): boolean => STATUSES[String(status)] === "pending";

function outcomeOf(status: string | undefined, transaction: Fields, attempt: Attempt): Outcome {
  const whyNot = whyNotOurs(transaction, attempt);
  if (whyNot !== undefined) return unknown(whyNot);
  const word = status ?? "";
  const meaning = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
  const id = transactionIdOf(transaction.transactionId);
  const named = id === undefined ? {} : { providerReference: id };
  switch (meaning) {
    case "delivered":
      return { kind: "done", ...named, facts: { ...factsOf(transaction, attempt.sold) } };
    case "pending":
      return { kind: "accepted", ...named };
    case "failed":
      return { kind: "rejected", scope: "route", code: "vendor_failed", detail: `the vendor says ${word}` };
    case "reversed":
      return { kind: "reversed", detail: `the vendor says ${word}` };
    case undefined:
      return unknown(`the status ${quoted(word)} is not listed`);
  }
}

/** Why a transaction is not our attempt; undefined when nothing in it says so. */
function whyNotOurs(transaction: Fields, { reference, recipient, sold }: Attempt): string | undefined {
  const { customIdentifier, recipientPhone, requestedAmount, requestedAmountCurrencyCode } = transaction;
  if ((textOf(customIdentifier) ?? reference) !== reference) return "the answer is about another transaction";
  const phone = textOf(recipientPhone)?.replaceAll(/\D/g, "");
  if (phone !== undefined && !phone.endsWith(recipient.slice(-10))) return "the answer is about another recipient";
  // On an account in another currency it is in that one.
  const said = requestedAmountCurrencyCode === "NGN" ? readVendorNaira(requestedAmount) : undefined;
  return said === undefined || said === amountOf(sold) ? undefined : "the answer is about another amount";
}

/** What was asked for, in naira: a bundle is its amount. */
const amountOf = (sold: Sold): Kobo | undefined =>
  sold.product === "airtime" ? kobo(sold.amount_kobo) : readVendorNaira(readPlanCode(sold.plan.code)?.amount);

/** A number that was topped up on a network is on it. */
function factsOf(transaction: Fields, { network }: Sold): PurchaseFacts {
  const { cost, currencyCode } = fieldsOf(transaction.balanceInfo);
  const costKobo = currencyCode === "NGN" ? readVendorNaira(cost) : undefined;
  const receipt = textOf(transaction.operatorTransactionId);
  return {
    network,
    ...(costKobo === undefined ? {} : { cost: koboToNaira(costKobo) }),
    ...(receipt === undefined ? {} : { receipt_number: receipt }),
  };
}
