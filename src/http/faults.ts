import type { ErrorObject } from "ajv";
import type { Fault, FaultCode } from "../kernel/refusal.ts";
import { nearest } from "../kernel/spelling.ts";
import { escapePointer } from "./json-body.ts";
import { FIELD_NAME_MAX } from "./schemas.ts";

/** The part of a JSON Schema used in the texts below. */
interface SchemaPart {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly examples?: readonly unknown[];
}

/**
 * Ajv's errors as faults with instructions, one for each place and cause, ordered by place.
 * Received values are described by type only, as they may be secrets.
 */
export function faultsOf(errors: readonly ErrorObject[]): Fault[] {
  const faults = new Map<string, Fault>();
  for (const error of withoutBranches(errors)) {
    const fault = faultOf(error);
    const key = `${fault.pointer} ${fault.code}`;
    if (!faults.has(key)) faults.set(key, fault);
  }
  return [...faults.values()].sort((a, b) => (a.pointer ?? "").localeCompare(b.pointer ?? ""));
}

/**
 * A value that matches no branch of a union fails in each of them; the union is reported once. If one branch got further than the
 * others, because its discriminating fields match, its faults are reported instead.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  let kept = [...errors];
  for (const union of errors) {
    if (union.keyword !== "anyOf" && union.keyword !== "oneOf") continue;
    const inside = kept.filter((error) => error.schemaPath.startsWith(`${union.schemaPath}/`));
    const branches = Map.groupBy(inside, (error) => error.schemaPath.slice(union.schemaPath.length + 1).split("/")[0]);
    const deepest = [...branches.values()].filter((branch) => branch.every((error) => goesInside(error, union)));
    const told = deepest.sort((a, b) => a.length - b.length)[0] ?? [union];
    kept = [...kept.filter((error) => error !== union && !inside.includes(error)), ...told];
  }
  return kept;
}

/** Whether the value has the branch's type, so that the fault is about its contents. */
const goesInside = (error: ErrorObject, union: ErrorObject): boolean =>
  error.instancePath.length > union.instancePath.length || ["required", "additionalProperties"].includes(error.keyword);

function faultOf(error: ErrorObject): Fault {
  const { keyword, params } = error;
  const schema = (error.parentSchema ?? {}) as SchemaPart; // Ajv types it as any object
  const at = error.instancePath;
  const name = at === "" ? "The body" : `\`${nameAt(at)}\``;
  const fault = (code: FaultCode, detail: string, pointer = at): Fault => ({ pointer, code, detail });

  if (keyword === "propertyNames" || error.propertyName !== undefined) {
    return fault(
      "wrong_field_name",
      `${name} has a field name that is empty or longer than ${FIELD_NAME_MAX} characters.`,
    );
  }
  switch (keyword) {
    case "required": {
      const missing = String(params.missingProperty);
      return fault("required", `\`${missing}\` is required.`, `${at}/${escapePointer(missing)}`);
    }
    case "additionalProperties":
    case "unevaluatedProperties": {
      const extra = String(params.additionalProperty ?? params.unevaluatedProperty).slice(0, NAME_LENGTH_MAX);
      return fault(
        "unknown_field",
        unknownField(extra, Object.keys(schema.properties ?? {})),
        `${at}/${escapePointer(extra)}`,
      );
    }
    case "type":
      return fault("wrong_type", `${name} must be ${wanted(schema)}; ${typeOf(error.data)} came.${fieldsOf(schema)}`);
    case "enum":
      return fault("not_allowed_value", `${name} must be one of: ${listed(schema.enum ?? [])}.`);
    case "const":
      return fault("not_allowed_value", `${name} must be ${JSON.stringify(schema.const)}.`);
    case "anyOf":
    case "oneOf":
      return unionFault(name, at, error);
    case "minLength":
      return fault(
        "too_short",
        params.limit === 1 ? `${name} must not be empty.` : `${name} must have at least ${params.limit} characters.`,
      );
    case "maxLength":
      return fault("too_long", `${name} may have at most ${params.limit} characters.`);
    case "minItems":
      return fault(
        "too_few",
        params.limit === 1 ? `${name} must not be empty.` : `${name} needs at least ${params.limit} items.`,
      );
    case "maxItems":
    case "maxProperties":
      return fault("too_many", `${name} may have at most ${params.limit} items.`);
    case "minProperties":
      return fault("too_few", `${name} needs at least ${params.limit} fields.`);
    case "uniqueItems":
      return fault("repeated", `${name} has the same item twice (${params.i} and ${params.j}).`);
    case "minimum":
      return fault("too_small", `${name} must be ${params.limit} or more.`);
    case "maximum":
      return fault("too_large", `${name} must be ${params.limit} or less.`);
    case "exclusiveMinimum":
      return fault("too_small", `${name} must be more than ${params.limit}.`);
    case "exclusiveMaximum":
      return fault("too_large", `${name} must be less than ${params.limit}.`);
    case "multipleOf":
      return fault("not_allowed_value", `${name} must be a multiple of ${params.multipleOf}.`);
    case "format":
      return fault("wrong_format", `${name} must be a time that exists, with its zone, like 2026-11-27T09:00:00.000Z.`);
    case "pattern":
      return fault(
        "wrong_format",
        `${name} does not have the documented form${schema.description ? `: ${schema.description.replace(/\.$/, "")}` : ""}.`,
      );
    default:
      return fault("not_allowed_value", `${name} ${error.message ?? "is not as documented"}.`);
  }
}

/** The field's name; for a list item, the list's name with the index: `body[1]`. */
function nameAt(pointer: string): string {
  const [, list, last = ""] = /(?:([^/]+)\/)?([^/]*)$/.exec(pointer) ?? [];
  return list !== undefined && /^\d+$/.test(last) ? `${list}[${last}]` : last;
}

const NAME_LENGTH_MAX = 100;

const AKIN_MAX = 2;
const WORD_LENGTH_MIN = 4;

/** Fields whose name contains this one (`smartcard`: `smartcard_number`), or has a word of it (`iuc_number`); none when many do. */
function akin(name: string, known: readonly string[]): readonly string[] {
  const words = name
    .toLowerCase()
    .split("_")
    .filter((word) => word.length >= WORD_LENGTH_MIN);
  const sharing = known.filter((field) => field.split("_").some((word) => words.includes(word)));
  return sharing.length <= AKIN_MAX ? sharing : [];
}

function unknownField(name: string, known: readonly string[]): string {
  const misspelt = nearest(name, known);
  const near = misspelt.length > 0 ? misspelt : akin(name, known);
  const shown = `\`${name}\` is not a field here.`;
  if (near.length > 0) return `${shown} Did you mean ${near.map((word) => `\`${word}\``).join(" or ")}?`;
  return known.length > 0
    ? `${shown} Fields: ${known.map((word) => `\`${word}\``).join(", ")}.`
    : `${shown} None is expected.`;
}

function unionFault(name: string, pointer: string, error: ErrorObject): Fault {
  const branches: readonly SchemaPart[] = Array.isArray(error.schema) ? error.schema : [];
  if (branches.every((branch) => branch.const !== undefined)) {
    const detail = `${name} must be one of: ${listed(branches.map((branch) => branch.const))}.`;
    return { pointer, code: "not_allowed_value", detail };
  }
  const types = [...new Set(branches.flatMap((branch) => branch.type ?? []))];
  if (types.length > 0 && !types.includes(jsonTypeOf(error.data))) {
    return { pointer, code: "wrong_type", detail: `${name} must be ${typeWords(types)}; ${typeOf(error.data)} came.` };
  }
  return { pointer, code: "not_allowed_value", detail: `${name} fits none of the documented forms.` };
}

const listed = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(", ");

/** Of an object one sees best what it is. */
const wanted = ({ type, examples }: SchemaPart): string =>
  type === "object" && examples?.[0] !== undefined
    ? `${typeWords(type)} like ${JSON.stringify(examples[0])}`
    : typeWords(type);

/** Who sent something else than an object has to know what stands in it. */
function fieldsOf({ properties = {} }: SchemaPart): string {
  const fields = Object.entries(properties).map(([name, { enum: words }]) =>
    words ? `\`${name}\` (${words.map((word) => JSON.stringify(word)).join(" or ")})` : `\`${name}\``,
  );
  return fields.length === 0 ? "" : ` Its fields: ${fields.join(", ")}.`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null",
};

const typeWords = (type: SchemaPart["type"]): string =>
  [type ?? []]
    .flat()
    .map((word) => TYPE_WORDS[word] ?? word)
    .join(" or ");

function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

const typeOf = (value: unknown): string => {
  const type = jsonTypeOf(value);
  if (type === "boolean") return "a boolean";
  if (type === "number" && !Number.isInteger(value)) return "a number with a fraction";
  return TYPE_WORDS[type] ?? type;
};
