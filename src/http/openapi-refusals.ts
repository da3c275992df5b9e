import { STATUS_CODES } from "node:http";
import type { ErrorCode } from "../kernel/refusal.ts";
import { type Models, modelRef, pascalCase } from "./openapi-models.ts";
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
  const unions = unionsOf(all, names);
  const responses: Record<string, Response> = {};

  /** The problems are told apart by `code`, which is one word in each of them (ADR 35 says why no `discriminator`). */
  const response = ({ status, codes, headers }: Refusals, name?: string): Response => {
    const within = unions.find((union) => union.status === status && isWithin(union.codes, codes));
    const own = codes.filter((code) => !within?.codes.includes(code));
    const choices = [...(within ? [modelRef(unionName(within.name))] : []), ...own.map(schemaOf)];
    const union = { ...(name !== undefined && { title: unionName(name) }), oneOf: choices };
    return {
      description: phraseOf(status),
      headers,
      content: {
        [PROBLEM_MEDIA_TYPE]: {
          schema: models.take(choices.length === 1 ? choices[0]! : union),
          // Those of the union that it refers to are shown at the response of that name.
          examples: Object.fromEntries(own.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    };
  };

  return {
    /** The response as it stands at an operation. */
    of(refusals: Refusals): Response | { $ref: string } {
      const name = names.get(keyOf(refusals));
      if (name === undefined) return response(refusals);
      responses[name] ??= response(refusals, name);
      return { $ref: `#/components/responses/${name}` };
    },
    /** Those that several operations have, by name. */
    shared: () => Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Of the problems of a shared response. */
const unionName = (name: string): string => `${name}Problem`;

interface Union {
  readonly name: string;
  readonly status: Refusals["status"];
  readonly codes: readonly ErrorCode[];
}

/** The unions of several problems that have a name, the largest first: larger ones, and those without a name, refer to them. */
const unionsOf = (all: readonly Refusals[], names: ReadonlyMap<string, string>): readonly Union[] =>
  [...new Map(all.map((each) => [names.get(keyOf(each)), each]))]
    .flatMap(([name, { status, codes }]) => (name === undefined || codes.length < 2 ? [] : [{ name, status, codes }]))
    .sort((a, b) => b.codes.length - a.codes.length || (a.name < b.name ? -1 : 1));

const isWithin = (some: readonly ErrorCode[], codes: readonly ErrorCode[]): boolean =>
  some.length < codes.length && some.every((code) => codes.includes(code));

const phraseOf = (status: Refusals["status"]): string =>
  status === "default" ? "Request not read" : (STATUS_CODES[status] ?? String(status));

const keyOf = ({ status, codes, headers }: Refusals): string => JSON.stringify([status, codes, Object.keys(headers)]);

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
