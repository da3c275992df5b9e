import type { ErrorCode } from "../kernel/refusal.ts";
import type { RouteEntry } from "./edge.ts";
import { formsOfList } from "./list-forms.ts";
import { NO_BODY } from "./no-input.ts";
import type { AnswerHeader, HeaderParameter } from "./openapi-headers.ts";
import { PROBLEM_MEDIA_TYPE, PROBLEMS } from "./problems.ts";

/** The parts of an OpenAPI operation object that are filled in here. */
export interface Operation {
  security?: object[];
  parameters?: { in?: string; example?: unknown; $ref?: string }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Media> }>;
  [extension: `x-${string}`]: unknown;
}

interface Media {
  schema?: object;
  examples?: Record<string, { summary?: string; value?: unknown; $ref?: string }>;
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
export function codesOf({ auth, config, method, url, schema }: RouteEntry): ErrorCode[] {
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
  return [...codes].sort((a, b) => PROBLEMS[a].status - PROBLEMS[b].status || a.localeCompare(b));
}

/** Fills in what the framework's plugin can't know: key, limits, idempotency, examples, and every refusal by status. */
export function completeOperation(operation: Operation, route: RouteEntry): void {
  const { auth, config, schema } = route;
  operation.security = auth === "public" ? [] : [{ apiKey: [] }];
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
    const media = response.content?.[mediaType] ?? {};
    media.examples = { ...media.examples, ...named([[summary, value]]) };
    response.content = { ...response.content, [mediaType]: media };
    operation.responses[status] = response;
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response.description === "Default Response") response.description = DESCRIPTIONS[status] ?? "Done";
    response.headers = answerHeaders(headersFor(auth), [
      ...(makesOrders(config) ? (["Idempotent-Replayed"] as const) : []),
      ...(config.waits && status === "202" ? (["Location"] as const) : []),
    ]);
  }
  for (const [status, codes] of Map.groupBy(codesOf(route), (code) => PROBLEMS[code].status)) {
    operation.responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join("  \n"),
      headers: answerHeaders(headersFor(auth), codes.some(isRetryable) ? ["Retry-After"] : []),
      content: {
        [PROBLEM_MEDIA_TYPE]: {
          schema: { allOf: [{ $ref: "#/components/schemas/Problem" }, { properties: { code: { enum: codes } } }] },
          examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    };
  }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = { 200: "Done", 201: "Made", 202: "Accepted", 204: "Done" };

const headersFor = (auth: RouteEntry["auth"]): AnswerHeader[] => [
  "Request-Id",
  "Afara-Version",
  ...(auth !== "public" && auth.policy !== null ? LIMIT_HEADERS : []),
  ...(auth !== "public" ? (["Deprecation", "Sunset"] as const) : []),
];

const LIMIT_HEADERS = [
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const satisfies readonly AnswerHeader[];

const isRetryable = (code: ErrorCode): boolean => PROBLEMS[code].retryable;

const makesOrders = ({ idempotency }: RouteEntry["config"]): boolean =>
  idempotency === "required" || idempotency === "optional";

const answerHeaders = (always: readonly AnswerHeader[], more: readonly AnswerHeader[]) =>
  Object.fromEntries([...always, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

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

/** `/sms/status/:message_id` → `/sms/status/{message_id}` */
export const openApiPath = (url: string): string => url.replaceAll(/:(\w+)/g, "{$1}");
