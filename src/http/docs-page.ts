import { hash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { escapeHtml } from "./markdown.ts";

/** The prefix of the documentation pages, which need no key. */
export const DOCS_PREFIX = "/docs";

const STYLE = `:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--paper:#fff;--panel:#f6f8fa;--link:#0b57d0}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9da7b3;--line:#30363d;--paper:#0d1117;--panel:#161b22;--link:#79b8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.6 system-ui,sans-serif}
nav,main{max-width:46rem;margin:0 auto;padding:0 1.25rem}
nav{padding-top:1.25rem;font-size:.95rem}
nav a{display:inline-block;margin-right:1.25rem;padding:.25rem 0}
main{padding-bottom:4rem;overflow-wrap:anywhere}
h1{font-size:1.9rem;line-height:1.25;margin:1.5rem 0 .25rem}
h2{font-size:1.2rem;margin:2rem 0 .25rem}
h3{font-size:1.05rem;margin:1.5rem 0 .25rem}
p,ul,ol{margin:.5rem 0}
ul,ol{padding-left:1.5rem}
li{margin:.3rem 0}
a{color:var(--link)}
code{font:.88em/1.5 ui-monospace,monospace;background:var(--panel);padding:.1em .35em;border-radius:4px}
pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:1rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
pre code{background:none;padding:0}
table{border-collapse:collapse;width:100%;overflow-wrap:normal;font-size:.95rem;display:block;overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}`;

/** The page runs and loads nothing: its one style is allowed by its hash, its icon is empty. */
const DOCS_CSP = `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; img-src data:; frame-ancestors 'none'; base-uri 'none'`;

/** A documentation page. `content` is HTML. */
export const docsPage = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Afara</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Documentation"><a href="/docs">API reference</a><a href="/docs/guides">Guides</a><a href="/docs/errors">Errors</a><a href="/docs/errors/failures">Failures</a></nav>
<main>
${content}
</main>
</body>
</html>
`;

/** Sends a page of `docsPage` with the reply's current status. */
export const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply.headers({ "content-type": "text/html; charset=utf-8", "content-security-policy": DOCS_CSP }).send(page);
