import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { API_VERSION } from "../kernel/api-version.ts";
import type { Edge } from "./edge.ts";
import { errorExamples } from "./error-pages.ts";
import { makeFixedDocument } from "./fixed-document.ts";
import { NO_QUERY } from "./no-input.ts";
import { ANSWER_HEADERS, HEADER_PARAMETERS } from "./openapi-headers.ts";
import { Models } from "./openapi-models.ts";
import { completeOperation, nameModels, type Operation, refusalsOf } from "./openapi-operation.ts";
import { shareParameters } from "./openapi-parameters.ts";
import { openApiPath } from "./openapi-path.ts";
import { makeResponses } from "./openapi-refusals.ts";
import { SHARED_TAGS, type Tag } from "./openapi-tags.ts";
import { makeProblemSchemas } from "./problem-schemas.ts";

const describe = (services: readonly Tag[]): string =>
  `Send messages and sell prepaid services in Nigeria, with one wallet and a definite status for each order: sent or not, delivered or not, charged or not.

${services.map(({ name, description }) => `- **${name}**: ${description}`).join("\n")}

New here? [The guides](/docs/guides) go from the first call to running a gateway; [test mode](/docs/guides/test-mode) has the
magic numbers with which a test key plays every outcome.

Every call carries your key in \`X-API-Key\`. Every refusal is \`application/problem+json\` with a stable \`code\`, explained under
[/docs/errors](/docs/errors). Bodies are closed: a field that does not exist is an error that names it.

Every answer has its request's id in \`Request-Id\` and the remaining limit in \`RateLimit\`. Objects may gain fields, so ignore those you don't know.

Anything that sends or spends is safe to repeat: send an \`Idempotency-Key\`, and the same one with every repeat.`;

const KEY_DESCRIPTION = `Your key: \`afara_test_…\` or \`afara_live_…\`. A gateway on your own machine printed a test key when it started, and keeps it in the file
\`data/test-key\`. A test key spends play money and reaches simulated handsets only.`;

export const OPENAPI_PATH = "/openapi.json";

/**
 * OpenAPI 3.1 of all routes, made from their schemas and `config`, at `GET /openapi.json`. To be registered before any
 * route. `serviceTags`: in the order of the reference.
 */
export async function registerOpenApi(app: FastifyInstance, serviceTags: readonly Tag[]): Promise<void> {
  const tags = [...serviceTags, ...SHARED_TAGS];
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Afara",
        version: API_VERSION,
        description: describe(serviceTags),
        license: { name: "Proprietary", url: "/docs" },
      },
      security: [{ apiKey: [] }],
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
      return completed(document.openapiObject, app.edge, tags);
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
  { routes, problems }: Pick<Edge, "routes" | "problems">,
  allTags: readonly Tag[],
): Document {
  const paths: Record<string, Record<string, Operation>> = { ...document.paths };
  const shown = routes.flatMap((route) => {
    const operation = paths[openApiPath(route.url)]?.[route.method.toLowerCase()];
    return operation ? [{ route, operation, refusals: refusalsOf(route, problems) }] : [];
  });
  const models = new Models();
  const responses = makeResponses(
    shown.flatMap(({ refusals }) => refusals),
    models,
    makeProblemSchemas(problems),
  );
  for (const { route, operation, refusals } of shown) {
    completeOperation(operation, route);
    nameModels(operation, models);
    for (const each of refusals) operation.responses[each.status] = responses.of(each);
  }
  const parameters = shareParameters(shown.map(({ operation }) => operation));
  const answered = new Set(shown.flatMap(({ refusals }) => refusals.flatMap(({ codes }) => codes)));
  const tags = new Set(shown.flatMap(({ operation }) => operation.tags ?? []));
  return {
    ...document,
    tags: allTags.filter(({ name }) => tags.has(name)),
    components: {
      ...document.components,
      schemas: models.all(),
      responses: responses.shared(),
      examples: errorExamples(problems.codes.filter((code) => answered.has(code))),
      headers: ANSWER_HEADERS,
      parameters: { ...HEADER_PARAMETERS, ...parameters },
    },
  };
}
