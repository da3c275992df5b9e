import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { ERROR_CODES } from "../kernel/refusal.ts";
import { API_VERSION, type RouteEntry } from "./edge.ts";
import { errorExamples } from "./error-pages.ts";
import { makeFixedDocument } from "./fixed-document.ts";
import { NO_QUERY } from "./no-input.ts";
import { ANSWER_HEADERS, HEADER_PARAMETERS } from "./openapi-headers.ts";
import { completeOperation, type Operation, openApiPath } from "./openapi-operation.ts";

const DESCRIPTION = `Send SMS and WhatsApp messages in Nigeria, sell airtime, data and prepaid electricity, and know what became of each: sent or not, delivered or not, charged or not.

New here? [The guides](/docs/guides) go from the first call to running a gateway; [test mode](/docs/guides/test-mode) has the
magic numbers and meters with which a test key plays every outcome.

Every call carries your key in \`X-API-Key\`. Every refusal is \`application/problem+json\` with a stable \`code\`, explained under
[/docs/errors](/docs/errors). Bodies are closed: a field that does not exist is an error that names it.

Whatever sends or spends may be repeated without fear: send an \`Idempotency-Key\`, and the same again with every repeat.`;

const KEY_DESCRIPTION = `Your key: \`afara_test_…\` or \`afara_live_…\`. A gateway on your own machine printed a test key when it started, and keeps it in the file
\`data/test-key\`. A test key spends play money and reaches simulated handsets only.`;

/** The schema of every refusal. */
const PROBLEM = {
  type: "object",
  description: "RFC 9457 problem details.",
  required: ["type", "title", "status", "code", "detail", "request_id", "retryable"],
  properties: {
    type: { type: "string", description: "Path of the page that explains the code." },
    title: { type: "string" },
    status: { type: "integer" },
    code: { type: "string", enum: ERROR_CODES },
    detail: { type: "string", description: "For people: what to do about this one." },
    request_id: { type: "string" },
    retryable: { type: "boolean", description: "Whether the very same request may pass later." },
    errors: {
      type: "array",
      description: "All faults of the request, each with the place of its field.",
      items: {
        type: "object",
        required: ["code", "detail"],
        properties: {
          pointer: { type: "string", description: "JSON Pointer into the body." },
          parameter: { type: "string", description: "Name of the query or path parameter." },
          code: { type: "string" },
          detail: { type: "string" },
        },
      },
    },
  },
} as const;

export const OPENAPI_PATH = "/openapi.json";

/**
 * OpenAPI 3.1 of all routes, made from their schemas and `config`, at `GET /openapi.json`. To be registered before any
 * route.
 */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Afara", version: API_VERSION, description: DESCRIPTION },
      servers: [{ url: "/", description: "This gateway" }],
      components: {
        securitySchemes: {
          apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: KEY_DESCRIPTION },
        },
      },
    },
    transform: ({ schema, url }) => {
      const { querystring, ...rest } = { ...schema };
      return { schema: querystring === undefined || querystring === NO_QUERY ? rest : { ...rest, querystring }, url };
    },
    transformObject: (document) => {
      if (!("openapiObject" in document)) return document.swaggerObject;
      return completed(document.openapiObject, app.edge.routes);
    },
  });

  // Routes don't change once the server listens.
  const document = makeFixedDocument("application/json; charset=utf-8", () => JSON.stringify(app.swagger()));
  app.get(OPENAPI_PATH, { config: { auth: "public" }, schema: { hide: true } }, (request, reply) =>
    document.send(request, reply),
  );
}

function completed<Document extends { paths?: object; components?: object }>(
  document: Document,
  routes: readonly RouteEntry[],
): Document {
  const paths: Record<string, Record<string, Operation>> = { ...document.paths };
  for (const route of routes) {
    const operation = paths[openApiPath(route.url)]?.[route.method.toLowerCase()];
    if (operation) completeOperation(operation, route);
  }
  const components: { schemas?: object } = { ...document.components };
  return {
    ...document,
    components: {
      ...components,
      schemas: { ...components.schemas, Problem: PROBLEM },
      examples: errorExamples(),
      headers: ANSWER_HEADERS,
      parameters: HEADER_PARAMETERS,
    },
  };
}
