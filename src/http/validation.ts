import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FastifySchemaCompiler } from "fastify";
import { type Fault, refusal } from "../kernel/refusal.ts";
import { readTime } from "../kernel/rfc3339.ts";
import { faultsOf } from "./faults.ts";
import { RefusedError } from "./problems.ts";

const OPTIONS = {
  removeAdditional: false,
  useDefaults: false,
  strict: true,
  allowUnionTypes: true,
  verbose: true,
  validateSchema: false, // ours are typed, and checked where the document is: the schema of schemas takes longer than all of them
} as const;

/**
 * `strings`: queries and path parameters are strings on the wire, so numbers in them must be read; a body is never
 * coerced.
 */
function makeAjv(allErrors: boolean, strings: boolean): Ajv {
  const ajv = new Ajv({ ...OPTIONS, allErrors, coerceTypes: strings });
  ajv.addFormat("date-time", { type: "string", validate: (text: string) => readTime(text) !== undefined });
  return ajv;
}

/**
 * Two validators for every schema, each compiled when it is first needed: a start would spend a second on all of them. The first stops at the first fault and is all that a good request meets; the second,
 * which finds all faults, runs only after that and on at most `ITEMS_MAX` items of each array: a million wrong items
 * would otherwise become a million error objects, for the price of one request.
 */
export function makeValidatorCompiler(): FastifySchemaCompiler<object> {
  const body = { first: makeAjv(false, false), all: makeAjv(true, false) };
  const strings = { first: makeAjv(false, true), all: makeAjv(true, true) };
  return ({ schema, httpPart }) => {
    const { first, all } = httpPart === "body" ? body : strings;
    const mend = httpPart === "querystring" ? mendTimes(schema) : undefined;
    let isValid: ValidateFunction | undefined;
    let findAll: ValidateFunction | undefined;
    return (data: unknown) => {
      mend?.(data as Record<string, unknown>);
      isValid ??= first.compile(schema);
      if (isValid(data)) return true;
      const firstErrors = isValid.errors ?? [];
      findAll ??= all.compile(schema);
      const errors = findAll(pruned(data)) ? firstErrors : [...(findAll.errors ?? []), ...firstErrors];
      return { error: new RefusedError(validationFailed(errors, httpPart ?? "body", data)) };
    };
  };
}

const PLUS_LOST = /^(\d{4}-\d{2}-\d{2}T[\d:.]+) (\d{2}:\d{2})$/i;

/** A `+` that was not percent-encoded arrives as a space: in a time no space can be meant, so it is read as the plus of the zone. */
function mendTimes(schema: { readonly properties?: Readonly<Record<string, { readonly format?: string }>> }) {
  const times = Object.entries(schema.properties ?? {}).flatMap(([name, { format }]) =>
    format === "date-time" ? [name] : [],
  );
  return (query: Record<string, unknown>) => {
    for (const name of times) {
      const text = query[name];
      if (typeof text === "string") query[name] = text.replace(PLUS_LOST, "$1+$2");
    }
  };
}

function validationFailed(errors: readonly ErrorObject[], httpPart: string, data: unknown) {
  if (httpPart === "body" && data === null) {
    return refusal("validation_failed", "This endpoint needs a body: send a JSON object as application/json.");
  }
  const faults = faultsOf(errors);
  const shown = faults.slice(0, FAULTS_MAX).map((fault): Fault => (httpPart === "body" ? fault : inParameter(fault)));
  const more = faults.length > FAULTS_MAX ? ` The first ${FAULTS_MAX} are listed.` : "";
  const where = httpPart === "body" ? "body" : httpPart === "querystring" ? "query" : httpPart;
  const detail =
    faults.length === 1 ? faults[0]!.detail : `The ${where} has ${faults.length} faults; each is in \`errors\`.${more}`;
  return refusal("validation_failed", detail, { errors: shown });
}

/** Faults of a query or path name the parameter instead of a place in the body. */
function inParameter({ pointer, code, detail }: Fault): Fault {
  const told = detail.replace("is not a field here", "is not a parameter here").replace(" Fields: ", " Parameters: ");
  return {
    parameter: (pointer ?? "").split("/")[1] ?? "",
    code: code === "unknown_field" ? "unknown_parameter" : code,
    detail: told,
  };
}

const FAULTS_MAX = 100;
const ITEMS_MAX = 100;
const DEPTH_MAX = 8; // deeper than any schema of ours

/**
 * The value with every array and object cut to its first items. Anything under `DEPTH_MAX` stays as it is: no schema
 * looks there.
 */
function pruned(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth === DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => pruned(item, depth + 1));
  const members = Object.entries(value).slice(0, ITEMS_MAX);
  return Object.fromEntries(members.map(([name, member]) => [name, pruned(member, depth + 1)]));
}
