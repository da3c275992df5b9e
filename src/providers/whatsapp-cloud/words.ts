import { type Fields, isFields } from "../../vendor-text/fields.ts";

/** As it stands: what a person writes is neither trimmed nor taken for nothing. */
export function wordIn(fields: Fields, key: string): string | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

export const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? (value as readonly unknown[]).filter(isFields) : [];

/** Each once, without those that are absent. */
export const each = (...words: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(words.filter((word) => word !== undefined)),
];
