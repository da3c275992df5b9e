import { type Html, html } from "./html.ts";
import { markdown } from "./markdown.ts";
import { type Endpoint, endpointsOf, type OpenApi, type Schema, slugOf } from "./openapi.ts";
import { operationHtml } from "./operation-html.ts";
import { shapeOf } from "./shape.ts";
import { membersHtml } from "./shape-html.ts";
import type { Page } from "./shell.ts";

/** What the reference knows of the error codes. */
export interface ErrorKinds {
  readonly codes: readonly string[];
  has(code: string): boolean;
  kindOf(code: string): { readonly status: number; readonly title: string };
}

export const groupUrl = (tag: string): string => `/docs/api/${slugOf(tag)}`;
export const operationUrl = ({ operation }: Endpoint): string =>
  `${groupUrl(operation.tags[0] ?? "")}#${operation.operationId}`;

export const PROBLEMS_URL = "/docs/api/problems";
export const COLLECTION_URL = "/docs/afara.postman_collection.json";

/** Where the reference begins: what holds for every call, and the groups. */
export function overviewPage(document: OpenApi): Page {
  const { info, tags, components } = document;
  const content = html`<h1>API reference</h1>
${markdown(info.description ?? "")}
<h2 id="groups">Operations</h2>
<ul class="cards">${tags.map(
    ({ name, description }) => html`<li><a href="${groupUrl(name)}">${name}</a><p>${description}</p></li>`,
  )}</ul>
<h2 id="key">Your key</h2>
${markdown(components.securitySchemes.apiKey?.description ?? "")}
<h2 id="headers">Headers of answers</h2>
${membersHtml(
  Object.entries(components.headers).map(([name, { schema, description }]) => ({
    name,
    isRequired: false,
    shape: { ...shapeOf(document, schema), ...(description !== undefined && { description }) },
  })),
)}
<h2 id="tools">For your tools</h2>
<ul>
<li><a href="/openapi.json">OpenAPI ${"3.1"} document</a>, version ${info.version}: for generators of clients</li>
<li><a href="${COLLECTION_URL}" download>Postman collection</a>: every operation with its examples.
In Postman choose Import, paste the address of this link, and set the collection's variable <code>apiKey</code> to a test key.</li>
</ul>`;
  return { url: "/docs", title: "API reference", content };
}

/** The page of a group: each of its operations. */
export function groupPage(document: OpenApi, tag: OpenApi["tags"][number], kinds: ErrorKinds): Page {
  const own = endpointsOf(document).filter(({ operation }) => operation.tags.includes(tag.name));
  const titleOf = (code: string) => (kinds.has(code) ? kinds.kindOf(code).title : "");
  const content = html`<h1>${tag.name}</h1>
${tag.description !== undefined && markdown(tag.description)}
<ul class="operations">${own.map(
    ({ method, path, operation }) =>
      html`<li><span class="method ${method.toLowerCase()}">${method}</span> <a href="#${operation.operationId}">${operation.summary}</a> <code>${path}</code></li>`,
  )}</ul>
${own.map((endpoint) => operationHtml(document, endpoint, titleOf))}`;
  return { url: groupUrl(tag.name), title: tag.name, content, isReference: true };
}

/** What a refusal has: the members of all problems, and those of some. */
export function problemsPage(document: OpenApi, kinds: ErrorKinds): Page {
  const { schemas } = document.components;
  const problem = schemas.Problem;
  const common = problem ? shapeOf(document, problem).members : [];
  const names = new Set(common.map(({ name }) => name));
  const own = problemModels(schemas).flatMap(([code, schema]) => {
    const members = shapeOf(document, schema).members.filter(({ name }) => !names.has(name));
    return members.length > 0 && kinds.has(code) ? [{ code, members }] : [];
  });
  const content = html`<h1>Members of problems</h1>
<p>Every refusal is <code>application/problem+json</code> (RFC 9457). All have these members:</p>
${membersHtml(common)}
<h2 id="further">Further members</h2>
<p>Some codes have more. Each has its page among <a href="/docs/errors">the errors</a>, with an example.</p>
${own.map(
  ({ code, members }) =>
    html`<h3 id="${code}"><a href="/docs/errors/${code}"><code>${code}</code></a> ${kinds.kindOf(code).title}</h3>${membersHtml(members)}`,
)}`;
  return { url: PROBLEMS_URL, title: "Members of problems", content };
}

/** The models that stand for one code each. */
const problemModels = (schemas: Readonly<Record<string, Schema>>): readonly (readonly [string, Schema])[] =>
  Object.values(schemas).flatMap((schema) => {
    const code = schema.allOf?.findLast(({ properties }) => properties?.code)?.properties?.code?.enum?.[0];
    return typeof code === "string" ? [[code, schema] as const] : [];
  });

/** All error codes by their status. */
export function errorsPage({ codes, kindOf }: ErrorKinds): Page {
  const byStatus = [...Map.groupBy(codes, (code) => kindOf(code).status)].sort(([a], [b]) => a - b);
  const content = html`<h1>Errors</h1>
${markdown(INTRODUCTION)}
${byStatus.map(
  ([status, same]) =>
    html`<h2 id="${status}">${status}</h2>
<ul>${same.map((code) => html`<li><a href="/docs/errors/${code}">${kindOf(code).title}</a> <code>${code}</code></li>\n`)}</ul>`,
)}`;
  return { url: "/docs/errors", title: "Errors", content };
}

const INTRODUCTION = `Every refusal is \`application/problem+json\` with a \`code\` that never changes its meaning. Decide by \`code\`, show \`detail\` to people,
keep \`request_id\`: by it whoever runs the gateway finds the request and its order. [Some codes have further members](${PROBLEMS_URL}). Orders that
were accepted and then failed say why in \`failure.code\`: [all failures](/docs/errors/failures).`;

export const inWords = (html: Html | string): string =>
  String(html)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
