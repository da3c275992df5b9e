import type { FailureCode } from "../../kernel/failures.ts";
import { whyNotTurnedAway } from "../../kernel/turned-away.ts";
import { type Fields, readFields, textOf } from "../../kernel/vendor-fields.ts";
import { quoted } from "../../kernel/vendor-words.ts";
import type { Outcome } from "../provider.ts";
import { wordsOf } from "./answer.ts";
import { whyNotDelivered, whyNotRefused } from "./contradictions.ts";
import { factsOf, transactionOf } from "./facts.ts";
import { isKnown } from "./known.ts";
import { type Attempt, whyNotOurs } from "./ours.ts";
import { HTTP_STATUSES, INNER_STATUSES, type Meaning, REASONS, STATUSES } from "./statuses.ts";
import { whyNotOneToken } from "./tokens.ts";

/** Of our own troubles a subscriber hears no more than this. */
const NEUTRAL = "The vendor could not take it.";

export interface Answered extends Attempt {
  readonly call: "pay" | "requery";
  readonly status: number;
  readonly text: string;
  readonly duplicateWaitMs: number;
}

/** What a whole answer says of the attempt. Whatever the tables don't have is unknown, be the attempt known to the vendor or not. */
export function outcomeOf(answered: Answered): Outcome {
  const outcome = judge(answered);
  return outcome.kind === "unknown" && isKnown(answered) ? { ...outcome, isKnown: true } : outcome;
}

function judge(answered: Answered): Outcome {
  const { call, status, text, reference } = answered;
  const body = status < 500 ? readFields(text) : undefined;
  const code = body && textOf(body, ["code"]);
  if (!body || code === undefined) {
    const meaning = call === "pay" ? HTTP_STATUSES[status] : undefined;
    if (!meaning) return unknown(`HTTP ${status} without an answer that can be read`);
    const whyNot = whyNotTurnedAway(status, text, reference);
    return whyNot === undefined ? say(meaning, answered, {}) : unknown(`HTTP ${status} without a code, but ${whyNot}`);
  }
  const meaning = Object.hasOwn(STATUSES, code) ? STATUSES[code]?.[call] : undefined;
  if (!meaning) return unknown(`the code ${quoted(code)} is not listed`);
  const whyNot = whyNotOurs(body, answered, meaning);
  if (whyNot !== undefined) return unknown(whyNot);
  if (meaning.kind !== "by_status") return say(meaning, answered, body);
  const word = textOf(transactionOf(body), ["status"]) ?? "";
  const inner = Object.hasOwn(INNER_STATUSES, word) ? INNER_STATUSES[word] : undefined;
  if (!inner) return unknown(`the transaction's status ${quoted(word)} is not listed`);
  return inner === "delivered" ? delivered(answered, body) : say(inner, answered, body);
}

const unknown = (detail: string): Outcome => ({ kind: "unknown", detail });

function delivered({ status, payload }: Answered, body: Fields): Outcome {
  if (status >= 300) return unknown(`it is said to be delivered, under HTTP ${status}`);
  const whyNot =
    whyNotDelivered(body) ??
    (payload.product === "electricity" ? whyNotOneToken(body, transactionOf(body).extras) : undefined);
  if (whyNot !== undefined) return unknown(whyNot);
  const { tokens, ...facts } = factsOf(payload, body);
  // Seen in the open: the disco has the money, and the token comes later, in a requery.
  if (payload.product === "electricity" && !tokens)
    return { kind: "accepted", incomplete: true, ...named(body), facts };
  return { kind: "done", ...named(body), facts: tokens ? { ...facts, tokens } : facts };
}

/** The vendor's own id, too long for a number. */
function named(body: Fields): { providerReference?: string } {
  const id = textOf(transactionOf(body), ["transactionId", "transaction_id"]);
  return id !== undefined && id.length <= 100 ? { providerReference: id } : {};
}

function say(meaning: Meaning, { call, duplicateWaitMs, payload }: Answered, body: Fields): Outcome {
  const detail = wordsOf(body);
  const whyNot = whyNotRefused(meaning, body, payload);
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
      return { kind: "throttled", retryAfterMs: duplicateWaitMs, detail };
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
