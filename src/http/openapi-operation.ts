import type { ErrorCode } from "../kernel/refusal.ts";
import type { RouteEntry } from "./edge.ts";
import { formsOfList } from "./list-forms.ts";
import { NO_BODY } from "./no-input.ts";
import type { AnswerHeader, HeaderParameter } from "./openapi-headers.ts";
import { type Models, pascalCase, type Schema } from "./openapi-models.ts";
import type { Refusals } from "./openapi-refusals.ts";
import type { Media, Response } from "./openapi-response.ts";
import type { Problems } from "./problems.ts";

/** The parts of an OpenAPI operation object that are filled in here. */
export interface Operation {
  operationId?: string;
  tags?: readonly string[];
  security?: object[];
  parameters?: {
    in?: string;
    name?: string;
    required?: boolean;
    example?: unknown;
    schema?: Schema;
    $ref?: string;
  }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response | { $ref: string }>;
  [extension: `x-${string}`]: unknown;
}

const ANY: readonly ErrorCode[] = [
  "malformed_request",
  "invalid_character",
  "unknown_version",
  "headers_too_large",
  "request_timeout",
  "internal_error",
];
const KEY: readonly ErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "api_key_expired",
  "use_x_api_key_header",
  "duplicate_api_key_header",
  "account_suspended",
  "ip_not_allowed",
  "scope_missing",
  "database_unavailable",
];
const BODY: readonly ErrorCode[] = [
  "invalid_json",
  "validation_failed",
  "invalid_character",
  "payload_too_large",
  "unsupported_media_type",
];

/** Every code an operation can answer with: those its route names and those its key, limits, input bring along. */
export function codesOf({ auth, config, method, url, schema }: RouteEntry, { kindOf }: Problems): ErrorCode[] {
  const codes = new Set<ErrorCode>([...(config.errors ?? []), ...ANY, "validation_failed"]);
  if (auth !== "public") {
    for (const code of KEY) codes.add(code);
    if (auth.service !== undefined) codes.add("not_subscribed");
    if (auth.policy !== null) codes.add("rate_limited");
  }
  if (method !== "GET" && method !== "HEAD") for (const code of BODY) codes.add(code);
  if (url.includes(":")) codes.add("uri_too_long");
  if (formsOfList(schema)) codes.add("not_acceptable");
  if (makesOrders(config)) codes.add("invalid_idempotency_key");
  if (config.idempotency === "required") codes.add("idempotency_key_required");
  return [...codes].sort((a, b) => kindOf(a).status - kindOf(b).status || a.localeCompare(b));
}

/** What no operation has a part in: the server refuses so before it has read the request. They share one response. */
const UNREAD: ReadonlySet<ErrorCode> = new Set(["request_timeout", "uri_too_long", "headers_too_large"]);

/** What the operation answers when it refuses, by status. */
export function refusalsOf(route: RouteEntry, problems: Problems): Refusals[] {
  const { kindOf } = problems;
  const statusOf = (code: ErrorCode) => (UNREAD.has(code) ? "default" : kindOf(code).status);
  return [...Map.groupBy(codesOf(route, problems), statusOf)].map(([status, codes]) => ({
    status,
    codes,
    headers: headerRefs([
      ...(status === 429 ? LIMITED : []),
      ...(codes.some((code) => kindOf(code).retryable) ? (["Retry-After"] as const) : []),
    ]),
  }));
}

/** Fills in what the framework's plugin can't know: key, limits, idempotency and examples. */
export function completeOperation(operation: Operation, route: RouteEntry): void {
  const { auth, config, schema } = route;
  if (auth === "public") operation.security = [];
  operation["x-idempotency"] = config.idempotency ?? "none";
  if (auth !== "public") {
    operation["x-scope"] = auth.scope;
    if (auth.policy !== null) operation["x-rate-limit-policy"] = auth.policy;
  }
  // The reference page would send the example of a filter, and so find nothing.
  for (const parameter of operation.parameters ?? []) if (parameter.in === "query") delete parameter.example;
  operation.parameters = [...(operation.parameters ?? []), ...headerParameters(route).map(parameterRef)];
  if (schema.body === NO_BODY) delete operation.requestBody;
  for (const media of Object.values(operation.requestBody?.content ?? {})) {
    if (config.requestExamples) media.examples = named(Object.entries(config.requestExamples));
  }
  for (const { status, summary, value, mediaType = "application/json" } of config.answerExamples ?? []) {
    const response = operation.responses[status] ?? { description: summary };
    if ("$ref" in response) continue;
    const media = response.content?.[mediaType] ?? {};
    media.examples = { ...media.examples, ...named([[summary, value]]) };
    response.content = { ...response.content, [mediaType]: media };
    operation.responses[status] = response;
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if ("$ref" in response) continue;
    if (response.description === "Default Response") response.description = DESCRIPTIONS[status] ?? "Done";
    response.headers = headerRefs([
      "Request-Id",
      ...(auth !== "public" && auth.policy !== null ? (["RateLimit"] as const) : []),
      ...(makesOrders(config) ? (["Idempotent-Replayed"] as const) : []),
      ...(config.waits && status === "202" ? (["Location"] as const) : []),
    ]);
  }
}

/** Puts references in place of the models in parameters, body and answers. A body without a name gets the operation's. */
export function nameModels(operation: Operation, models: Models): void {
  for (const parameter of operation.parameters ?? [])
    if (parameter.schema) parameter.schema = models.take(parameter.schema);
  const bodyName = `${pascalCase(operation.operationId ?? "")}Request`;
  for (const media of Object.values(operation.requestBody?.content ?? {}))
    if (media.schema) media.schema = models.take({ title: bodyName, ...media.schema });
  for (const response of Object.values(operation.responses))
    if ("content" in response)
      for (const media of Object.values(response.content ?? {}))
        if (media.schema) media.schema = models.take(media.schema);
}

const DESCRIPTIONS: Readonly<Record<string, string>> = { 200: "Done", 201: "Made", 202: "Accepted", 204: "Done" };

/** Headers of every answer to a key, each described at itself. They are all named where they are what it is about. */
const LIMITED = [
  "Request-Id",
  "Afara-Version",
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Deprecation",
  "Sunset",
] as const satisfies readonly AnswerHeader[];

const makesOrders = ({ idempotency }: RouteEntry["config"]): boolean =>
  idempotency === "required" || idempotency === "optional";

const headerRefs = (names: readonly AnswerHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function headerParameters({ config }: RouteEntry): HeaderParameter[] {
  return [
    ...(makesOrders(config) ? (["Idempotency-Key"] as const) : []),
    ...(config.waits ? (["Prefer"] as const) : []),
    "Afara-Version",
  ];
}

const parameterRef = (name: HeaderParameter) => ({ $ref: `#/components/parameters/${name}` });

const named = (examples: [string, unknown][]): Record<string, { summary: string; value: unknown }> =>
  Object.fromEntries(examples.map(([summary, value]) => [summary.replaceAll(/\W+/g, "_"), { summary, value }]));
