import { type Kobo, kobo } from "../../kernel/kobo.ts";
import { statusAndCode } from "../../kernel/logged-code.ts";
import { parseExactJson } from "../../vendor-text/exact-json.ts";
import { shortWords } from "../../vendor-text/words.ts";
import type { HttpOutcome } from "../http-call.ts";

type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Paystack's envelope: `{status: true, message, data}`. `answer` is for logs: status and code, without its words. */
export type Answer =
  | { readonly kind: "success"; readonly data: Json }
  /** Its own words for why not, with a whole envelope: `{status: false, message}`. */
  | { readonly kind: "refused"; readonly answer: string; readonly status: number; readonly message: string }
  /** No word of Paystack's that could be relied on. */
  | { readonly kind: "unclear"; readonly answer: string; readonly detail: string };

export function readAnswer(outcome: HttpOutcome): Answer {
  if (outcome.kind !== "answered") return { kind: "unclear", answer: outcome.detail, detail: outcome.detail };
  const { status, text } = outcome;
  const envelope = parseJson(text);
  if (!isObject(envelope)) {
    const detail = `HTTP ${status} with a body that is not Paystack's`;
    return { kind: "unclear", answer: detail, detail };
  }
  const answer = statusAndCode(status, textOf(envelope.code));
  const message = typeof envelope.message === "string" ? shortWords(envelope.message) : "";
  if ((status === 200 || status === 201) && envelope.status === true && isObject(envelope.data))
    return { kind: "success", data: envelope.data };
  if (status >= 400 && status < 500 && envelope.status === false) return { kind: "refused", answer, status, message };
  return { kind: "unclear", answer, detail: `HTTP ${status}: ${message || "an answer that is not in its documents"}` };
}

/** Undefined when the text is no JSON or says a thing twice. Amounts are whole, so that numbers are exact as such. */
export const parseJson = (text: string): unknown => (parseExactJson(text) === undefined ? undefined : JSON.parse(text));

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** A whole number of kobo, written as a number or, as some of its answers do, in digits; nothing else is an amount. */
export function amountOf(value: unknown): Kobo | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? kobo(value) : undefined;
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? kobo(value) : undefined;
}
