import { hasVisible } from "../kernel/visible.ts";
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
const NOTHING = /^(?:n\/a|null|nil)$/i;

/** The first of these keys that holds a text that says something, trimmed; vendors have several names for one thing. */
export function textOf(fields: Fields, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = Object.hasOwn(fields, key) ? seenText(fields[key]) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A text that says something, trimmed. */
function seenText(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.replaceAll(TURNS, "").trim() : "";
  return hasVisible(text) && !NOTHING.test(text) ? text : undefined;
}

/** What vendors write where they have nothing to say: words for nothing, zeros, dashes and dots. */
const UNFILLED =
  /^(?:n\/?a|null|nil|none|undefined|unknown|not (?:available|applicable|found|set)|[\s\p{P}\p{S}0]*)$/iu;

/** The first of these keys that is filled in, for what people are shown: a name, an address, a tariff, units. */
export function factIn(fields: Fields, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = textOf(fields, [key]);
    if (text !== undefined && !UNFILLED.test(text)) return text;
  }
  return undefined;
}

/** One thing that an answer says, and the name it stands under: in a list, the list's. */
export interface Member {
  readonly name: string;
  /** The name of the object that it stands in. */
  readonly within: string;
  readonly text: string;
}

/** Everything that a value of JSON says, however deep: texts, numbers, and yes or no. */
export function membersIn(answer: unknown): readonly Member[] {
  const members: Member[] = [];
  const rest: { name: string; within: string; value: unknown }[] = [{ name: "", within: "", value: answer }];
  // It grows on the way: the answer's depth is the vendor's choice, that of our stack is not.
  for (const { name, within, value } of rest) {
    const text = typeof value === "boolean" ? `${value}` : seenText(value);
    if (text !== undefined) members.push({ name, within, text });
    if (Array.isArray(value)) for (const entry of value) rest.push({ name, within, value: entry });
    else if (isFields(value))
      for (const [inner, member] of Object.entries(value)) rest.push({ name: inner, within: name, value: member });
  }
  return members;
}
