import type { FastifyReply, FastifyRequest } from "fastify";
import type { Refusal } from "../kernel/refusal.ts";
import { nearest } from "../kernel/spelling.ts";
import { type Html, html } from "../reference/html.ts";
import { pageAlone } from "../reference/shell.ts";
import { preferredType } from "./accept.ts";
import { sendPage } from "./docs-page.ts";
import { PROBLEM_MEDIA_TYPE } from "./problems.ts";

/** Media types of the answer, the first for programs that take anything. */
const OFFERED = [PROBLEM_MEDIA_TYPE, "application/json", "text/html"] as const;

/**
 * Whether a person with a browser is behind the request. A program that sends a key gets the problem whatever it
 * accepts, as some HTTP clients ask for HTML before all else unless they are set up otherwise.
 */
export const isBrowser = ({ method, headers }: FastifyRequest): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers["x-api-key"] === undefined &&
  preferredType(headers.accept, OFFERED) === "text/html";

/** Answers a browser with the refusal as a page: what is near, and where the documents are. */
export function sendUnknownPage(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const path = pathOf(request);
  const { problems, documents } = request.server.edge;
  const { status, title } = problems.kindOf(refusal.code);
  const near = (refusal.members?.near ?? []) as readonly string[];
  const pages = nearPages(path, documents.urls);
  const content = html`<h1>${title}</h1>
<p><code>${request.method} ${shortened(path)}</code> · HTTP ${status}</p>
<p>${refusal.detail}</p>
${listed(
  "Pages with a name like it",
  pages.map((url) => html`<a href="${url}">${url}</a>`),
)}${listed(
  "Endpoints near it",
  near.map((name) => html`<code>${name}</code>`),
)}${listed("Where to look", [
  html`<a href="/docs">The reference</a>: every endpoint with examples`,
  html`<a href="/docs/guides">The guides</a>: from the first call to running a gateway`,
  html`<a href="/docs/errors/${refusal.code}">This error</a> and <a href="/docs/errors">all others</a>`,
])}<p>Programs get the same as <code>${PROBLEM_MEDIA_TYPE}</code>. Request id: <code>${request.id}</code></p>`;
  return sendPage(reply.code(status), pageAlone(title, content));
}

export const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0] ?? "";

const SHOWN_LENGTH_MAX = 200;
const shortened = (path: string): string =>
  path.length > SHOWN_LENGTH_MAX ? `${path.slice(0, SHOWN_LENGTH_MAX)}…` : path;

const listed = (heading: string, items: readonly Html[]): Html | undefined =>
  items.length === 0 ? undefined : html`<h2>${heading}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** Pages whose own name is the last step of the path, or a few letters away from it. */
function nearPages(path: string, urls: readonly string[]): string[] {
  const given = nameIn(path);
  if (given === "") return [];
  const names = new Set(nearest(given, [...new Set(urls.map(nameIn))]));
  return urls.filter((url) => names.has(nameIn(url))).slice(0, 3);
}

const nameIn = (path: string): string =>
  path
    .replace(/\/+$/, "")
    .replace(/\.(?:md|html?)$/, "")
    .split("/")
    .at(-1) ?? "";
