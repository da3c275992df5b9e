import { existsSync, readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DOCS_PREFIX } from "../reference/documents.ts";
import type { OpenApi } from "../reference/openapi.ts";
import { COLLECTION_URL } from "../reference/pages.ts";
import { postmanCollection } from "../reference/postman.ts";
import { DOCS_CSP } from "../reference/shell.ts";
import { makeSite, type Site } from "../reference/site.ts";
import { styleSheet } from "../reference/style.ts";
import { type FixedDocument, makeFixedDocument } from "./fixed-document.ts";
import { OPENAPI_PATH } from "./openapi.ts";

const PORTAL = new URL("../../portal/", import.meta.url);
const HTML = "text/html; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";
const OPTIONS = { config: { auth: "public" }, schema: { hide: true } } as const;
/** What the portal's build makes for these pages, which are read without it, too. */
const FONTS = ["inter", "inter-nigerian", "mono"];

/**
 * The reference at `/docs`, made from the gateway's own OpenAPI document, and the project's documents below it: guides, error codes,
 * operations, vendors. They load nothing from other servers. Each is made when it is first asked for, and kept compressed.
 */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  const { documents, problems } = app.edge;
  const openApi = () => app.swagger() as unknown as OpenApi;
  let made: Site | undefined;
  const site = () => (made ??= makeSite(openApi(), documents, problems));

  const kept = new Map<string, FixedDocument>();
  /** The document of this path, or nothing there. */
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    { type, textOf }: { readonly type: string; readonly textOf: () => string | undefined },
  ): Promise<FastifyReply> => {
    let document = kept.get(path);
    if (!document) {
      const text = textOf();
      if (text === undefined) {
        reply.callNotFound();
        return reply;
      }
      document = makeFixedDocument(type, () => text);
      kept.set(path, document);
    }
    reply.header("content-security-policy", DOCS_CSP);
    return document.send(request, reply);
  };

  const page = (request: FastifyRequest, reply: FastifyReply, path: string) =>
    answer(request, reply, path, { type: HTML, textOf: () => site().page(path) });
  const file = (name: string, type: string, textOf: () => string | undefined) => {
    const path = `${DOCS_PREFIX}/${name}`;
    app.get(path, OPTIONS, (request, reply) => answer(request, reply, path, { type, textOf }));
  };

  app.get(DOCS_PREFIX, OPTIONS, (request, reply) => page(request, reply, DOCS_PREFIX));
  for (const [path, target] of REDIRECTS)
    app.get(`${DOCS_PREFIX}/${path}`, OPTIONS, (_request, reply) => reply.redirect(target));

  file("reference.css", "text/css; charset=utf-8", styleSheet);
  file("reference.js", "text/javascript; charset=utf-8", () => read("dist/reference.js")?.toString());
  file("favicon.svg", "image/svg+xml", () => read("src/frame/favicon.svg")?.toString());
  file("search.json", JSON_TYPE, () => site().searchIndex());
  app.get<{ Params: { font: string } }>(`${DOCS_PREFIX}/fonts/:font.woff2`, OPTIONS, ({ params }, reply) => {
    const font = FONTS.includes(params.font) ? read(`dist/fonts/${params.font}.woff2`) : undefined;
    if (!font) {
      reply.callNotFound();
      return reply;
    }
    return reply.type("font/woff2").header("cache-control", "public, max-age=86400").send(font);
  });
  app.get(COLLECTION_URL, OPTIONS, ({ protocol, host }, reply) =>
    reply.type(JSON_TYPE).send(JSON.stringify(postmanCollection(openApi(), originOf(protocol, host)))),
  );

  app.get<{ Params: { page: string } }>(`${DOCS_PREFIX}/:page`, OPTIONS, (request, reply) =>
    fileOrPage(request, reply, `${DOCS_PREFIX}/${request.params.page}`),
  );
  app.get<{ Params: { folder: string; page: string } }>(`${DOCS_PREFIX}/:folder/:page`, OPTIONS, (request, reply) => {
    const { folder, page: name } = request.params;
    const operation = folder === "api" ? site().operation(name) : undefined;
    return operation ? reply.redirect(operation) : fileOrPage(request, reply, `${DOCS_PREFIX}/${folder}/${name}`);
  });

  /** A file's own name leads to its page. */
  const fileOrPage = (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const named = path.endsWith(".md") ? documents.at(path.slice(0, -".md".length)) : undefined;
    return named ? reply.redirect(named.url) : page(request, reply, path);
  };
}

/** Addresses without a page of their own. */
const REDIRECTS = [
  ["json", OPENAPI_PATH],
  ["api", DOCS_PREFIX],
  ["operations", `${DOCS_PREFIX}/guides`],
  ["providers", `${DOCS_PREFIX}/guides`],
] as const;

function read(path: string): Buffer | undefined {
  const url = new URL(path, PORTAL);
  return existsSync(url) ? readFileSync(url) : undefined;
}

/** Where the caller reached this gateway, so that its tools need not be told. */
const originOf = (protocol: string, host: string): string | undefined => {
  const url = `${protocol}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
};
