import assert from "node:assert/strict";
import { before, test } from "node:test";
import { makeDocuments, servedLinks } from "../reference/documents.ts";
import { markdownToHtml } from "../reference/markdown.ts";
import { makeRig } from "../testing/http-rig.ts";
import { SHARED_TAGS, type Tag } from "./openapi-tags.ts";

/** Whether an `href` is an address alone: a text in quotes or braces becomes a link to what nobody meant. */
const isAddress = (href: string): boolean =>
  /^https?:\/\/[\w.-]+(?::\d+)?(?:[/?#](?:[\w.,:@/~%?=#+!-]|&amp;)*)?$/.test(href);

const { urls } = makeDocuments();
/** Programs, and files for programs. */
const NO_PAGES = ["/portal", "/openapi.json", "/docs/afara.postman_collection.json"];
const pages = new Map<string, string>();
const rig = await makeRig();

before(async () => {
  for (const url of [...urls, "/docs", "/docs/errors", "/docs/api/sms", "/docs/api/problems"]) {
    const answer = await rig.app.inject(url);
    assert.deepEqual([answer.statusCode, answer.headers["content-type"]], [200, "text/html; charset=utf-8"], url);
    pages.set(url, answer.body);
  }
});

test("guides, operations, vendors, errors, decisions and the project's own pages are served", () => {
  const some = ["guides", "guides/first-sms", "operations/accounts", "providers/smpp", "errors/rate_limited", "adr"];
  for (const page of [...some, "readme", "architecture", "life-of-an-order", "changelog"])
    assert.ok(urls.includes(`/docs/${page}`), page);
});

test("every link of a served page leads to a served page, and to a heading that is there", () => {
  const broken: string[] = [];
  for (const [url, html] of pages)
    for (const [, href = ""] of html.matchAll(/<a href="([^"]*)"/g)) {
      assert.ok(!href.startsWith("http://localhost"), `${url}: ${href}`);
      if (/^https?:/.test(href) || NO_PAGES.includes(href)) continue;
      const [path, anchor] = href.startsWith("#") ? [url, href.slice(1)] : href.split("#");
      const target = pages.get(path ?? "");
      const isThere = target !== undefined && (anchor === undefined || target.includes(` id="${anchor}"`));
      if (!isThere) broken.push(`${url}: ${href}`);
    }
  assert.deepEqual(broken, []);
});

test("an address that a page links by itself is an address, without what stands around it", () => {
  const wrong: string[] = [];
  for (const [url, html] of pages)
    for (const [, href = ""] of html.matchAll(/<a href="(https?:[^"]*)"/g))
      if (!isAddress(href)) wrong.push(`${url}: ${href}`);
  assert.deepEqual(wrong, []);
});

for (const [text, is] of [
  ["See https://example.ng/a?b=1&c=2.", true],
  ["<http://localhost:8080/docs>", true],
  ['["https://a.example","https://b.example"]', false],
  ["{url:https://a.example}", false],
  ["https://a.example/{id}", false],
] as const)
  test(`${text} ${is ? "has" : "has not"} a link that may be served`, () => {
    const [, href = ""] = /<a href="([^"]*)"/.exec(markdownToHtml(text)) ?? [];
    assert.notEqual(href, "");
    assert.equal(isAddress(href), is);
  });

test("the list of guides has every guide, every page of operations and every vendor", () => {
  const list = pages.get("/docs/guides") ?? "";
  for (const url of urls.filter((page) => /^\/docs\/(guides|operations|providers)\//.test(page)))
    assert.ok(list.includes(`<a href="${url}">`), url);
});

test("the reference leads to the guides and to the magic numbers", () => {
  const { description } = (rig.app.swagger() as { info: { description: string } }).info;
  for (const url of ["/docs/guides", "/docs/guides/test-mode"]) {
    assert.ok(description.includes(`](${url})`), url);
    assert.ok(pages.has(url), url);
  }
});

test("the reference begins with each service, in the words of its tag", () => {
  const { info, tags } = rig.app.swagger() as { info: { description: string }; tags: readonly Tag[] };
  const shared = SHARED_TAGS.map(({ name }) => name);
  const services = tags.filter(({ name }) => !shared.includes(name));
  assert.ok(services.length > 0);
  for (const { name, description } of services)
    assert.ok(info.description.includes(`- **${name}**: ${description}`), name);
});

for (const [path, status, location] of [
  ["/docs/guides/first-sms.md", 302, "/docs/guides/first-sms"],
  ["/docs/guides/first-sms/", 200, undefined],
  ["/docs/guides?utm_source=mail", 200, undefined],
  ["/docs?utm_source=mail", 200, undefined],
  ["/docs/operations", 302, "/docs/guides"],
  ["/docs/providers", 302, "/docs/guides"],
  ["/docs/guides/first-sm", 404, undefined],
  ["/docs/guides/..%2F..%2Fpackage.json", 404, undefined],
  ["/docs/guides/%2e%2e/%2e%2e/package.json", 404, undefined],
  ["/docs/afara.config.ts", 404, undefined],
] as const)
  test(`${path} is answered with ${status}`, async () => {
    const { statusCode, headers } = await rig.app.inject(path);
    assert.deepEqual([statusCode, headers.location], [status, location]);
  });

test("links between files become links between pages, and what is not served keeps its words alone", () => {
  const files = new Map([
    ["docs/errors/a.md", "/docs/errors/a"],
    ["README.md", "/docs/readme"],
  ]);
  const linkTo = servedLinks("docs/guides/x.md", files);
  for (const [href, served] of [
    ["../errors/a.md#example", "/docs/errors/a#example"],
    ["../../README.md", "/docs/readme"],
    ["../errors/", "/docs/errors"],
    ["../operations/", "/docs/guides"],
    ["#here", "#here"],
    ["https://example.ng/", "https://example.ng/"],
    ["http://localhost:8080/docs/guides", "/docs/guides"],
    ["http://localhost:8080", "/"],
    ["http://localhost:80801/docs", "http://localhost:80801/docs"],
    ["../../afara.config.ts", undefined],
    ["javascript:alert(1)", undefined],
  ] as const)
    assert.equal(linkTo(href), served, href);
});
