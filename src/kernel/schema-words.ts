import { nearest } from "./spelling.ts";

/** The parts of a JSON schema that schemas of settings have. */
export interface Part {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Part[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[] | undefined;
  readonly patternProperties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** Longer texts are not quoted in a message. */
const SHOWN_MAX = 40;

/** Keeps messages short. */
const LISTED_MAX = 12;

const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(", ");

/** Suggests similar words, or lists the allowed ones. */
export function meant(given: string, known: readonly string[]): string {
  const near = nearest(given, known).map((word) => `"${word}"`);
  if (near.length > 0) return `Did you mean ${near.join(" or ")}?`;
  if (known.length === 0) return "There are none.";
  const more = known.length > LISTED_MAX ? ` and ${known.length - LISTED_MAX} more` : "";
  return `There are ${quoted(known.slice(0, LISTED_MAX))}${more}.`;
}

/** The expected and the actual value. Of a possible secret, only its length is shown. */
export function mismatch(part: Part, value: unknown, mayBeSecret = false): string {
  if (value === undefined) return `is missing; it must be ${expected(part)}.`;
  const choices = choicesOf(part);
  const suggestion = choices && typeof value === "string" ? nearest(value, choices)[0] : undefined;
  const hint =
    suggestion !== undefined
      ? ` Did you mean "${suggestion}"?`
      : part.type === "string" && typeof value === "number"
        ? ` Write it in quotes${mayBeSecret ? "" : `: "${value}"`}.`
        : isNumber(part) && typeof value === "string" && /^\d+$/.test(value)
          ? " Write it without quotes."
          : "";
  // A secret may have been written as a number.
  const shown =
    mayBeSecret && part.type === "string" && typeof value === "number" ? "a number" : found(value, mayBeSecret);
  return `must be ${expected(part)}; ${shown} stands there.${hint}`;
}

const isNumber = ({ type }: Part): boolean => type === "integer" || type === "number";

/** The words that a part allows; undefined where it is no choice of words. */
export const choicesOf = ({ anyOf }: Part): readonly string[] | undefined =>
  anyOf?.every((one) => typeof one.const === "string") ? anyOf.map((one) => String(one.const)) : undefined;

function expected(part: Part): string {
  const choices = choicesOf(part);
  if (choices) return `one of ${quoted(choices)}`;
  if (part.description !== undefined && (part.type === "string" || part.type === "array")) return part.description;
  if (part.anyOf) return part.anyOf.map(expected).join(", or ");
  switch (part.type) {
    case "string":
      return part.minLength ? "a text in quotes that is not empty" : "a text in quotes";
    case "integer":
    case "number":
      return numberText(part);
    case "boolean":
      return "true or false";
    case "array":
      return part.minItems ? "a list with one entry at least, [ … ]" : "a list, [ … ]";
    case "object":
      return part.properties ? `an object, { … }, with ${Object.keys(part.properties).join(", ")}` : "an object, { … }";
    default:
      return JSON.stringify(part.const) ?? part.type ?? "something else";
  }
}

function numberText({ type, minimum, maximum, exclusiveMinimum }: Part): string {
  const kind = type === "integer" ? "a whole number" : "a number";
  if (exclusiveMinimum !== undefined)
    return `${kind} above ${exclusiveMinimum}${maximum === undefined ? "" : ` and up to ${maximum}`}`;
  if (minimum !== undefined)
    return maximum === undefined ? `${kind}, ${minimum} or more` : `${kind} from ${minimum} to ${maximum}`;
  return kind;
}

function found(value: unknown, mayBeSecret: boolean): string {
  if (value === "") return "an empty text";
  if (typeof value === "string")
    return mayBeSecret || value.length > SHOWN_MAX ? `a text of ${value.length} characters` : `"${value}"`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" ? "a function" : String(value);
}
