import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance, FastifyReply } from "fastify";
import { DOCS_PREFIX, docsPage, sendPage } from "./docs-page.ts";
import { markdownToHtml } from "./markdown.ts";
import { OPENAPI_PATH } from "./openapi.ts";
import type { Problems } from "./problems.ts";

/** Swagger UI sets styles from its script; everything it loads is served here. */
const REFERENCE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** Hides a column that is always empty and made the page wider than a phone. */
const REFERENCE_CSS = ".response-col_links { display: none; }";

/**
 * The reference at `/docs`, and the project's documents below it: guides, error codes, operations, vendors. It loads nothing from
 * other servers.
 */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  // The plugin's own copies of the OpenAPI document would be rebuilt for each reader.
  app.addHook("onRoute", (route) => {
    if (route.url === `${DOCS_PREFIX}/json`) route.handler = (_request, reply) => reply.redirect(OPENAPI_PATH);
    if (route.url === `${DOCS_PREFIX}/yaml`) route.handler = (_request, reply) => reply.callNotFound();
  });
  await app.register(swaggerUi, {
    routePrefix: DOCS_PREFIX,
    staticCSP: REFERENCE_CSP,
    uiConfig: {
      docExpansion: "list",
      layout: "BaseLayout",
      deepLinking: true,
      defaultModelsExpandDepth: -1,
      tryItOutEnabled: false,
    },
    theme: { title: "Afara API reference", css: [{ filename: "afara.css", content: REFERENCE_CSS }] },
  });

  const { documents, problems } = app.edge;
  let index: string | undefined;
  const options = { config: { auth: "public" }, schema: { hide: true } } as const;

  app.get(`${DOCS_PREFIX}/errors`, options, (_request, reply) => {
    index ??= docsPage("Errors", errorIndex(problems));
    return sendPage(reply, index);
  });
  for (const folder of ["operations", "providers"]) {
    app.get(`${DOCS_PREFIX}/${folder}`, options, (_request, reply) => reply.redirect(`${DOCS_PREFIX}/guides`));
  }

  const answer = (url: string, reply: FastifyReply): FastifyReply => {
    const document = documents.at(url);
    if (document) return sendPage(reply, docsPage(document.title, document.html));
    const named = url.endsWith(".md") ? documents.at(url.slice(0, -".md".length)) : undefined; // the file's own name
    if (named) return reply.redirect(named.url);
    reply.callNotFound();
    return reply;
  };
  app.get<{ Params: { page: string } }>(`${DOCS_PREFIX}/:page`, options, ({ params }, reply) =>
    answer(`${DOCS_PREFIX}/${params.page}`, reply),
  );
  app.get<{ Params: { folder: string; page: string } }>(`${DOCS_PREFIX}/:folder/:page`, options, ({ params }, reply) =>
    answer(`${DOCS_PREFIX}/${params.folder}/${params.page}`, reply),
  );
}

function errorIndex({ codes, kindOf }: Problems): string {
  const byStatus = Map.groupBy(codes, (code) => kindOf(code).status);
  const sections = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, same]) => {
      const items = same.map((code) => `- [${kindOf(code).title}](/docs/errors/${code}) \`${code}\``);
      return `## ${status}\n\n${items.join("\n")}`;
    });
  return markdownToHtml(`# Errors\n\n${INTRODUCTION}\n\n${sections.join("\n\n")}`);
}

const INTRODUCTION = `Every refusal is \`application/problem+json\` with a \`code\` that never changes its meaning. Decide by \`code\`, show \`detail\` to people,
keep \`request_id\`: by it whoever runs the gateway finds the request and its order. Orders that were accepted and then failed say why in \`failure.code\`: [all failures](/docs/errors/failures).`;
