import type { Call } from "../../portal/src/pieces/code.ts";
import {
  type Endpoint,
  type Example,
  type OpenApi,
  type Operation,
  type Parameter,
  parametersIn,
  resolved,
} from "./openapi.ts";
import { codesIn } from "./shape.ts";

export const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";
const FORM_TYPE = "multipart/form-data";
const STREAM_TYPE = "text/event-stream";

export interface NamedExample {
  readonly summary: string;
  readonly value: unknown;
}

const namedExamples = (
  document: OpenApi,
  examples: Readonly<Record<string, Example | { readonly $ref: string }>> = {},
): readonly NamedExample[] =>
  Object.entries(examples).map(([name, example]) => {
    const { summary = name, value } = resolved<Example>(document, example);
    return { summary, value };
  });

/** The bodies that an operation shows, if it takes JSON. */
export const bodiesOf = (document: OpenApi, { requestBody }: Operation): readonly NamedExample[] =>
  namedExamples(document, requestBody?.content[JSON_TYPE]?.examples);

const fileOf = (document: OpenApi, { requestBody }: Operation): string | undefined => {
  const [form] = namedExamples(document, requestBody?.content[FORM_TYPE]?.examples);
  const file = (form?.value as { readonly file?: unknown } | undefined)?.file;
  return typeof file === "string" ? file.replace(/^@/, "") : undefined;
};

/** What stands for the parameter in an example. */
export function exampleOf(document: OpenApi, { example, schema, name }: Parameter): string {
  const { examples, enum: values } = resolved(document, schema.$ref ? { $ref: schema.$ref } : schema);
  return String(example ?? schema.examples?.[0] ?? examples?.[0] ?? values?.[0] ?? name);
}

export const IDEMPOTENCY_KEY = "Idempotency-Key";

/** Whether each call needs a key of its own: a body with a `reference` has one already. */
export const needsKey = ({ "x-idempotency": idempotency }: Operation, body: unknown): boolean =>
  idempotency === "required" && !(typeof body === "object" && body !== null && "reference" in body);

/** The call that the examples show: with the first body, and the parameters that it can't do without. */
export function callOf(document: OpenApi, { method, path, operation }: Endpoint): Call {
  const [body] = bodiesOf(document, operation);
  const file = fileOf(document, operation);
  const parts = parametersIn(document, operation, "path");
  const filled = parts.reduce(
    (all, part) => all.replace(`{${part.name}}`, encodeURIComponent(exampleOf(document, part))),
    path,
  );
  const query = parametersIn(document, operation, "query")
    .filter(({ required }) => required)
    .map((part) => `${part.name}=${encodeURIComponent(exampleOf(document, part))}`);
  return {
    method,
    path: query.length === 0 ? filled : `${filled}?${query.join("&")}`,
    ...(needsKey(operation, body?.value) && { headers: { [IDEMPOTENCY_KEY]: "till-7-000412" } }),
    ...(body && { body: body.value }),
    ...(file !== undefined && { file }),
    isPublic: isPublic(operation),
  };
}

export const isPublic = ({ security }: Operation): boolean => security?.length === 0;

export interface Answer {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly string[];
  readonly media: readonly {
    readonly type: string;
    readonly schema: object;
    readonly examples: readonly NamedExample[];
  }[];
}

/** What it answers when it does what was asked. */
export const answersOf = (document: OpenApi, { responses }: Operation): readonly Answer[] =>
  Object.entries(responses).flatMap(([status, response]) => {
    const { description, headers = {}, content = {} } = resolved(document, response);
    if (!status.startsWith("2")) return [];
    const media = Object.entries(content).map(([type, { schema = {}, examples }]) => ({
      type,
      schema,
      examples: namedExamples(document, examples),
    }));
    return [{ status, description, headers: Object.keys(headers), media }];
  });

export interface Refusals {
  /** `default` for what is refused before the request has been read. */
  readonly status: string;
  readonly description: string;
  readonly codes: readonly string[];
  readonly headers: readonly string[];
}

export const refusalsOf = (document: OpenApi, { responses }: Operation): readonly Refusals[] =>
  Object.entries(responses).flatMap(([status, response]) => {
    const { description, headers = {}, content = {} } = resolved(document, response);
    const schema = content[PROBLEM_TYPE]?.schema;
    return schema ? [{ status, description, codes: codesIn(document, schema), headers: Object.keys(headers) }] : [];
  });

/** Why a page can't try the operation; undefined if it can. */
export function whyNotTried(document: OpenApi, { method, operation }: Endpoint): string | undefined {
  if (operation.requestBody?.content[FORM_TYPE]) return "A file is sent by your own program.";
  const isStream = answersOf(document, operation).some(({ media }) => media.some(({ type }) => type === STREAM_TYPE));
  if (isStream) return "A stream does not end: read it with your own program.";
  if (operation["x-scope"] === "manage" && method !== "GET")
    return "It changes the account itself, whatever the mode: use the portal, or a key with the scope manage.";
  return undefined;
}
