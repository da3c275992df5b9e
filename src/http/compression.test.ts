import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { makeRig } from "../testing/http-rig.ts";

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync };

for (const [coding, decode] of Object.entries(DECODERS)) {
  test(`the machine contract is sent as ${coding} to who takes it, a fraction of its size`, async () => {
    const { app } = await makeRig();
    const plain = await app.inject("/openapi.json");
    const small = await app.inject({ url: "/openapi.json", headers: { "accept-encoding": coding } });
    assert.equal(small.headers["content-encoding"], coding);
    assert.match(String(small.headers.vary), /accept-encoding/i);
    assert.equal(decode(small.rawPayload).toString(), plain.body);
    assert.ok(small.rawPayload.length < plain.rawPayload.length / 3);
  });
}

test("the machine contract is sent again only after it has changed", async () => {
  const { app } = await makeRig();
  const first = await app.inject({ url: "/openapi.json", headers: { "accept-encoding": "gzip" } });
  const etag = String(first.headers.etag);
  assert.match(etag, /^W\/"/);
  assert.equal(first.headers["cache-control"], "no-cache");
  const again = await app.inject({
    url: "/openapi.json",
    headers: { "accept-encoding": "gzip", "if-none-match": etag },
  });
  assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, "", etag]);
  assert.deepEqual([again.headers["content-length"], again.headers.vary], [undefined, "accept-encoding"]);
  for (const named of [`"x", ${etag}`, etag.slice(2), "*"])
    assert.equal((await app.inject({ url: "/openapi.json", headers: { "if-none-match": named } })).statusCode, 304);
  const changed = await app.inject({ url: "/openapi.json", headers: { "if-none-match": 'W/"other"' } });
  assert.equal(changed.statusCode, 200);
});

test("the reference page reads the same document, and no other form of it is made", async () => {
  const { app } = await makeRig();
  const page = await app.inject("/docs/json");
  assert.deepEqual([page.statusCode, page.headers.location], [302, "/openapi.json"]);
  assert.equal((await app.inject("/docs/yaml")).statusCode, 404);
});

test("a short answer is never compressed", async () => {
  const { app, key } = await makeRig();
  const headers = { "x-api-key": key, "accept-encoding": "gzip, br", "content-type": "application/json" };
  const payload = JSON.stringify({ to: "+2348031234567", message: "x".repeat(1_900), reference: "r" });
  const sent = await app.inject({ method: "POST", url: "/sms/send", headers, payload });
  assert.deepEqual([sent.statusCode, sent.headers["content-encoding"]], [202, undefined]);
  const wallet = await app.inject({ url: "/limits", headers });
  assert.equal(wallet.headers["content-encoding"], undefined);
});
