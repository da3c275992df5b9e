import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bodiesOf } from "../../src/reference/calls.ts";
import { escapeHtml } from "../../src/reference/html.ts";
import { endpointsOf, type OpenApi, parametersIn, type Schema } from "../../src/reference/openapi.ts";
import { operationUrl } from "../../src/reference/pages.ts";
import { codesIn } from "../../src/reference/shape.ts";
import { type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";

/** The pages of a running gateway against its own document: what is in it is to be read there. */

const data = await makeDataDir();
let gateway: Gateway;
let document: OpenApi;
const pages = new Map<string, string>();

const pageAt = async (url: string): Promise<string> => {
  const path = url.split("#", 1)[0] ?? "";
  const known = pages.get(path);
  if (known !== undefined) return known;
  const response = await fetch(`${gateway.base}${path}`);
  assert.equal(response.status, 200, path);
  const html = await response.text();
  pages.set(path, html);
  return html;
};

before(async () => {
  gateway = await startGateway({ dataDir: data.dir });
  document = (await (await fetch(`${gateway.base}/openapi.json`)).json()) as OpenApi;
});

after(async () => {
  await gateway?.stop();
  await data.remove();
});

/** The part of its page that is about this operation. */
async function sectionOf(url: string): Promise<string> {
  const html = await pageAt(url);
  const id = url.split("#")[1];
  const found = html.split('<section class="operation"').find((section) => section.includes(`<h2 id="${id}">`));
  assert.ok(found, url);
  return found;
}

test("every operation has its section, with its path, parameters, bodies and every problem", async () => {
  const missing: string[] = [];
  for (const endpoint of endpointsOf(document)) {
    const { operation, path } = endpoint;
    const section = await sectionOf(operationUrl(endpoint));
    const codes = Object.values(operation.responses).flatMap((response) => codesOf(response));
    const parts = [
      `<code>${path}</code>`,
      ...(["path", "query", "header"] as const).flatMap((place) =>
        parametersIn(document, operation, place).map(({ name }) => `<code>${name}</code>`),
      ),
      ...bodiesOf(document, operation)
        .slice(1)
        .map(({ summary }) => `Body: ${escapeHtml(summary)}`),
      ...codes.map((code) => `<a href="/docs/errors/${code}">`),
    ];
    missing.push(...parts.filter((part) => !section.includes(part)).map((part) => `${operation.operationId}: ${part}`));
  }
  assert.deepEqual(missing, []);
});

const follow = (ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);

/** The document's own words for the codes of a refusal: the `code` of each problem. */
function codesOf(response: unknown): readonly string[] {
  const { $ref, content } = response as { $ref?: string; content?: Record<string, { schema: Schema }> };
  if ($ref) return codesOf(follow($ref));
  const schema = content?.["application/problem+json"]?.schema;
  return schema ? codesIn(document, schema) : [];
}

/** Names of all members that are reached from a value of the document, by plain walking. */
function namesIn(value: unknown, seen = new Set<unknown>(), names = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== "object" || value === null || seen.has(value)) return names;
  seen.add(value);
  const { $ref, properties } = value as { $ref?: unknown; properties?: object };
  if (typeof $ref === "string") namesIn(follow($ref), seen, names);
  for (const name of Object.keys(properties ?? {})) names.add(name);
  for (const [key, inner] of Object.entries(value))
    if (!["examples", "example"].includes(key)) namesIn(inner, seen, names);
  return names;
}

test("every member of what an operation takes and answers stands in its section", async () => {
  const missing: string[] = [];
  let count = 0;
  for (const endpoint of endpointsOf(document)) {
    const section = await sectionOf(operationUrl(endpoint));
    const { requestBody, responses, operationId } = endpoint.operation;
    const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
    for (const name of namesIn([requestBody, answers])) {
      count += 1;
      if (!section.includes(`<p class="member"><code>${name}</code>`)) missing.push(`${operationId}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(count > 1_000, `only ${count} members were compared`);
});

test("every member of every problem stands on the page of problems, and every code on that of errors", async () => {
  const [members, errors] = [await pageAt("/docs/api/problems"), await pageAt("/docs/errors")];
  const problems = Object.entries(document.components.schemas).filter(([, { allOf }]) =>
    allOf?.some(({ $ref }) => $ref?.endsWith("/Problem")),
  );
  assert.ok(problems.length > 40);
  const missing = problems.flatMap(([model, schema]) => [
    ...[...namesIn(schema)]
      .filter((name) => !members.includes(`<code>${name}</code>`))
      .map((name) => `${model}.${name}`),
    ...codesIn(document, schema).filter((code) => !errors.includes(`href="/docs/errors/${code}"`)),
  ]);
  assert.deepEqual(missing, []);
});

test("an operation is found by its id alone", async () => {
  const response = await fetch(`${gateway.base}/docs/api/buyElectricity`, { redirect: "manual" });
  assert.deepEqual([response.status, response.headers.get("location")], [302, "/docs/api/electricity#buyElectricity"]);
});

test("a page is compressed once, sent again only after it has changed, and small enough for a slow telephone", async (t) => {
  let largest = 0;
  for (const { name } of document.tags) {
    const url = `${gateway.base}/docs/api/${name.toLowerCase().replaceAll(" ", "-")}`;
    const response = await fetch(url, { headers: { "accept-encoding": "gzip" } });
    const etag = response.headers.get("etag") ?? "";
    assert.deepEqual([response.status, response.headers.get("content-encoding")], [200, "gzip"]);
    largest = Math.max(largest, Number(response.headers.get("content-length")));
    assert.equal((await fetch(url, { headers: { "if-none-match": etag } })).status, 304);
    await response.body?.cancel();
  }
  t.diagnostic(`the largest page of the reference: ${largest} bytes`);
  assert.ok(largest > 1_000 && largest < 60_000, `${largest} bytes`);
});

test("every link within the reference leads to a place that is there", async () => {
  const broken: string[] = [];
  const groups = document.tags.map(({ name }) => `/docs/api/${name.toLowerCase().replaceAll(" ", "-")}`);
  for (const url of ["/docs", "/docs/errors", "/docs/api/problems", ...groups])
    for (const [, href = ""] of (await pageAt(url)).matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (!/^(?:#|\/docs(?:[/#]|$))/.test(href) || href.endsWith(".json")) continue;
      const [path = "", anchor] = href.startsWith("#") ? [url, href.slice(1)] : href.split("#");
      const target = await pageAt(path);
      if (anchor !== undefined && !target.includes(` id="${anchor}"`)) broken.push(`${url}: ${href}`);
    }
  assert.deepEqual(broken, []);
});

test("no page has a style or a script in it", async () => {
  for (const [url, html] of pages) {
    assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=|javascript:/i, url);
    assert.equal(html.split("<script").length, 2, url);
  }
});
