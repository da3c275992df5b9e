import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRig } from "../testing/http-rig.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const { app, key } = await makeRig();

test("a browser gets a page for an unknown path: 404, what is near, and where the documents are", async () => {
  const { statusCode, headers, body } = await app.inject({ url: "/sms/snd?to=1", headers: { accept: BROWSER } });
  assert.equal(statusCode, 404);
  assert.equal(headers["content-type"], "text/html; charset=utf-8");
  assert.equal(headers.vary, "Accept");
  assert.match(
    String(headers["content-security-policy"]),
    /^default-src 'none'; script-src 'self'; style-src 'self'; (?!.*unsafe)/,
  );
  assert.match(body, /<code>GET \/sms\/snd<\/code> · HTTP 404/);
  assert.match(body, /<code>POST \/sms\/send<\/code>/);
  assert.match(body, /<a href="\/docs">/);
  assert.ok(body.includes(String(headers["request-id"])));
});

for (const [asked, page] of [
  ["/guides/first-sms", "/docs/guides/first-sms"],
  ["/docs/guides/frist-sms", "/docs/guides/first-sms"],
  ["/docs/errors/rate_limitd", "/docs/errors/rate_limited"],
  ["/README.md", "/docs/readme"],
] as const)
  test(`a browser at ${asked} is led to ${page}`, async () => {
    const { statusCode, body } = await app.inject({ url: asked, headers: { accept: BROWSER } });
    assert.equal(statusCode, 404);
    assert.ok(body.includes(`<a href="${page}">`));
  });

test("a browser at an endpoint that takes other methods is told which", async () => {
  const { statusCode, headers, body } = await app.inject({ url: "/sms/send", headers: { accept: BROWSER } });
  assert.deepEqual([statusCode, headers.allow], [405, "POST"]);
  assert.match(body, /takes POST, not GET/);
});

for (const [who, method, headers] of [
  ["who says nothing", "GET", {}],
  ["curl", "GET", { accept: "*/*" }],
  ["who names JSON first", "GET", { accept: "application/json, text/html, */*" }],
  ["who takes no HTML", "GET", { accept: "text/html;q=0, */*" }],
  ["who sends a key", "GET", { accept: BROWSER, "x-api-key": key }],
  ["who posts", "POST", { accept: BROWSER }],
] as const)
  test(`${who} gets problem+json for an unknown path`, async () => {
    const answer = await app.inject({ method, url: "/sms/snd", headers });
    assert.equal(answer.statusCode, 404);
    assert.equal(answer.headers["content-type"], "application/problem+json");
    assert.equal(answer.headers.vary, "Accept");
    assert.equal(answer.json().code, "unknown_endpoint");
  });

for (const path of ['/<script>alert("1")</script>', "/'\"><img src=x onerror=alert(1)>", "/&lt;script&gt;", "/%3Cb%3E"])
  test(`the path ${path} brings no markup into the page`, async () => {
    const { statusCode, body } = await app.inject({ url: path, headers: { accept: "text/html" } });
    assert.equal(statusCode, 404);
    const [before, after, ...more] = body.split('<script src="/docs/reference.js"></script>'); // the page's own
    assert.deepEqual(more, []);
    for (const tag of ["<script", "<img", "<b>"]) assert.ok(!`${before}${after}`.includes(tag), tag);
  });

test("a path of any length is answered, and shown in part", async () => {
  const { statusCode, body } = await app.inject({ url: `/${"x".repeat(8_000)}`, headers: { accept: BROWSER } });
  assert.equal(statusCode, 404);
  assert.ok(body.length < 8_000);
});

for (const [path, status, code] of [
  ["/%zz", 400, "malformed_request"],
  ["/docs/%zz", 400, "malformed_request"],
  ["/docs/guides/%00", 400, "invalid_character"],
  ["/nothing/%00", 400, "invalid_character"],
  [`/docs/${"x".repeat(700)}`, 414, "uri_too_long"],
] as const)
  test(`a path that can't be read (${path.slice(0, 12)}) answers a browser with a page too, others with ${code}`, async () => {
    const { statusCode, headers, body } = await app.inject({ url: path, headers: { accept: BROWSER } });
    assert.deepEqual([statusCode, headers["content-type"]], [status, "text/html; charset=utf-8"]);
    assert.ok(body.includes(`<a href="/docs/errors/${code}">`));
    assert.equal((await app.inject(path)).json().code, code);
  });

test("HEAD has the page's headers and no body", async () => {
  const { statusCode, headers, body } = await app.inject({
    method: "HEAD",
    url: "/nothing",
    headers: { accept: BROWSER },
  });
  assert.deepEqual([statusCode, body], [404, ""]);
  assert.equal(headers["content-type"], "text/html; charset=utf-8");
});

for (const path of ["/docs/static/%2e%2e/x", "/docs/static/%2e%2e/%2e%2e/package.json"])
  test(`a browser at ${path} gets a page`, async () => {
    const { statusCode, headers } = await app.inject({ url: path, headers: { accept: BROWSER } });
    assert.deepEqual([statusCode, headers["content-type"]], [404, "text/html; charset=utf-8"]);
  });
