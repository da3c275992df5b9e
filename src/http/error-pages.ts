import { readFileSync } from "node:fs";
import type { ErrorCode } from "../kernel/refusal.ts";

const FOLDER = new URL("../../docs/errors/", import.meta.url);

/** The page of a code, as Markdown. */
export const errorPage = (code: ErrorCode): string => readFileSync(new URL(`${code}.md`, FOLDER), "utf8");

/** The example body for a code, taken from its page so that page and reference can't differ. */
export function exampleOf(code: ErrorCode): unknown {
  const json = /^```json\n([\s\S]*?)^```$/m.exec(errorPage(code))?.[1];
  if (json === undefined) throw new Error(`docs/errors/${code}.md has no JSON example`);
  return JSON.parse(json);
}

export const errorExamples = (codes: Iterable<ErrorCode>): Record<string, { value: unknown }> =>
  Object.fromEntries([...codes].map((code) => [code, { value: exampleOf(code) }]));
