/**
 * JSON with each number as the text that stood there: `485.10` stays "485.10" and an id of 26 digits stays whole, where
 * `JSON.parse` makes floats of both. Vendors write one field now as a number, now as a string; so both come out alike.
 * Undefined when the text is no JSON, or has a member twice: `JSON.parse` would take the last, and which is meant nobody knows.
 */
export function parseExactJson(text: string): unknown {
  let members = 0;
  function exact(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
    if (!Array.isArray(this)) members += 1;
    return typeof value === "number" ? (context?.source ?? value) : value;
  }
  try {
    const value: unknown = JSON.parse(text, exact);
    // The whole is given to `exact` too, as the one member of an object around it.
    return members - 1 === membersWritten(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text is JSON that has a member twice: it says something, and which of the two nobody knows. */
export function hasMemberTwice(text: string): boolean {
  if (parseExactJson(text) !== undefined) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** In JSON a colon outside of strings follows the name of a member, and stands nowhere else. */
const membersWritten = (json: string): number => json.replaceAll(STRINGS, "").split(":").length - 1;

const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** The numbers of a JSON text as they stand there. With `parseExactJson` they tell a number from a string of the same digits. */
export const numbersIn = (json: string): ReadonlySet<string> =>
  new Set(json.replaceAll(STRINGS, '""').match(/-?\d[\d.eE+-]*/g));
