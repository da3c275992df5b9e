import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { signatureOf } from "../providers/paystack/wire/signature.ts";
import { FUNDING_PROVIDERS } from "../providers/registry.ts";
import { SILENT } from "../testing/database.ts";
import { makeRig } from "../testing/http-rig.ts";
import { fundingCallback } from "./callback.routes.ts";

const KEY = "sk_test_example";

async function makeCallback(reported: (reference: string) => Promise<void>) {
  const rig = await makeRig();
  const built = FUNDING_PROVIDERS[0]?.build(
    { secretKey: KEY, sandbox: true, customerEmail: "a+{account}@example.ng" },
    { clock: { now: () => new Date(), monotonicMs: () => performance.now() }, fetch, log: SILENT },
  );
  assert.ok(built?.ok);
  fundingCallback(rig.app, { provider: built.value, verifier: { reported }, log: SILENT });
  const post = (body: Buffer | string, headers: Record<string, string>) =>
    rig.app.inject({ method: "POST", url: "/callbacks/paystack", payload: body, headers });
  return { ...rig, post };
}

const REPORT = '{"event":"charge.success","data":{"reference":"trf-1"}}';
const signed = (body: Buffer | string) => ({ "x-paystack-signature": signatureOf(KEY, body) });

test("a report is answered only once it is committed", async () => {
  const commit = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const { post } = await makeCallback(() => {
    asked.resolve();
    return commit.promise;
  });
  let answered = false;
  const answer = post(REPORT, signed(REPORT)).finally(() => {
    answered = true;
  });
  await asked.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(answered, false);
  commit.resolve();
  assert.equal((await answer).statusCode, 200);
});

test("a report that can't be committed is not answered with 200, so that it comes again", async () => {
  const { post } = await makeCallback(() => Promise.reject(new Error("the database is away")));
  assert.equal((await post(REPORT, signed(REPORT))).statusCode, 500);
});

test("a signed report is taken whatever its Content-Type says, and other endpoints still want JSON", async () => {
  const references: string[] = [];
  const { post, app, key } = await makeCallback(async (reference) => void references.push(reference));
  for (const type of ["application/json", "application/json; charset=latin1", "text/plain", "a/b"])
    assert.equal((await post(REPORT, { ...signed(REPORT), "content-type": type })).statusCode, 200, type);
  assert.deepEqual(references, ["trf-1", "trf-1", "trf-1", "trf-1"]);
  const other = await app.inject({
    method: "POST",
    url: "/sms/send",
    payload: "{}",
    headers: { "x-api-key": key, "content-type": "text/plain" },
  });
  assert.equal(other.statusCode, 415);
});

test("no bytes whatever are recorded without the signature, and none brings the callback down with it", async () => {
  const references: string[] = [];
  const { post } = await makeCallback(async (reference) => void references.push(reference));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .record({ event: fc.constantFrom("charge.success", "x"), data: fc.jsonValue() })
      .map((value) => Buffer.from(JSON.stringify(value))),
  );
  const signature = fc.oneof(
    fc.constant(undefined),
    fc.string({ maxLength: 200 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, "").trim()),
    fc.constant(signatureOf("sk_test_other", REPORT)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, signature, async (body, text) => {
      const headers = text === undefined ? {} : { "x-paystack-signature": text };
      assert.equal((await post(body, headers)).statusCode, 401);
    }),
    { numRuns: 300 },
  );
  assert.deepEqual(references, []);
  await fc.assert(
    fc.asyncProperty(bytes, async (body) => {
      assert.ok([200, 400].includes((await post(body, signed(body))).statusCode));
    }),
    { numRuns: 300 },
  );
});
