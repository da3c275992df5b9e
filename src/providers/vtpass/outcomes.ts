import type { FailureCode } from "../../kernel/failures.ts";
import type { Outcome } from "../../ports/provider.ts";
import { whyNotTurnedAway } from "../../vendor-text/auth-refusal.ts";
import { hasMemberTwice } from "../../vendor-text/exact-json.ts";
import { type Fields, readFields, textOf } from "../../vendor-text/fields.ts";
import { quoted } from "../../vendor-text/words.ts";
import { transactionOf, wordsOf } from "./answer.ts";
import type { Answered } from "./answered.ts";
import { attemptMismatch } from "./attempt-match.ts";
import { whyNotDelivered, whyNotRefused } from "./contradictions.ts";
import { evidenceOf, refusesAsUsed } from "./evidence.ts";
import { soldOf } from "./products.ts";
import { HTTP_STATUSES, INNER_STATUSES, type Meaning, REASONS, STATUSES } from "./statuses.ts";

/** Of our own troubles a subscriber hears no more than this. */
const NEUTRAL = "The vendor could not take it.";

/** What a whole answer says of the attempt. Whatever the tables don't have is unknown, be the attempt known to the vendor or not. */
export function outcomeOf(answered: Answered): Outcome {
  const outcome = judge(answered);
  const isRefusal = outcome.kind === "rejected" || outcome.kind === "throttled";
  if (isRefusal && refusesAsUsed(answered)) return partOutcomeOf(outcome.detail, answered);
  return outcome.kind === "unknown" ? withEvidence(outcome, answered) : outcome;
}

/** What an answer that came in part shows; it decides nothing. */
export const partOutcomeOf = (detail: string, answered: Answered): Outcome =>
  withEvidence({ kind: "unknown", detail }, answered);

function withEvidence(outcome: Extract<Outcome, { kind: "unknown" }>, answered: Answered): Outcome {
  const { isKnown, hasToken } = evidenceOf(answered);
  if (!isKnown) return outcome;
  const shown = { why: "it has a token, and does not say clearly that it is delivered", answer: answered.text };
  const doubt = outcome.doubt ?? (hasToken ? shown : undefined);
  return { ...outcome, isKnown, ...(doubt && { doubt }) };
}

function judge(answered: Answered): Outcome {
  const { call, status, text, reference } = answered;
  const body = status < 500 ? readFields(text) : undefined;
  const code = body && textOf(body, ["code"]);
  if (!body && status < 500 && hasMemberTwice(text)) return unknown("its answer has a member twice", text);
  if (!body || code === undefined) {
    const meaning = call === "pay" ? HTTP_STATUSES[status] : undefined;
    if (!meaning) return unknown(`HTTP ${status} without an answer that can be read`);
    const whyNot = whyNotTurnedAway(status, text, reference);
    return whyNot === undefined ? say(meaning, answered, {}) : unknown(`HTTP ${status} without a code, but ${whyNot}`);
  }
  const meaning = Object.hasOwn(STATUSES, code) ? STATUSES[code]?.[call] : undefined;
  if (!meaning) return unknown(`the code ${quoted(code)} is not listed`);
  const whyNot = attemptMismatch(body, answered, meaning);
  if (whyNot !== undefined) return unknown(whyNot);
  if (meaning.kind !== "by_status") return say(meaning, answered, body);
  const word = textOf(transactionOf(body), ["status"]) ?? "";
  const inner = Object.hasOwn(INNER_STATUSES, word) ? INNER_STATUSES[word] : undefined;
  if (!inner) return unknown(`the transaction's status ${quoted(word)} is not listed`, text);
  return inner === "delivered" ? delivered(answered, body) : say(inner, answered, body);
}

/** `answer`: what it says of a delivery and can't be read, so that a person must look at it. */
const unknown = (detail: string, answer?: string): Outcome => ({
  kind: "unknown",
  detail,
  ...(answer !== undefined && { doubt: { why: detail, answer } }),
});

function delivered(answered: Answered, body: Fields): Outcome {
  const { status, text } = answered;
  if (status >= 300) return unknown(`it is said to be delivered, under HTTP ${status}`);
  const whyNot = whyNotDelivered(body);
  if (whyNot !== undefined) return unknown(whyNot);
  const { facts, doubts = [], unreadable, isIncomplete } = soldOf(answered).delivery(text, body);
  if (unreadable !== undefined) return unknown(unreadable, text);
  const told = {
    ...named(body),
    facts: { ...facts },
    ...(doubts.length > 0 && { doubt: { why: doubts.join("; "), answer: text } }),
  };
  return isIncomplete ? { kind: "accepted", incomplete: true, ...told } : { kind: "done", ...told };
}

/** The vendor's own id, too long for a number. */
function named(body: Fields): { providerReference?: string } {
  const id = textOf(transactionOf(body), ["transactionId", "transaction_id"]);
  return id !== undefined && id.length <= 100 ? { providerReference: id } : {};
}

function say(meaning: Meaning, answered: Answered, body: Fields): Outcome {
  const { call, duplicateWaitMs } = answered;
  const detail = wordsOf(body);
  const whyNot = whyNotRefused(meaning, body, soldOf(answered));
  if (whyNot !== undefined) return unknown(whyNot);
  switch (meaning.kind) {
    case "pending":
      return { kind: "accepted", ...named(body) };
    case "failed":
      return failed(detail);
    case "rejected": {
      const { kind, scope, code, alarm } = meaning;
      return alarm === undefined ? { kind, scope, code, detail } : { kind, scope, code, detail: NEUTRAL, alarm };
    }
    case "duplicate":
      return { kind: "throttled", retryAfterMs: duplicateWaitMs, detail, isLikeAnother: true };
    case "not_found":
      return { kind: "not_found", detail };
    case "reversed":
      return call === "requery" ? { kind: "reversed", detail } : unknown(detail);
    default:
      return unknown(detail);
  }
}

function failed(detail: string): Outcome {
  const code: FailureCode | undefined = REASONS.find(([text]) => text.test(detail))?.[1];
  return code
    ? { kind: "rejected", scope: "order", code, detail }
    : { kind: "rejected", scope: "route", code: "vendor_failed", detail };
}
