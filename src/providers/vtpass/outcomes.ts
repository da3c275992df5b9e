import type { FailureCode } from "../../kernel/failures.ts";
import type { PurchasePayload } from "../../kernel/purchase-payload.ts";
import { type Fields, readFields, textOf } from "../../kernel/vendor-fields.ts";
import type { Outcome } from "../provider.ts";
import { wordsOf } from "./answer.ts";
import { factsOf, transactionOf } from "./facts.ts";
import { HTTP_STATUSES, INNER_STATUSES, type Meaning, REASONS, STATUSES } from "./statuses.ts";

/** Of our own troubles a subscriber hears no more than this. */
const NEUTRAL = "The vendor could not take it.";

export interface Answered {
  readonly call: "pay" | "requery";
  readonly status: number;
  readonly text: string;
  /** Our reference of the attempt. */
  readonly reference: string;
  readonly payload: PurchasePayload;
  readonly duplicateWaitMs: number;
}

/** What a whole answer says of the attempt. Whatever the tables don't have is unknown. */
export function outcomeOf(answered: Answered): Outcome {
  const { call, status, text, reference } = answered;
  const body = status < 500 ? readFields(text) : undefined;
  const code = body && textOf(body, ["code"]);
  if (!body || code === undefined) {
    const meaning = call === "pay" ? HTTP_STATUSES[status] : undefined;
    return meaning ? say(meaning, answered, {}) : unknown(`HTTP ${status} without an answer that can be read`);
  }
  const echoed = textOf(body, ["requestId", "request_id"]);
  if (echoed !== undefined && echoed !== reference) return unknown("the answer is about another request_id");
  const meaning = STATUSES[code]?.[call];
  if (!meaning) return unknown(`the code ${code.slice(0, 20)} is not listed`);
  if (meaning.kind !== "by_status") return say(meaning, answered, body);
  const word = textOf(transactionOf(body), ["status"]) ?? "";
  const inner = Object.hasOwn(INNER_STATUSES, word) ? INNER_STATUSES[word] : undefined;
  if (!inner) return unknown(`the transaction's status ${JSON.stringify(word.slice(0, 20))} is not listed`);
  return inner === "delivered" ? delivered(answered.payload, body) : say(inner, answered, body);
}

const unknown = (detail: string): Outcome => ({ kind: "unknown", detail });

function delivered(payload: PurchasePayload, body: Fields): Outcome {
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
  const isRefusal = meaning.kind === "failed" || meaning.kind === "rejected" || meaning.kind === "not_found";
  if (isRefusal && factsOf(payload, body).tokens) return unknown("it is said to have failed, and has a token");
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
