import { readEvidence } from "../../vendor-text/evidence.ts";
import { parseExactJson } from "../../vendor-text/exact-json.ts";
import { shortWords } from "../../vendor-text/words.ts";

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** A text that says something; numbers are texts here (see `parseExactJson`). */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

/** The vendor's number of a transaction: only digits are one. */
export const transactionIdOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && /^\d{1,20}$/.test(text) ? text : undefined;
};

/** An answer, read: JSON with numbers as texts, undefined for HTML, an empty or a torn one. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The vendor's `errorCode`; undefined when it names none. */
  readonly errorCode: string | undefined;
  /** Its words for people, short. */
  readonly words: string;
  /** What can be read of it, also when it is torn. It shows that the vendor has a top-up, and decides nothing. */
  readonly evidence: Fields;
}

export function readAnswer(status: number, text: string): Answer {
  const body = parseExactJson(text);
  const { errorCode, message } = fieldsOf(body);
  const words = shortWords([textOf(errorCode), textOf(message)].filter(Boolean).join(": "));
  return { status, body, errorCode: textOf(errorCode), words, evidence: readEvidence(text) ?? {} };
}

/** An answer that broke off decides nothing, even if what came of it can be read. */
export const readPart = (status: number, text: string, why: string): Answer => ({
  ...readAnswer(status, text),
  body: undefined,
  errorCode: undefined,
  words: why,
});

/** The answer's object, if it is a good one. */
export const goodFields = ({ status, body, errorCode }: Answer): Fields | undefined =>
  status >= 200 && status < 300 && errorCode === undefined && isFields(body) ? body : undefined;
