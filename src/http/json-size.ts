import { type FaultCode, refusal } from "../kernel/refusal.ts";

/** A bulk of 10,000 messages with a reference each has 40,000. */
export const JSON_VALUES_MAX = 60_000;
/** Deeper than any body of ours. */
export const JSON_DEPTH_MAX = 16;

/**
 * The refusal of a text with more values or levels than any body has, undefined for all others. It is the first look at a
 * text that a stranger chose: what comes after it, the parser included, costs time and memory for each value and level.
 * Shape: any text. One that is not JSON is at worst refused for its size instead of its form.
 */
export function sizeFault(text: string) {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values += 1;
        depth += 1;
        if (depth > JSON_DEPTH_MAX) return tooDeep;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        if (values > JSON_VALUES_MAX) return tooMany;
        break;
    }
  }
  return values > JSON_VALUES_MAX ? tooMany : undefined;
}

const refused = (code: FaultCode, detail: string) =>
  refusal("validation_failed", detail, { errors: [{ pointer: "", code, detail }] });
const tooDeep = refused("too_deep", `The body has objects and lists nested deeper than ${JSON_DEPTH_MAX} levels.`);
const tooMany = refused("too_many", `The body has more than ${JSON_VALUES_MAX.toLocaleString("en")} values.`);

export const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/**
 * Place of the quote that closes the string: the first behind an even number of backslashes. The text's length when
 * there is none.
 */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
