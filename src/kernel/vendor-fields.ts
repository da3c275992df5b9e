import { parseExactJson } from "./exact-json.ts";

/** A JSON object as a vendor sent it: nothing about it is certain. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** The text's JSON object, with numbers as the texts that stood there; undefined for HTML, an empty or a torn one. */
export const readFields = (text: string): Fields | undefined => {
  const body = parseExactJson(text);
  return isFields(body) ? body : undefined;
};

/** The first of these keys that holds a text that says something, trimmed; vendors have several names for one thing. */
export function textOf(fields: Fields, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (typeof value === "string" && value.trim() !== "" && !/^(?:n\/a|null|nil)$/i.test(value.trim()))
      return value.trim();
  }
  return undefined;
}
