import { STATUS_CODES } from "node:http";
import type { ErrorCode } from "../kernel/refusal.ts";
import { type Models, pascalCase, type Schema } from "./openapi-models.ts";
import type { Response } from "./openapi-response.ts";
import type { ProblemSchemaOf } from "./problem-schemas.ts";
import { PROBLEM_MEDIA_TYPE } from "./problems.ts";

/** What an operation answers with one status when it refuses. */
export interface Refusals {
  /** `default` for what is refused before the request has been read. */
  readonly status: number | "default";
  readonly codes: readonly ErrorCode[];
  readonly headers: object;
}

/** The refusals of all operations as OpenAPI responses: what several of them have is written once. */
export function makeResponses(all: readonly Refusals[], models: Models, schemaOf: ProblemSchemaOf) {
  const names = namesOf(all);
  const response = makeResponse(models, schemaOf);
  const responses: Record<string, Response> = {};
  return {
    /** The response as it stands at an operation. */
    of(refusals: Refusals): Response | { $ref: string } {
      const name = names.get(keyOf(refusals));
      if (name === undefined) return response(refusals);
      responses[name] ??= response(refusals, `${name}Problem`);
      return { $ref: `#/components/responses/${name}` };
    },
    /** Those that several operations have, by name. */
    shared: () => Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const phraseOf = (status: Refusals["status"]): string =>
  status === "default" ? "Request not read" : (STATUS_CODES[status] ?? String(status));

const keyOf = ({ status, codes, headers }: Refusals): string => JSON.stringify([status, codes, Object.keys(headers)]);

function makeResponse(models: Models, schemaOf: ProblemSchemaOf) {
  /** The problems of these codes, told apart by `code`, which is one word in each of them (ADR 35 says why no `discriminator`). */
  const oneOf = (codes: readonly ErrorCode[], title: string | undefined): Schema => {
    const choices = codes.map(schemaOf);
    return models.take(choices.length === 1 ? choices[0]! : { ...(title !== undefined && { title }), oneOf: choices });
  };
  return ({ status, codes, headers }: Refusals, unionName?: string): Response => ({
    description: phraseOf(status),
    headers,
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: oneOf(codes, unionName),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  });
}

/**
 * Names for what several operations have: that of the code where there is only one, the status's own for the smallest
 * set of a status, and for each other set the status's with the code that the fewest operations have: `Conflict`,
 * `ConflictPossibleDuplicate`. Of two that would be called the same, the rarer stays without a name.
 */
function namesOf(all: readonly Refusals[]): ReadonlyMap<string, string> {
  const users = (code: ErrorCode): number => all.filter(({ codes }) => codes.includes(code)).length;
  const rarestOf = (codes: readonly ErrorCode[]): ErrorCode =>
    codes.toSorted((a, b) => users(a) - users(b) || (a < b ? -1 : 1))[0]!;
  const groups = [...Map.groupBy(all, keyOf)]
    .map(([key, same]) => ({ key, ...same[0]!, uses: same.length }))
    .filter(({ uses }) => uses > 1)
    .sort((a, b) => a.codes.length - b.codes.length || b.uses - a.uses || (a.key < b.key ? -1 : 1));
  const keys = new Map<string, string>();
  for (const { key, status, codes } of groups) {
    const phrase = pascalCase(phraseOf(status));
    const name =
      codes.length === 1 ? pascalCase(codes[0]!) : keys.has(phrase) ? phrase + pascalCase(rarestOf(codes)) : phrase;
    if (!keys.has(name)) keys.set(name, key);
  }
  return new Map([...keys].map(([name, key]) => [key, name]));
}
