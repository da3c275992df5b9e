import { parseExactJson } from "./exact-json.ts";

/** A JSON object as a vendor sent it: nothing about it is certain. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/**
 * The text's JSON object, with numbers as the texts that stood there; undefined for HTML, an empty or a torn one, and for one that
 * says a thing twice.
 */
export const readFields = (text: string): Fields | undefined => {
  const body = parseExactJson(text);
  return isFields(body) ? body : undefined;
};

/** What turns the direction of reading: among other words it makes them say something else. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
const SEEN = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u;
/** Whether there is anything to be seen in a text. */
export const isSeen = (text: string): boolean => SEEN.test(text);
const NOTHING = /^(?:n\/a|null|nil)$/i;

/** The first of these keys that holds a text that says something, trimmed; vendors have several names for one thing. */
export function textOf(fields: Fields, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const text = typeof value === "string" ? value.replaceAll(TURNS, "").trim() : "";
    if (isSeen(text) && !NOTHING.test(text)) return text;
  }
  return undefined;
}

/** Every text in a value of JSON, however deep, but for what stands under these names. */
export function textsIn(value: unknown, except: ReadonlySet<string>): readonly string[] {
  const texts: string[] = [];
  const rest = [value];
  // It grows on the way: the answer's depth is the vendor's choice, that of our stack is not.
  for (const one of rest) {
    if (typeof one === "string") texts.push(one);
    if (typeof one !== "object" || one === null) continue;
    for (const [name, member] of Object.entries(one)) if (!except.has(name)) rest.push(member);
  }
  return texts;
}
