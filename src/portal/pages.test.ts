import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import type { Http } from "../http/edge.ts";
import { makeRig } from "../testing/http-rig.ts";
import { pageRoutes } from "./pages.routes.ts";

const INDEX = "<!doctype html><title>Afara</title>";
const SCRIPT = "export const arch = 1;\n".repeat(40);

let folder = "";
let http: Http;
let unbuilt: Http;

const withPages = async (distDir: string): Promise<Http> => {
  const { app } = await makeRig();
  pageRoutes(app, distDir);
  return app;
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "afara-portal-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), INDEX);
  await writeFile(join(folder, "index.html.br"), brotliCompressSync(INDEX));
  await writeFile(join(folder, "built-from"), "a secret of the build");
  await writeFile(join(folder, "assets", "arch-1a2b3c.js"), SCRIPT);
  await writeFile(join(folder, "assets", "arch-1a2b3c.js.br"), brotliCompressSync(SCRIPT));
  http = await withPages(folder);
  unbuilt = await withPages(join(folder, "nowhere"));
});

after(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("whoever opens the bare address is led to the portal", async () => {
  const answer = await http.inject("/");
  assert.deepEqual([answer.statusCode, answer.headers.location], [302, "/portal"]);
});

const PAGES = [
  "/portal",
  "/portal/",
  "/portal/orders?status=failed&x=1",
  "/portal/services/sms",
  "/portal/no/such/page",
];
for (const url of PAGES)
  test(`${url} is the one page, which may run and load nothing but ours and is in no frame`, async () => {
    const answer = await http.inject(url);
    assert.deepEqual([answer.statusCode, answer.body], [200, INDEX]);
    assert.match(String(answer.headers["content-type"]), /^text\/html/);
    const policy = String(answer.headers["content-security-policy"]);
    for (const rule of ["default-src 'self'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.split("; ").includes(rule), `${rule} in ${policy}`);
    assert.ok(policy.includes("base-uri 'none'") && policy.includes("form-action 'self'"), policy);
    assert.doesNotMatch(policy, /unsafe|http|\*/);
    assert.equal(answer.headers["referrer-policy"], "no-referrer");
    assert.equal(answer.headers["cross-origin-opener-policy"], "same-origin");
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
    assert.match(String(answer.headers["permissions-policy"]), /camera=\(\)/);
  });

test("a page is asked for anew each time, and not sent again while it is the same", async () => {
  const first = await http.inject("/portal");
  assert.equal(first.headers["cache-control"], "no-cache");
  const again = await http.inject({ url: "/portal", headers: { "if-none-match": String(first.headers.etag) } });
  assert.deepEqual([again.statusCode, again.body], [304, ""]);
});

test("what a page loads is kept for a year, and comes compressed as it was built", async () => {
  const url = "/portal/assets/arch-1a2b3c.js";
  const plain = await http.inject(url);
  assert.deepEqual([plain.statusCode, plain.body], [200, SCRIPT]);
  assert.equal(plain.headers["cache-control"], "public, max-age=31536000, immutable");
  const small = await http.inject({ url, headers: { "accept-encoding": "gzip, br" } });
  assert.deepEqual([small.headers["content-encoding"], small.headers.vary], ["br", "accept-encoding"]);
  assert.equal(brotliDecompressSync(small.rawPayload).toString(), SCRIPT);
  assert.match(String(small.headers["content-type"]), /javascript/);
});

const NOT_FILES = [
  "/portal/assets/gone.js",
  "/portal/assets/..%2fbuilt-from",
  "/portal/assets/../built-from",
  "/portal/assets/%2e%2e/%2e%2e/%2e%2e/package.json",
];
for (const url of NOT_FILES)
  test(`${url} is no file of the pages`, async () => {
    const answer = await http.inject(url);
    assert.doesNotMatch(answer.body, /a secret of the build|"name"/);
    assert.doesNotMatch(String(answer.headers["cache-control"]), /immutable/);
    if (answer.statusCode === 200) assert.equal(answer.body, INDEX);
    else assert.ok([403, 404].includes(answer.statusCode), String(answer.statusCode));
  });

test("an endpoint of the portal that is not there is told as one, not as a page", async () => {
  const answer = await http.inject("/portal/api/nothing");
  assert.deepEqual([answer.statusCode, answer.headers["content-type"]], [404, "application/problem+json"]);
});

test("a page takes no POST", async () => {
  const answer = await http.inject({ method: "POST", url: "/portal/sign-in" });
  assert.equal(answer.statusCode, 405);
});

test("a gateway whose pages were not built says how they are", async () => {
  const answer = await unbuilt.inject("/portal");
  assert.equal(answer.statusCode, 503);
  assert.match(answer.body, /node scripts\/portal\.mjs/);
});

test("no endpoint has the path of a page", async () => {
  const { paths } = (await http.inject("/openapi.json")).json() as { paths: object };
  assert.deepEqual(
    Object.keys(paths).filter((path) => path === "/portal" || /^\/portal\/(?!api\/)/.test(path)),
    [],
  );
});
