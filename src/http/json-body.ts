import { isUtf8 } from "node:buffer";
import { badCharacter } from "../kernel/bad-character.ts";
import { type Fault, type FaultCode, refusal } from "../kernel/refusal.ts";
import { atOnce, type Steps } from "../kernel/slices.ts";
import { firstJsonFault } from "./json-fault.ts";
import { sizeFault } from "./json-size.ts";
import { RefusedError } from "./problems.ts";
import { repeatedName } from "./repeated-names.ts";

/**
 * Escapes that may hide U+0000 or a surrogate, or an escaped letter of `__proto__`: only then are the values walked.
 */
const SUSPICIOUS = /\\u(?:00[0-7]|d[89a-f])|__proto__/i;

/** Long enough for a float to round it to a whole number: only then are numbers looked at as they are written. */
const LONG_FRACTION = /\.\d{10}/;

const FAULTS_MAX = 100;
const POINTER_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 100;

/** Places whose texts may have characters that no text may have: whoever reads the body then refuses each such item alone. */
export type ItemTexts = (pointer: string) => boolean;

const NONE: ItemTexts = () => false;

/**
 * The JSON value of a body. Stricter than `JSON.parse` in what may corrupt data further on: bytes that are not UTF-8,
 * U+0000 (PostgreSQL's text has none) and lone surrogates (UTF-8 has none) are `invalid_character`; a fraction that a float
 * would round to a whole number stays a text; a member called
 * `__proto__` is refused, as it would change an object that copies it, and so is a member that is written twice.
 * Cost: grows with the length alone, and `sizeFault` bounds what each value costs further on.
 * Errors: throws `RefusedError`.
 */
export function* readJsonBody(bytes: Buffer, itemTexts: ItemTexts = NONE): Steps<unknown> {
  if (!isUtf8(bytes)) {
    throw new RefusedError(refusal("invalid_character", "The body is not UTF-8. Send JSON encoded as UTF-8."));
  }
  const text = bytes.toString("utf8", hasByteOrderMark(bytes) ? BYTE_ORDER_MARK.length : 0);
  const oversized = sizeFault(text);
  if (oversized) throw new RefusedError(oversized);
  yield;
  let value: unknown;
  try {
    value = LONG_FRACTION.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text);
  } catch (error) {
    throw new RefusedError(unreadable(text, error));
  }
  yield;
  if (SUSPICIOUS.test(text)) yield* refuseBadCharacters(value, itemTexts);
  yield;
  const repeated = repeatedName(text);
  if (repeated !== undefined) throw new RefusedError(writtenTwice(repeated.slice(0, NAME_LENGTH_MAX)));
  return value;
}

/** Some editors and spreadsheets put it in front; RFC 8259 section 8.1 lets it be ignored. */
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

const hasByteOrderMark = (bytes: Buffer): boolean => bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);

/** The same in one go, for a body that is short. */
export const parseJsonBody = (bytes: Buffer): unknown => atOnce(readJsonBody(bytes));

/** 499.99999999999999999 is no 500: what a float would make whole stays the text that it is, and is refused as one. */
function asWritten(_name: string, value: unknown, { source = "" }: { readonly source?: string } = {}): unknown {
  return Number.isInteger(value) && /^-?\d+\.\d*[1-9]\d*$/.test(source) ? source : value;
}

const writtenTwice = (name: string) =>
  refusal("validation_failed", `The field \`${name}\` is in the same object twice. Send it once.`, {
    errors: [{ pointer: "", code: "repeated_field", detail: `\`${name}\` is in the same object twice.` }],
  });

function unreadable(text: string, error: unknown) {
  if (text.trim() === "") return refusal("invalid_json", "The body is empty. Send a JSON object.");
  if (text.includes("\0")) return refusal("invalid_character", "The body has a NUL byte, which no text may have.");
  const found = firstJsonFault(text);
  const exact =
    error instanceof SyntaxError ? /position \d+ \(line \d+ column \d+\)/.exec(error.message)?.[0] : undefined;
  const where = exact ?? (found && `position ${found.position} (line ${found.line} column ${found.column})`);
  return refusal(
    "invalid_json",
    `The body can't be read as JSON. The first fault is at ${where ?? "its end"}${found ? `: ${found.advice}` : ""}.`,
  );
}

/** The places of what is wrong. Walks no more values than `sizeFault` lets through. */
function* refuseBadCharacters(body: unknown, itemTexts: ItemTexts): Steps<void> {
  const characters: Fault[] = [];
  const names: Fault[] = [];
  const open: { pointer: string; value: unknown }[] = [{ pointer: "", value: body }];
  for (let item = open.pop(); item && characters.length < FAULTS_MAX; item = open.pop()) {
    const { pointer, value } = item;
    if (typeof value === "string") {
      const what = badCharacter(value);
      if (what && !itemTexts(pointer))
        characters.push(fault(pointer, "invalid_character", `${nameOf(pointer)} has ${what}. Take it out.`));
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const what = badCharacter(name);
        if (what) characters.push(fault(pointer, "invalid_character", `A field name has ${what}.`));
        else if (name === "__proto__")
          names.push(fault(`${pointer}/__proto__`, "unknown_field", "`__proto__` is not a field."));
        else open.push({ pointer: `${pointer}/${escapePointer(name)}`, value: member });
      }
      yield;
    }
  }
  if (characters.length > 0) {
    const all = "The body has characters that no text may have: U+0000 or half of a surrogate pair.";
    const detail = characters.length === 1 ? characters[0]!.detail : all;
    throw new RefusedError(refusal("invalid_character", detail, { errors: characters }));
  }
  if (names.length > 0) {
    throw new RefusedError(refusal("validation_failed", "`__proto__` is not a field.", { errors: names }));
  }
}

const nameOf = (pointer: string): string =>
  pointer === "" ? "The text" : `\`${pointer.slice(pointer.lastIndexOf("/") + 1).slice(0, NAME_LENGTH_MAX)}\``;

/** Names are a stranger's choice too, so a pointer is cut before it fills the answer. */
const fault = (pointer: string, code: FaultCode, detail: string): Fault => ({
  pointer: pointer.slice(0, POINTER_LENGTH_MAX),
  code,
  detail,
});

/** One step of a JSON Pointer (RFC 6901 section 3). */
export const escapePointer = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
