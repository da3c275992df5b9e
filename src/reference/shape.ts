import { modelOf, type OpenApi, resolved, type Schema } from "./openapi.ts";

/** A schema as people read it: references followed, parts joined, null told apart. */
export interface Shape {
  /** `string`, `array of Money`, `string or integer` … */
  readonly type: string;
  /** The name of its model. */
  readonly model?: string;
  readonly isNullable: boolean;
  readonly isDeprecated: boolean;
  readonly description?: string;
  /** What a value must fulfil, in words. */
  readonly limits: readonly string[];
  /** The only values there are. */
  readonly values: readonly unknown[];
  readonly fallback?: unknown;
  readonly example?: unknown;
  /** Of an object, or of the objects in an array. */
  readonly members: readonly Member[];
  /** Objects of which it is one. */
  readonly variants: readonly Shape[];
  /** An object within itself: its members were shown further out. */
  readonly isShownAbove: boolean;
}

export interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly shape: Shape;
}

/** `within`: the models that this schema is part of. */
export function shapeOf(document: OpenApi, schema: Schema, within: readonly string[] = []): Shape {
  const { flat, model, isNullable } = flattened(document, schema);
  const isShownAbove = model !== undefined && within.includes(model);
  const inside = model === undefined ? within : [...within, model];
  const choices = flat.oneOf ?? flat.anyOf ?? [];
  const shapes = isShownAbove ? [] : choices.map((choice) => shapeOf(document, choice, inside));
  const ofItems = flat.items && shapeOf(document, flat.items, inside);
  const isPlain = shapes.every(({ members, variants }) => members.length === 0 && variants.length === 0);
  return {
    type: typeOf(flat, model, shapes, ofItems),
    ...(model !== undefined && { model }),
    isNullable,
    isDeprecated: flat.deprecated === true,
    ...(flat.description !== undefined && { description: flat.description }),
    limits: [...limitsOf(flat), ...(ofItems ? ofItems.limits.map((limit) => `each ${limit}`) : [])],
    values: valuesOf(flat, shapes, ofItems),
    ...(flat.default !== undefined && { fallback: flat.default }),
    ...(flat.examples?.length && { example: flat.examples[0] }),
    members: isShownAbove ? [] : [...membersOf(document, flat, inside), ...(ofItems?.members ?? [])],
    variants: isPlain ? (ofItems?.variants ?? []) : shapes,
    isShownAbove: isShownAbove || (ofItems?.isShownAbove ?? false),
  };
}

interface Flat {
  readonly flat: Schema;
  readonly model: string | undefined;
  readonly isNullable: boolean;
}

/** Its references followed and its parts joined; what stands beside a reference goes before what is in it. */
function flattened(document: OpenApi, schema: Schema): Flat {
  const { $ref, ...own } = schema;
  let model = modelOf(schema);
  let flat: Schema = own;
  if ($ref !== undefined) {
    const inner = flattened(document, resolved<Schema>(document, { $ref }));
    flat = { ...inner.flat, ...own };
    if (inner.isNullable) return { flat, model, isNullable: true };
  }
  if (flat.allOf) {
    const { allOf, ...rest } = flat;
    flat = [...allOf, rest].map((part) => flattened(document, part).flat).reduce(joined);
  }
  const isNull = (choice: Schema) => choice.type === "null" || choice.const === null;
  const choices = flat.oneOf ?? flat.anyOf ?? [];
  const others = choices.filter((choice) => !isNull(choice));
  const types = typeof flat.type === "string" ? [flat.type] : (flat.type ?? []);
  const isNullable = others.length < choices.length || types.includes("null") || flat.enum?.includes(null) === true;
  if (choices.length > 0 && others.length === 1 && others[0]) {
    const { oneOf: _one, anyOf: _any, ...around } = flat;
    const only = flattened(document, others[0]);
    model ??= only.model;
    flat = { ...only.flat, ...around };
  } else if (choices.length > 0) flat = { ...flat, [flat.oneOf ? "oneOf" : "anyOf"]: others };
  return { flat, model, isNullable };
}

/** Both at once: the later one's word goes before the earlier one's. */
const joined = (a: Schema, b: Schema): Schema => ({
  ...a,
  ...b,
  ...((a.properties ?? b.properties) && { properties: { ...a.properties, ...b.properties } }),
  ...((a.required ?? b.required) && { required: [...(a.required ?? []), ...(b.required ?? [])] }),
});

function typeOf(flat: Schema, model: string | undefined, choices: readonly Shape[], items: Shape | undefined): string {
  if (items) return `array of ${items.isNullable ? `${items.type} or null` : items.type}`;
  if (choices.length > 0) return [...new Set(choices.map(({ type }) => type))].join(" or ");
  const types = (typeof flat.type === "string" ? [flat.type] : (flat.type ?? [])).filter((type) => type !== "null");
  if (types.includes("object") || flat.properties) return model ?? "object";
  const name = types.join(" or ") || (flat.enum ? "string" : "any value");
  return flat.format === undefined ? name : `${name} (${flat.format})`;
}

function valuesOf(flat: Schema, choices: readonly Shape[], items: Shape | undefined): readonly unknown[] {
  if (flat.const !== undefined) return [flat.const];
  if (flat.enum) return flat.enum.filter((value) => value !== null);
  if (items) return items.values;
  return choices.every(({ values }) => values.length > 0) ? choices.flatMap(({ values }) => values) : [];
}

function membersOf(document: OpenApi, flat: Schema, within: readonly string[]): readonly Member[] {
  const named = Object.entries(flat.properties ?? {}).map(([name, schema]) => ({
    name,
    isRequired: flat.required?.includes(name) ?? false,
    shape: shapeOf(document, schema, within),
  }));
  const others = flat.additionalProperties;
  if (typeof others !== "object") return named;
  return [...named, { name: "any name", isRequired: false, shape: shapeOf(document, others, within) }];
}

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

/** “1 to 40 characters”, “at least 2 items”; undefined without a bound. */
function bounds(least: number | undefined, most: number | undefined, of = ""): string | undefined {
  const unit = of && ` ${of}`;
  if (least === undefined && most === undefined) return undefined;
  if (most === undefined) return `at least ${number.format(least ?? 0)}${unit}`;
  if (least === undefined || (of !== "" && least === 0)) return `at most ${number.format(most)}${unit}`;
  if (least === most) return `exactly ${number.format(most)}${unit}`;
  return `${number.format(least)} to ${number.format(most)}${unit}`;
}

function limitsOf(flat: Schema): string[] {
  const names = flat.propertyNames && bounds(flat.propertyNames.minLength, flat.propertyNames.maxLength, "characters");
  return [
    bounds(flat.minLength, flat.maxLength, "characters"),
    bounds(flat.minimum, flat.maximum),
    flat.multipleOf === undefined ? undefined : `a multiple of ${number.format(flat.multipleOf)}`,
    bounds(flat.minItems, flat.maxItems, "items"),
    flat.uniqueItems ? "no item twice" : undefined,
    bounds(flat.minProperties, flat.maxProperties, "names"),
    names && `names of ${names}`,
    flat.pattern === undefined ? undefined : `pattern ${flat.pattern}`,
    flat.contentMediaType && `bytes of ${flat.contentMediaType}`,
  ].filter((limit) => limit !== undefined);
}

/** The codes of the problems that a schema allows, in the document's order. */
export function codesIn(document: OpenApi, schema: Schema): readonly string[] {
  const { oneOf, anyOf, allOf, properties } = resolved<Schema>(document, schema.$ref ? { $ref: schema.$ref } : schema);
  const choices = oneOf ?? anyOf;
  if (choices) return [...new Set(choices.flatMap((choice) => codesIn(document, choice)))];
  const codes = properties?.code?.enum ?? [];
  return [...codes.map(String), ...(allOf ?? []).flatMap((part) => (part.$ref ? [] : codesIn(document, part)))];
}
