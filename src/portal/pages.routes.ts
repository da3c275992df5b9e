import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { sendPage } from "../http/docs-page.ts";
import type { Http } from "../http/edge.ts";
import { html } from "../reference/html.ts";
import { pageAlone } from "../reference/shell.ts";

const PREFIX = "/portal";
/** Beside the pages, but none: what the pages ask for. */
const API_PREFIX = `${PREFIX}/api/`;
const YEAR_MS = 31_536_000_000;

/** Whatever a page loads or calls is ours, and no script or style stands in the page itself. */
const PAGE_HEADERS = {
  "content-security-policy":
    "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  vary: "accept-encoding",
} as const;

/** Pages take any query: it is read in the browser. */
const OPTIONS = { config: { auth: "public" }, schema: { hide: true, querystring: Type.Object({}) } } as const;

/**
 * The built pages of `distDir`. Which page an address below `/portal` means is decided in the browser; each file stands there
 * compressed too, so that no request pays for it.
 */
export function pageRoutes(http: Http, distDir: string): void {
  http.get("/", OPTIONS, (_request, reply) => reply.redirect(PREFIX)); // for people who open the address in a browser
  http.register(async (scope) => {
    await scope.register(fastifyStatic, { root: distDir, serve: false, preCompressed: true });

    const page = (reply: FastifyReply) => {
      if (!existsSync(join(distDir, "index.html"))) return sendPage(reply.code(503), NOT_BUILT);
      reply.headers({ ...PAGE_HEADERS, "cache-control": "no-cache" });
      return reply.sendFile("index.html", { cacheControl: false });
    };
    scope.get(PREFIX, OPTIONS, (_request, reply) => page(reply));
    scope.get(`${PREFIX}/*`, OPTIONS, (request, reply) => {
      if (!request.url.startsWith(API_PREFIX)) return page(reply);
      reply.callNotFound();
      return reply;
    });
    scope.get<{ Params: { "*": string } }>(`${PREFIX}/assets/*`, OPTIONS, ({ params }, reply) => {
      reply.header("vary", "accept-encoding");
      return reply.sendFile(`assets/${params["*"]}`, { maxAge: YEAR_MS, immutable: true }); // its name has its hash
    });
  });
}

const NOT_BUILT = pageAlone(
  "The portal is not built",
  html`<h1>The portal is not built</h1>
<p><code>npm start</code> builds its pages. Where the gateway is started another way, <code>node scripts/portal.mjs</code> builds them; it may
run meanwhile, and a reload of this page shows them.</p>
<p>The API and <a href="/docs">its documents</a> work without them.</p>`,
);
