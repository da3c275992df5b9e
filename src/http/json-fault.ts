import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";

/** Where a text stops being JSON, and what to do about it. */
export interface JsonFault {
  /** In UTF-16 code units from 0, as JavaScript and most editors count. */
  readonly position: number;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly advice: string;
}

/** The first fault of a text that `JSON.parse` has refused; undefined when the strict parser knows a fault that this one does not. */
export function firstJsonFault(text: string): JsonFault | undefined {
  try {
    visit(
      text,
      {
        onError(error, offset, length, line, column) {
          throw new Found({
            position: offset,
            line: line + 1,
            column: column + 1,
            advice: adviceOn(text, error, offset, length),
          });
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
    return undefined;
  } catch (found) {
    if (found instanceof Found) return found.fault;
    throw found;
  }
}

/** Ends the visit at the first fault: those behind it follow from it. */
class Found extends Error {
  readonly fault: JsonFault;
  constructor(fault: JsonFault) {
    super("found");
    this.fault = fault;
  }
}

const WORD_LENGTH_MAX = 30;
/** Of what stands before a fault. */
const CONTEXT_LENGTH = 100;

/** What writers of other languages take for JSON. */
const ADVICE_ON_WORDS: Readonly<Record<string, string>> = {
  None: "write `null`",
  nil: "write `null`",
  undefined: "leave the field out, or write `null`",
  NaN: "JSON has no such number: leave the field out",
  Infinity: "JSON has no such number: leave the field out",
  True: "write `true`",
  False: "write `false`",
};

function adviceOn(text: string, error: ParseErrorCode, offset: number, length: number): string {
  const rest = text.slice(offset, offset + Math.max(length, WORD_LENGTH_MAX));
  if (offset >= text.trimEnd().length)
    return "the text ends before the JSON does: a bracket, a quote or a value is missing";
  if (/^[\w.\-[\]%]+=/.test(text.trimStart()) && offset <= text.indexOf("="))
    return 'this is a form; send a JSON object, such as {"to":"+2348031234567"}';
  const word = /^-?\w+/.exec(rest)?.[0].slice(0, WORD_LENGTH_MAX);
  const advice = word === undefined ? undefined : ADVICE_ON_WORDS[word.replace(/^-/, "")];
  if (advice !== undefined) return `\`${word}\` is not JSON: ${advice}`;
  if (/^[+.]/.test(rest) || /^-?\./.test(rest))
    return "a number begins with a digit: write `0.5`, not `.5`, and no plus sign";
  if (/^['’‘“”`]/.test(rest)) return 'texts and field names stand in straight double quotes (")';
  if (/^\/[/*]|^#/.test(rest)) return "JSON has no comments";
  if (/^0[\dxXbBoO]/.test(text.slice(Math.max(0, offset - 1), offset + 1)))
    return "numbers are decimal and have no leading zero; a phone number is a text in double quotes";
  if (/^[A-Za-z_$][\w$]*\s*:/.test(rest)) return 'field names stand in double quotes (")';
  switch (printParseErrorCode(error)) {
    case "PropertyNameExpected":
    case "ValueExpected":
      if (/:\s*$/.test(text.slice(Math.max(0, offset - CONTEXT_LENGTH), offset)))
        return "the value after the colon is missing";
      return /^[}\]]/.test(rest) ? "take out the comma before the bracket" : "a field name or value is missing";
    case "ColonExpected":
      return "a colon is missing after the field name";
    case "CommaExpected":
      return "a comma is missing";
    case "EndOfFileExpected":
      return "the JSON has ended before: take out what follows";
    case "UnexpectedEndOfString":
      return "the quote that ends the text is missing, or a line break in it is not written as \\n";
    case "InvalidCharacter":
      return "a text has line breaks and other control characters as escapes, such as \\n";
    case "InvalidEscapeCharacter":
    case "InvalidUnicode":
      return 'after a backslash only " \\ / b f n r t and uXXXX may stand';
    case "UnexpectedEndOfNumber":
    case "InvalidNumberFormat":
      return "a digit is missing";
    default:
      return "this is not JSON";
  }
}
