import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance, FastifyReply } from "fastify";
import { ERROR_CODES } from "../kernel/refusal.ts";
import { DOCS_CSP, docsPage } from "./docs-page.ts";
import { errorPage, failuresPage } from "./error-pages.ts";
import { markdownToHtml } from "./markdown.ts";
import { OPENAPI_PATH } from "./openapi.ts";
import { PROBLEMS } from "./problems.ts";

/** Where all pages for people are; nothing under it needs a key. */
export const DOCS_PREFIX = "/docs";

/** Swagger UI sets styles from its script; everything it loads comes from here. */
const REFERENCE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** A column that no operation of ours fills made the page wider than a phone. */
const REFERENCE_CSS = ".response-col_links { display: none; }";

/** The reference at `/docs` and the pages of the error codes under `/docs/errors`. Needs no network but this server. */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  // The page's own copies of the machine contract would be made anew for each reader.
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

  const pages = new Map<string, string>([
    ["failures", docsPage("Failures of orders", markdownToHtml(failuresPage()))],
    ...ERROR_CODES.map((code): [string, string] => [
      code,
      docsPage(PROBLEMS[code].title, markdownToHtml(errorPage(code))),
    ]),
  ]);
  const index = docsPage("Errors", errorIndex());
  const options = { config: { auth: "public" }, schema: { hide: true } } as const;

  app.get("/", options, (_request, reply) => reply.redirect(DOCS_PREFIX)); // for whoever opens the address in a browser

  app.get(`${DOCS_PREFIX}/errors`, options, (_request, reply) => sendPage(reply, index));

  app.get<{ Params: { code: string } }>(`${DOCS_PREFIX}/errors/:code`, options, (request, reply) => {
    const page = pages.get(request.params.code);
    if (page === undefined) return reply.callNotFound();
    return sendPage(reply, page);
  });
}

const sendPage = (reply: FastifyReply, page: string) =>
  reply.headers({ "content-type": "text/html; charset=utf-8", "content-security-policy": DOCS_CSP }).send(page);

function errorIndex(): string {
  const byStatus = Map.groupBy(ERROR_CODES, (code) => PROBLEMS[code].status);
  const sections = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => {
      const items = codes.map((code) => `- [${PROBLEMS[code].title}](/docs/errors/${code}) \`${code}\``);
      return `## ${status}\n\n${items.join("\n")}`;
    });
  return markdownToHtml(`# Errors\n\n${INTRODUCTION}\n\n${sections.join("\n\n")}`);
}

const INTRODUCTION = `Every refusal is \`application/problem+json\` with a \`code\` that never changes its meaning. Decide by \`code\`, show \`detail\` to people,
keep \`request_id\` for support. Orders that were accepted and then failed say why in \`failure.code\`: [all failures](/docs/errors/failures).`;
