import { statusAndCode } from "../../kernel/logged-code.ts";
import type { Verified } from "../../ports/verified.ts";
import { type Fields, factIn, fieldsOf, readFields, textOf } from "../../vendor-text/fields.ts";
import { shortWords } from "../../vendor-text/words.ts";
import { wordsOf } from "./answer.ts";

/** How one kind of recipient is verified by `merchant-verify`. */
export interface Verification<Query, Answer> {
  /** The call's body; undefined when nothing of it is sold here. */
  body(query: Query): Fields | undefined;
  /** Why there is none, for the log. */
  readonly notSold: string;
  read(query: Query, status: number, text: string): Answer;
}

/** What is said, for the log, where the vendor's answer has no words for it. */
interface Says {
  readonly unknown: string;
  readonly nameless: string;
}

/** `020` is in the vendor's table, `000` in its samples. */
const CONFIRMED = ["000", "020"];
const NOT_THERE = ["011", "012"];

/** Whose it is: the customer's name, and all else that an answer of `merchant-verify` says, by its biller's own names. */
export function readCustomer(
  status: number,
  text: string,
  says: Says,
): Verified<{ readonly name: string; readonly content: Fields }> {
  const body = status < 500 ? readFields(text) : undefined;
  const code = body && textOf(body, ["code"]);
  if (!body || code === undefined) return { kind: "unavailable", detail: `HTTP ${status} without a readable answer` };
  if (NOT_THERE.includes(code)) return { kind: "not_found", detail: wordsOf(body) };
  if (!CONFIRMED.includes(code)) return { kind: "unavailable", detail: statusAndCode(status, code) };
  const content = fieldsOf(body.content);
  if (isTrue(content.WrongBillersCode)) return { kind: "not_found", detail: says.unknown };
  const name = factIn(content, ["Customer_Name"]);
  if (name !== undefined) return { kind: "found", name, content };
  const error = textOf(content, ["error"]);
  return error === undefined
    ? { kind: "unavailable", detail: says.nameless }
    : { kind: "not_found", detail: shortWords(error) };
}

const isTrue = (value: unknown): boolean => value === true || (typeof value === "string" && /^true$/i.test(value));
