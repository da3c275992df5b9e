import { type Kobo, kobo, koboForPeople, koboToNaira } from "../../kernel/kobo.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import type { Outcome } from "../../ports/provider.ts";
import type { PurchaseFacts } from "../../ports/purchase-payload.ts";
import { membersIn } from "../../vendor-text/fields.ts";
import { quoted, wordOf } from "../../vendor-text/words.ts";
import { type Answer, type Fields, fieldsOf, goodFields, isFields, textOf, transactionIdOf } from "./answer.ts";
import { STATUS_NAME, whyNotRefused, whyNotSo, whyNotWhole } from "./contradictions.ts";
import { ERRORS, STATUSES } from "./errors.ts";
import { showsOurs, showsTopup, usesIdentifier } from "./evidence.ts";
import { readPlanCode } from "./operators.ts";
import type { ReloadlySettings } from "./settings.ts";
import type { Sold } from "./sold.ts";

/** Of our own troubles a subscriber hears no more than this. */
const NEUTRAL = "The vendor could not take it.";

const unknown = (detail: string): Outcome => ({ kind: "unknown", detail });

/** What was asked for. */
export interface Attempt {
  /** Our reference of the attempt. */
  readonly reference: string;
  /** E.164 without `+`. */
  readonly recipient: string;
  readonly sold: Sold;
}
type Waits = Pick<ReloadlySettings, "firstStatusMs" | "rechargeWaitMs" | "busyWaitMs">;

/** An attempt that may be known by the vendor's own number. */
export interface Numbered extends Attempt {
  readonly providerReference?: string | undefined;
}

/** What the answer to `POST /topups-async` says: taken, with a number and no more, or an error. */
export function acceptanceOf(answer: Answer, sold: Pick<Sold, "product">, waits: Waits, reference: string): Outcome {
  const outcome = judge(answer, sold, waits);
  const isRefusal = outcome.kind === "rejected" || outcome.kind === "throttled";
  if (isRefusal && usesIdentifier(answer, reference)) return asKnown(unknown(answer.words));
  return showsTopup(answer, reference) ? asKnown(outcome) : outcome;
}

/** What decides nothing may show all the same that the vendor has it: then it is never “not found” any more. */
const asKnown = (outcome: Outcome): Outcome => (outcome.kind === "unknown" ? { ...outcome, isKnown: true } : outcome);

function judge(answer: Answer, { product }: Pick<Sold, "product">, waits: Waits): Outcome {
  const providerReference = transactionIdOf(goodFields(answer)?.transactionId);
  if (providerReference !== undefined) return { kind: "accepted", providerReference, askAgainMs: waits.firstStatusMs };
  const { status, errorCode, words } = answer;
  if (errorCode === undefined) return unknown(`HTTP ${status} with an answer that can't be read`);
  const whyNot = whyNotRefused(answer);
  if (whyNot !== undefined) return unknown(whyNot);
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
export function stateOf(answer: Answer, attempt: Numbered): Outcome {
  const body = goodFields(answer);
  // The vendor gave us this number: that it does not know it proves nothing.
  if (!body) return unreadable(answer, attempt);
  return outcomeOf(body, isFields(body.transaction) ? body.transaction : body, attempt);
}

/** What the report of transactions with our customIdentifier says of it. Undefined: there is none. */
export function reportedStateOf(answer: Answer, attempt: Attempt): Outcome {
  const report = goodFields(answer);
  const content = report?.content;
  if (!report || !Array.isArray(content)) return unreadable(answer, attempt);
  if (content.length === 0) {
    const whyNot = answer.status === 200 ? whyNotWhole(report, 0) : `an empty report under HTTP ${answer.status}`;
    return whyNot === undefined
      ? { kind: "not_found", detail: "the vendor has no transaction of this identifier" }
      : unknown(whyNot);
  }
  const own = content.filter(isFields).filter(({ customIdentifier }) => customIdentifier === attempt.reference);
  // A list of others means that the question was not understood.
  if (own.length === 0) return unknown("the report is about other transactions");
  return asKnown(endOf(report, own, attempt));
}

/** What can't be read as what was asked for may show our transaction all the same. */
function unreadable(answer: Answer, { reference }: Attempt): Outcome {
  const outcome = unknown(`HTTP ${answer.status} ${answer.words}`.trim());
  return showsOurs(answer, reference) ? asKnown(outcome) : outcome;
}

/** What became of what is listed under our identifier, which the vendor therefore has. */
function endOf(report: Fields, own: readonly Fields[], attempt: Attempt): Outcome {
  const content = report.content as readonly unknown[];
  const whyNot = whyNotWhole(report, content.length);
  // Two of one identifier should not be. One that was delivered decides.
  const told = own.find(({ status }) => status === "SUCCESSFUL") ?? own.find(isPending);
  if (told) return outcomeOf(told, told, attempt);
  // That none was is known when all are there, and of all the same is said.
  const others = own.filter(({ status }) => status !== own[0]?.status).map(({ status }) => quoted(wordOf(status)));
  if (others.length > 0) return unknown(`the vendor says ${quoted(wordOf(own[0]?.status))} and ${others[0]} at once`);
  if (whyNot !== undefined) return unknown(whyNot);
  if (!content.every((one) => textOf(fieldsOf(one).customIdentifier) !== undefined))
    return unknown("the report has a transaction without an identifier");
  return allOf(own.map((one) => outcomeOf(one, one, attempt)));
}

/** What several transactions of one status come to: any of them may not be ours. */
const allOf = (outcomes: readonly Outcome[]): Outcome =>
  outcomes.find(({ kind }) => kind === "unknown") ?? outcomes[0] ?? unknown("the report is empty");

const isPending = ({ status }: Fields): boolean => STATUSES[wordOf(status)] === "pending";

/** `answer`: all that is said, the transaction and what stands around it. */
function outcomeOf(answer: Fields, transaction: Fields, attempt: Numbered): Outcome {
  const whyNot = attemptMismatch(answer, transaction, attempt);
  if (whyNot !== undefined) return unknown(whyNot);
  const statuses = membersIn(answer).filter(({ name }) => STATUS_NAME.test(name));
  const [word = "", other] = new Set(statuses.map(({ text }) => text));
  if (other !== undefined) return unknown(`the vendor says ${quoted(word)} and ${quoted(other)} at once`);
  const meaning = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
  const id = transactionIdOf(transaction.transactionId);
  const named = id === undefined ? {} : { providerReference: id };
  const whyNotThat = meaning === undefined || meaning === "pending" ? undefined : whyNotSo(meaning, answer);
  if (whyNotThat !== undefined) return unknown(whyNotThat);
  switch (meaning) {
    case "delivered":
      return delivered(answer, transaction, attempt, named);
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
function attemptMismatch(
  answer: Fields,
  { requestedAmount, requestedAmountCurrencyCode }: Fields,
  { reference, recipient, sold, providerReference }: Numbered,
): string | undefined {
  const members = membersIn(answer);
  const textsOf = (name: string) => members.flatMap((member) => (member.name === name ? member.text : []));
  if (textsOf("customIdentifier").some((text) => text !== reference)) return "the answer is about another transaction";
  if (providerReference !== undefined && textsOf("transactionId").some((text) => text !== providerReference))
    return "the answer is about another transactionId";
  if (textsOf("recipientPhone").some((text) => !text.replaceAll(/\D/g, "").endsWith(recipient.slice(-10))))
    return "the answer is about another recipient";
  // On an account in another currency it is in that one.
  const said = requestedAmountCurrencyCode === "NGN" ? readVendorNaira(requestedAmount) : undefined;
  return said === undefined || said === amountOf(sold) ? undefined : "the answer is about another amount";
}

function delivered(
  answer: Fields,
  transaction: Fields,
  { sold }: Attempt,
  named: { providerReference?: string },
): Outcome {
  const asked = amountOf(sold);
  const short = shortOf(transaction, asked);
  const doubt = (why: string) => ({ doubt: { why, answer: JSON.stringify(answer) } });
  if (short?.isTooMuch) {
    const why = "it is said to be delivered, and of another amount";
    return { ...unknown(why), ...doubt(why) };
  }
  const facts = factsOf(transaction, sold);
  if (!short || asked === undefined) return { kind: "done", ...named, facts: { ...facts } };
  const { came, isExplained } = short;
  const why = `${koboForPeople(came)} of ${koboForPeople(asked)} was delivered, and neither a fee nor the rate in the answer explains it`;
  return {
    kind: "done",
    ...named,
    facts: { ...facts, delivered_amount: koboToNaira(came) },
    ...(!isExplained && doubt(why)),
  };
}

/** What operators take for themselves, and an account in another currency loses to its rate, is less than this. */
const SHORT_PERCENT_MAX = 10n;

interface Short {
  readonly came: Kobo;
  /** A fee that the answer names, or the last place of an amount in another currency, is as much. */
  readonly isExplained: boolean;
  /** So much that it can't be what was asked for. */
  readonly isTooMuch: boolean;
}

/** How much less was delivered than was ordered, as far as the answer says; undefined: no less. */
function shortOf(transaction: Fields, asked: Kobo | undefined): Short | undefined {
  const came = readVendorNaira(transaction.deliveredAmount);
  if (came === undefined) return undefined;
  const currency = transaction.deliveredAmountCurrencyCode ?? transaction.requestedAmountCurrencyCode;
  if (currency !== "NGN" || asked === undefined)
    return came > 0n ? undefined : { came, isExplained: false, isTooMuch: true };
  if (came >= asked) return undefined;
  const isTooMuch = came * 100n < asked * (100n - SHORT_PERCENT_MAX);
  return { came, isExplained: asked - came <= explainedKobo(transaction, came), isTooMuch };
}

/** What of a short delivery the vendor's own figures explain. */
function explainedKobo(transaction: Fields, came: Kobo): bigint {
  const { requestedAmountCurrencyCode, requestedAmount, fee } = transaction;
  // The fee is in the account's currency, like the amount that was asked of it.
  const own = readVendorNaira(fee) ?? 0n;
  if (requestedAmountCurrencyCode === undefined || requestedAmountCurrencyCode === "NGN") return own;
  const paid = readVendorNaira(requestedAmount);
  if (paid === undefined || paid <= 0n) return 0n;
  // At the answer's own rate: the fee, and the cent that the amount was rounded to.
  return ((own + 1n) * came) / paid + 1n;
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
