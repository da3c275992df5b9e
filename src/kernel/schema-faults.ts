import { Check } from "typebox/schema";
import { isObject, type Path, type PlacedFault } from "./place.ts";
import { meant, mismatch, type Part } from "./schema-words.ts";
import { nearest } from "./spelling.ts";

/**
 * What of a value does not fit its schema, in a person's words. Whether it fits is the word of the schema's library; this finds the
 * place: a fault is told where it is, and not again for each thing that it is in. `mayBeSecret`: texts of the value are not repeated.
 */
export function faultsOfShape(
  schema: object,
  value: unknown,
  path: Path = [],
  mayBeSecret = false,
): readonly PlacedFault[] {
  const part: Part = schema;
  const fits: boolean = Check(part, value);
  if (fits) return [];
  if (part.type === "array" && part.items && Array.isArray(value) && value.length >= (part.minItems ?? 0)) {
    const inside = value.flatMap((item, index) => faultsOfShape(part.items!, item, [...path, index], mayBeSecret));
    if (inside.length > 0) return inside;
  }
  if (part.type === "object" && isObject(value)) {
    const inside = part.patternProperties
      ? inRecord(part.patternProperties, value, path, mayBeSecret)
      : inObject(part, value, path, mayBeSecret);
    if (inside.length > 0) return inside;
  }
  return [{ path, detail: mismatch(part, value, mayBeSecret) }];
}

function inObject(
  { properties = {}, required = [] }: Part,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  mayBeSecret: boolean,
) {
  const known = Object.keys(properties);
  const strange = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  const free = known.filter((key) => !Object.hasOwn(value, key));
  const faults: PlacedFault[] = strange.map((key) => ({
    path: [...path, key],
    // What is there already was hardly meant.
    detail: `is not known here. ${meant(key, nearest(key, free).length > 0 ? free : known)}`,
  }));
  // Of a slip one hears once: by the name that is wrong.
  const misspelt = new Set(strange.map((key) => nearest(key, free)[0]));
  for (const key of known) {
    const isNeeded = required.includes(key);
    if (value[key] === undefined && (!isNeeded || misspelt.has(key))) continue;
    faults.push(...faultsOfShape(properties[key]!, value[key], [...path, key], mayBeSecret));
  }
  return faults;
}

function inRecord(
  patterns: Readonly<Record<string, Part>>,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  mayBeSecret: boolean,
) {
  const [part = {}] = Object.values(patterns);
  return Object.entries(value).flatMap(([key, one]) => faultsOfShape(part, one, [...path, key], mayBeSecret));
}
