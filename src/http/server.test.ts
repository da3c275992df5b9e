import assert from "node:assert/strict";
import { test } from "node:test";
import Type from "typebox";
import type { IdPrefix } from "../kernel/ids.ts";
import { makeRig, type Rig } from "../testing/http-rig.ts";
import { IdParameter } from "./schemas.ts";
import { BODY_LIMIT_BYTES } from "./server.ts";

const GOOD = { to: "+2348031234567", message: "Your code is 123456" };

/** Posts to the test route that takes a message; a string goes out as it is. */
const post = ({ app, key }: Rig, payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: "POST",
    url: "/sms/send",
    headers: { "x-api-key": key, "content-type": "application/json", ...headers },
    payload: typeof payload === "string" ? payload : JSON.stringify(payload),
  });

// 2xx

test("a good request is answered by its route, with the standard headers", async () => {
  const answer = await post(await makeRig(), GOOD);
  assert.equal(answer.statusCode, 202);
  assert.deepEqual(answer.json(), { to: GOOD.to });
  assert.match(String(answer.headers["request-id"]), /^req_[0-9a-z]{26}$/);
  assert.partialDeepStrictEqual(answer.headers, {
    "afara-version": "2026-11-27",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  });
});

test("every request has an id of its own, whatever the caller calls it", async () => {
  const rig = await makeRig();
  const answers = await Promise.all([post(rig, GOOD, { "request-id": "mine" }), post(rig, GOOD)]);
  const ids = answers.map(({ headers }) => headers["request-id"]);
  assert.equal(new Set([...ids, "mine"]).size, 3);
});

test("HEAD is answered like GET without a body", async () => {
  const { app, key } = await makeRig();
  const [head, get] = await Promise.all(
    (["HEAD", "GET"] as const).map((method) =>
      app.inject({ method, url: "/sms/messages", headers: { "x-api-key": key } }),
    ),
  );
  assert.equal(head?.statusCode, 200);
  assert.equal(head?.body, "");
  assert.equal(head?.headers["content-length"], get?.headers["content-length"]);
});

test("OPTIONS tells the methods of a path", async () => {
  const { app } = await makeRig();
  const answer = await app.inject({ method: "OPTIONS", url: "/sms/messages" });
  assert.equal(answer.statusCode, 204);
  assert.equal(answer.headers.allow, "GET, HEAD");
});

test("a query is read as numbers where numbers are wanted", async () => {
  const { app, key } = await makeRig();
  const answer = await app.inject({ url: "/sms/messages?limit=7", headers: { "x-api-key": key } });
  assert.equal(answer.json().limit, 7);
});

test("strict transport is asked for when the caller came over TLS to a trusted proxy", async () => {
  const { app } = await makeRig({ options: { trustProxy: "127.0.0.1" } });
  const secure = await app.inject({ url: "/services", headers: { "x-forwarded-proto": "https" } });
  assert.equal(secure.headers["strict-transport-security"], "max-age=31536000; includeSubDomains");
  const plain = await app.inject({ url: "/services" });
  assert.equal(plain.headers["strict-transport-security"], undefined);
});

// 400

test("all faults of a body come at once, each with its place and what to do", async () => {
  const answer = await post(await makeRig(), {
    to: 1,
    mesage: "x",
    route: "bulk",
    validity_minutes: 1.5,
    send_at: "tomorrow",
    amount: true,
    reference: "",
    metadata: { a: 1 },
  });
  assert.equal(answer.statusCode, 400);
  assert.equal(answer.headers["content-type"], "application/problem+json");
  const { code, errors, request_id } = answer.json();
  assert.equal(code, "validation_failed");
  assert.equal(request_id, answer.headers["request-id"]);
  assert.deepEqual(errors, [
    { pointer: "/amount", code: "wrong_type", detail: "`amount` must be a string or a whole number; a boolean came." },
    { pointer: "/mesage", code: "unknown_field", detail: "`mesage` is not a field here. Did you mean `message`?" },
    { pointer: "/message", code: "required", detail: "`message` is required." },
    { pointer: "/metadata/a", code: "wrong_type", detail: "`a` must be a string; a number came." },
    { pointer: "/reference", code: "too_short", detail: "`reference` must not be empty." },
    {
      pointer: "/route",
      code: "not_allowed_value",
      detail: '`route` must be one of: "transactional", "promotional".',
    },
    {
      pointer: "/send_at",
      code: "wrong_format",
      detail: "`send_at` must be a time that exists, with its zone, like 2026-11-27T09:00:00.000Z.",
    },
    { pointer: "/to", code: "wrong_type", detail: "`to` must be a string; a number came." },
    {
      pointer: "/validity_minutes",
      code: "wrong_type",
      detail: "`validity_minutes` must be a whole number; a number with a fraction came.",
    },
  ]);
});

const BAD_BODIES: readonly [name: string, body: string, code: string][] = [
  ["broken JSON", '{"to":', "invalid_json"],
  ["text after the JSON", `${JSON.stringify(GOOD)} x`, "invalid_json"],
  ["a trailing comma", '{"to":"1",}', "invalid_json"],
  ["white space alone", "  ", "invalid_json"],
  ["nothing", "", "validation_failed"],
  ["null", "null", "validation_failed"],
  ["a list", "[]", "validation_failed"],
  ["a text", '"x"', "validation_failed"],
  ["an empty message", JSON.stringify({ ...GOOD, message: "" }), "validation_failed"],
  ["a number for a text", JSON.stringify({ ...GOOD, to: 234 }), "validation_failed"],
  ["a text for a number", JSON.stringify({ ...GOOD, validity_minutes: "5" }), "validation_failed"],
  ["a number beyond all numbers", '{"to":"1","message":"x","validity_minutes":1e999}', "validation_failed"],
  ["a number of 30 digits", `{"to":"1","message":"x","validity_minutes":${"9".repeat(30)}}`, "validation_failed"],
  ["a member called __proto__", '{"to":"1","message":"x","__proto__":{"a":1}}', "validation_failed"],
  ["a member that is written twice", '{"to":"1","to":"2","message":"x"}', "validation_failed"],
  ["a member called __proto__ in escapes", '{"to":"1","message":"x","\\u005f_proto__":{}}', "validation_failed"],
  ["a message of NULs", '{"to":"1","message":"\\u0000\\u0000"}', "invalid_character"],
  ["a raw NUL", '{"to":"1","message":"\0"}', "invalid_character"],
  ["half of a surrogate pair", '{"to":"1","message":"\\ud83d"}', "invalid_character"],
  ["the other half", '{"to":"1","message":"\\uDE00 x"}', "invalid_character"],
  ["half of a surrogate pair in a name", '{"to":"1","message":"x","\\ud83d":1}', "invalid_character"],
];
for (const [name, body, code] of BAD_BODIES) {
  test(`a body that is ${name} is refused as ${code}`, async () => {
    const answer = await post(await makeRig(), body);
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().code, code);
  });
}

test("bytes that are not UTF-8 are refused as invalid_character", async () => {
  const { app, key } = await makeRig();
  const payload = Buffer.from('{"to":"1","message":"\xe9"}', "latin1");
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await app.inject({ method: "POST", url: "/sms/send", headers, payload });
  assert.equal(answer.json().code, "invalid_character");
});

test("a whole emoji in escapes is taken", async () => {
  const answer = await post(await makeRig(), '{"to":"1","message":"\\ud83d\\ude00"}');
  assert.equal(answer.statusCode, 202);
});

test("bad characters are told with their places", async () => {
  const answer = await post(await makeRig(), '{"to":"\\u0000","message":"x","metadata":{"a/b":"\\ud800"}}');
  const pointers = answer.json().errors.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(pointers.sort(), ["/metadata/a~1b", "/to"]);
});

test("a misspelt query parameter is told instead of ignored", async () => {
  const { app, key } = await makeRig();
  const answer = await app.inject({ url: "/sms/messages?limt=5&limit=many", headers: { "x-api-key": key } });
  assert.equal(answer.statusCode, 400);
  assert.deepEqual(
    answer.json().errors.map(({ parameter, code }: Record<string, string>) => [parameter, code]),
    [
      ["limit", "wrong_type"],
      ["limt", "unknown_parameter"],
    ],
  );
});

test("a route without a body refuses one", async () => {
  const { app, key } = await makeRig();
  const request = { method: "POST", url: "/sms/cancel/msg_1", headers: { "x-api-key": key } } as const;
  assert.equal((await app.inject(request)).statusCode, 200);
  const answer = await app.inject({ ...request, payload: { reason: "x" } });
  assert.equal(answer.statusCode, 400);
  assert.equal(answer.json().errors[0].code, "unknown_field");
});

test("an unknown version is refused with the versions that exist", async () => {
  const answer = await post(await makeRig(), GOOD, { "afara-version": "2020-01-01" });
  assert.equal(answer.statusCode, 400);
  assert.partialDeepStrictEqual(answer.json(), { code: "unknown_version", versions: ["2026-11-27"] });
  assert.equal((await post(await makeRig(), GOOD, { "afara-version": "2026-11-27" })).statusCode, 202);
});

test("a broken percent escape in the path is a problem like any other", async () => {
  const { app } = await makeRig();
  const answer = await app.inject("/sms/%zz");
  assert.equal(answer.statusCode, 400);
  assert.equal(answer.json().code, "malformed_request");
  assert.equal(answer.headers["request-id"], answer.json().request_id);
});

test("thousands of wrong items cost a short answer", async () => {
  const { app, key } = await makeRig();
  const payload = JSON.stringify({ to: Array(50_000).fill(1), message: "x", extra: 1 });
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await app.inject({ method: "POST", url: "/sms/bulk", headers, payload });
  assert.equal(answer.statusCode, 400);
  const { errors } = answer.json();
  assert.equal(errors.length, 100);
  assert.ok(errors.some(({ code }: { code: string }) => code === "unknown_field"));
});

// 404, 405

test("an unknown path is 404 and names near endpoints, without a key too", async () => {
  const { app } = await makeRig();
  const answer = await app.inject({ method: "POST", url: "/sms/snd" });
  assert.equal(answer.statusCode, 404);
  assert.equal(answer.json().code, "unknown_endpoint");
  assert.equal(answer.json().near[0], "POST /sms/send");
});

const UNKNOWN: readonly [method: "GET" | "POST", path: string, near: readonly string[], said: RegExp][] = [
  ["GET", "/sms/msg_01kb3v9q4ze1xb8m6t2r5y7w0n", ["GET /sms/status/{message_id}"], /Near ones: GET \/sms\/status/],
  ["GET", "/sms/blk_01kb3v9q4ze1xb8m6t2r5y7w0n", ["GET /sms/bulk/{bulk_id}"], /Near ones: GET \/sms\/bulk/],
  ["POST", "/v1/sms/send", ["POST /sms/send"], /Paths have no version prefix. Near ones: POST \/sms\/send/],
  ["POST", "/api/v2/sms/snd", ["POST /sms/send"], /Paths have no version prefix/],
  ["GET", "/sms/usage", ["GET /usage"], /Near ones: GET \/usage/],
  ["POST", "/v1", [], /Paths have no version prefix. See \/docs/],
  ["POST", "/victor", [], /at this path. See \/docs/],
];
for (const [method, path, near, said] of UNKNOWN) {
  test(`${method} ${path} is told ${near[0] ?? "nothing near"}, and three endpoints at most`, async () => {
    const { app } = await makeRig();
    const auth = { scope: "read", policy: "read" } as const;
    const params = (name: string, prefix: IdPrefix) => Type.Object({ [name]: IdParameter(prefix, "An id.") });
    for (const [url, name, prefix] of [
      ["/sms/bulk/:bulk_id", "bulk_id", "blk"],
      ["/sms/status/:message_id", "message_id", "msg"],
    ] as const) {
      app.get(url, { config: { auth }, schema: { params: params(name, prefix) } }, () => ({}));
    }
    app.get("/usage", { config: { auth } }, () => ({}));
    const answer = await app.inject({ method, url: path });
    assert.equal(answer.json().code, "unknown_endpoint");
    assert.ok(answer.json().near.length <= 3);
    assert.deepEqual(answer.json().near.slice(0, 1), near);
    assert.match(answer.json().detail, said);
  });
}

test("a slash at the end of a path changes nothing", async () => {
  const rig = await makeRig();
  const headers = { "x-api-key": rig.key, "content-type": "application/json" };
  const answer = await rig.app.inject({ method: "POST", url: "/sms/send/", headers, payload: JSON.stringify(GOOD) });
  assert.equal(answer.statusCode, 202);
  assert.equal((await rig.app.inject("/docs/errors/")).statusCode, 200);
});

test("one fault alone is told in the detail, where those look who log nothing else", async () => {
  const answer = await post(await makeRig(), { ...GOOD, mesage: "x" });
  assert.equal(answer.json().detail, "`mesage` is not a field here. Did you mean `message`?");
  const nul = await post(await makeRig(), { ...GOOD, message: "a\0" });
  assert.equal(nul.json().detail, "`message` has U+0000. Take it out.");
});

test("a known path with another method is 405 with Allow", async () => {
  const { app, key } = await makeRig();
  const answer = await app.inject({ method: "DELETE", url: "/sms/send", headers: { "x-api-key": key } });
  assert.equal(answer.statusCode, 405);
  assert.equal(answer.headers.allow, "POST");
  assert.equal(answer.json().code, "method_not_allowed");
});

// 413, 414, 415

test("a body over 256 KiB is 413, and a bulk route takes more", async () => {
  const rig = await makeRig();
  const big = JSON.stringify({ to: Array(30_000).fill("08031234567"), message: "x" });
  const longer = JSON.stringify({ ...GOOD, message: "x".repeat(BODY_LIMIT_BYTES) });
  const refused = await post(rig, longer);
  assert.equal(refused.statusCode, 413);
  assert.equal(refused.json().code, "payload_too_large");
  const headers = { "x-api-key": rig.key, "content-type": "application/json" };
  const bulk = await rig.app.inject({ method: "POST", url: "/sms/bulk", headers, payload: big });
  assert.ok(big.length < BODY_LIMIT_BYTES || bulk.statusCode !== 413);
  assert.equal(bulk.json().code, "validation_failed"); // more than 10,000 recipients, but read
});

test("a path parameter longer than any id is 414", async () => {
  const { app, key } = await makeRig();
  const answer = await app.inject({
    method: "POST",
    url: `/sms/cancel/${"x".repeat(700)}`,
    headers: { "x-api-key": key },
  });
  assert.equal(answer.statusCode, 414);
  assert.equal(answer.json().code, "uri_too_long");
});

for (const type of [
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/json; charset=latin1",
  "nonsense",
]) {
  test(`a body sent as ${type} is 415`, async () => {
    const answer = await post(await makeRig(), GOOD, { "content-type": type });
    assert.equal(answer.statusCode, 415);
    assert.equal(answer.json().code, "unsupported_media_type");
  });
}

test("JSON with the charset UTF-8 is taken", async () => {
  assert.equal(
    (await post(await makeRig(), GOOD, { "content-type": "application/json; charset=UTF-8" })).statusCode,
    202,
  );
});

// 500

test("a mistake of ours is 500 with an id, and tells nothing of the inside", async () => {
  const { app, key, lines } = await makeRig();
  const answer = await app.inject({ method: "POST", url: "/broken", headers: { "x-api-key": key } });
  assert.equal(answer.statusCode, 500);
  assert.equal(answer.json().code, "internal_error");
  assert.ok(!answer.body.includes("secret"));
  const [line] = lines.filter(({ level }) => level === "error");
  assert.partialDeepStrictEqual(line?.fields, { request_id: answer.json().request_id, route: "/broken", status: 500 });
  assert.ok(line && "err" in line.fields && line.fields.err instanceof Error);
});

// Starting

test("a route that does not say who may call it does not start", async () => {
  const { app } = await makeRig();
  assert.throws(() => app.get("/open", () => ({})), /GET \/open has no config.auth/);
});
