/**
 * JSON with each number as the text that stood there: `485.10` stays "485.10" and an id of 26 digits stays whole, where
 * `JSON.parse` makes floats of both. Vendors write one field now as a number, now as a string; so both come out alike.
 * Undefined when the text is no JSON.
 */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, exact);
  } catch {
    return undefined;
  }
}

const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" ? (context?.source ?? value) : value;
