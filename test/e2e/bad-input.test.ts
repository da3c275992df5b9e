import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { assertProblem, type Page, type Problem, phone, startRig } from "./rig.ts";

const rig = await startRig();
const { gateway, local } = rig;
const before = await local.wallet();

interface Raw {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** What node's own client would mend or refuse to send goes out as it is. */
const call = ({ method = "POST", path = "/sms/send", headers = {}, body }: Raw) =>
  new Promise<{ status: number; headers: Headers; body: Problem }>((resolve, reject) => {
    const sent = request(
      `${gateway.base}${path}`,
      { method, headers: { "x-api-key": gateway.key, "content-type": "application/json", ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const flat = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(flat),
            body: JSON.parse(Buffer.concat(chunks).toString()) as Problem,
          });
        });
      },
    );
    sent.once("error", reject);
    sent.end(body);
  });

const body = (value: unknown): Raw => ({ body: JSON.stringify(value) });
const good = { to: phone(1), message: "Hello" };
/** JSON with an escape for what can't be written in a source file. */
const escaped = (message: string): Raw => ({ body: `{"to":"${phone(1)}","message":"${message}"}` });

const CASES: readonly (readonly [what: string, raw: Raw, status: number, code: string, pointer?: string])[] = [
  ["broken JSON", { body: '{"to":' }, 400, "invalid_json"],
  ["JSON with something after its end", { body: `${JSON.stringify(good)}}` }, 400, "invalid_json"],
  ["an empty body", { body: "" }, 400, "validation_failed"],
  ["a body of spaces", { body: "   " }, 400, "invalid_json"],
  ["an array", body([good]), 400, "validation_failed"],
  ["null", body(null), 400, "validation_failed"],
  ["a text", body("hello"), 400, "validation_failed"],
  ["nothing in it", body({}), 400, "validation_failed", "/to"],
  ["a number for `to`", body({ ...good, to: 8031234567 }), 400, "validation_failed", "/to"],
  ["a list for `to`", body({ ...good, to: [good.to] }), 400, "validation_failed", "/to"],
  ["a number for `message`", body({ ...good, message: 1 }), 400, "validation_failed", "/message"],
  ["null for `message`", body({ ...good, message: null }), 400, "validation_failed", "/message"],
  ["a text for a boolean", body({ ...good, smart_encoding: "true" }), 400, "validation_failed", "/smart_encoding"],
  [
    "a text for a whole number",
    body({ ...good, validity_minutes: "60" }),
    400,
    "validation_failed",
    "/validity_minutes",
  ],
  ["a route that does not exist", body({ ...good, route: "fast" }), 400, "validation_failed", "/route"],
  ["an unknown field", body({ ...good, text: "x" }), 400, "validation_failed", "/text"],
  [
    "a field called __proto__",
    { body: `{"to":"${phone(1)}","message":"x","__proto__":{}}` },
    400,
    "validation_failed",
    "/__proto__",
  ],
  ["metadata that is no text", body({ ...good, metadata: { a: 1 } }), 400, "validation_failed", "/metadata/a"],
  [
    "eleven fields of metadata",
    body({ ...good, metadata: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, "v"])) }),
    400,
    "validation_failed",
    "/metadata",
  ],
  ["an empty reference", body({ ...good, reference: "" }), 400, "validation_failed", "/reference"],
  [
    "a reference of 101 characters",
    body({ ...good, reference: "r".repeat(101) }),
    400,
    "validation_failed",
    "/reference",
  ],
  ["an empty number", body({ ...good, to: "" }), 400, "validation_failed", "/to"],
  ["a number of 30 digits", body({ ...good, to: "1".repeat(30) }), 422, "invalid_phone_number", "/to"],
  ["a number of letters", body({ ...good, to: "0803ABC4567" }), 422, "invalid_phone_number", "/to"],
  ["a foreign number", body({ ...good, to: "+447911123456" }), 422, "destination_not_supported", "/to"],
  ["a land line", body({ ...good, to: "+2342012345678" }), 422, "destination_not_supported", "/to"],
  ["an empty message", body({ ...good, message: "" }), 400, "validation_failed", "/message"],
  ["a message of nothing but NULs", escaped("\\u0000\\u0000\\u0000"), 400, "invalid_character", "/message"],
  ["a NUL byte", { body: `{"to":"${phone(1)}","message":"a\0b"}` }, 400, "invalid_character"],
  ["a lone high surrogate", escaped("a\\ud83d"), 400, "invalid_character", "/message"],
  ["a lone low surrogate", escaped("\\ude00b"), 400, "invalid_character", "/message"],
  ["a surrogate pair the wrong way round", escaped("\\ude00\\ud83d"), 400, "invalid_character", "/message"],
  [
    "a NUL in a field of metadata",
    { body: `{"to":"${phone(1)}","message":"x","metadata":{"a":"\\u0000"}}` },
    400,
    "invalid_character",
    "/metadata/a",
  ],
  [
    "a NUL in the reference",
    { body: `{"to":"${phone(1)}","message":"x","reference":"\\u0000"}` },
    400,
    "invalid_character",
    "/reference",
  ],
  [
    "bytes that are not UTF-8",
    { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    400,
    "invalid_character",
  ],
  ["a message of 5 MB", body({ ...good, message: "a".repeat(5_000_000) }), 413, "payload_too_large"],
  [
    "a bulk of 5 MB",
    { path: "/sms/bulk", ...body({ to: [phone(1)], message: "a".repeat(5_000_000) }) },
    413,
    "payload_too_large",
  ],
  [
    "a message of 5,001 characters",
    body({ ...good, message: "a".repeat(5_001) }),
    400,
    "validation_failed",
    "/message",
  ],
  ["another content type", { ...body(good), headers: { "content-type": "text/plain" } }, 415, "unsupported_media_type"],
  [
    "a form",
    { body: "to=0803&message=x", headers: { "content-type": "application/x-www-form-urlencoded" } },
    415,
    "unsupported_media_type",
  ],
  [
    "another character set",
    { ...body(good), headers: { "content-type": "application/json; charset=latin1" } },
    415,
    "unsupported_media_type",
  ],
  ["an unknown API version", { ...body(good), headers: { "afara-version": "2020-01-01" } }, 400, "unknown_version"],
  ["a header of 300 KB", { ...body(good), headers: { "x-large": "a".repeat(300 * 1024) } }, 431, "headers_too_large"],
  ["the wrong method", { method: "GET" }, 405, "method_not_allowed"],
  ["DELETE", { method: "DELETE" }, 405, "method_not_allowed"],
  ["a path that does not exist", { path: "/sms/sent", ...body(good) }, 404, "unknown_endpoint"],
  ["a broken percent sign in the path", { method: "GET", path: "/sms/status/%E0%A4%A" }, 400, "malformed_request"],
  ["an id of 2,000 characters", { method: "GET", path: `/sms/status/msg_${"0".repeat(2_000)}` }, 414, "uri_too_long"],
  ["an unknown query parameter", { path: "/sms/send?dry_run=1", ...body(good) }, 400, "validation_failed"],
  ["a handset that is no number", { method: "GET", path: "/test/handsets/abc" }, 422, "invalid_phone_number"],
  [
    "a key in the query",
    { path: `/sms/send?api_key=${gateway.key}`, ...body(good), headers: { "x-api-key": "" } },
    401,
    "use_x_api_key_header",
  ],
  [
    "a key with a wrong checksum",
    { ...body(good), headers: { "x-api-key": `${gateway.key.slice(0, -1)}0` } },
    401,
    "invalid_api_key",
  ],
];

for (const [what, raw, status, code, pointer] of CASES) {
  test(`a request with ${what} is refused with ${status} ${code}`, async () => {
    const answer = await call(raw);
    assertProblem(answer);
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body));
    if (pointer !== undefined)
      assert.ok(
        answer.body.errors?.some((fault) => fault.pointer === pointer),
        JSON.stringify(answer.body.errors),
      );
  });
}

test("all faults of a body are told at once, each with its place", async () => {
  const { body: problem } = await call(body({ to: 1, message: "", route: "fast", colour: "red" }));
  assert.deepEqual(problem.errors?.map((fault) => fault.pointer).sort(), ["/colour", "/message", "/route", "/to"]);
  const { body: sayable } = await call(body({ to: "0803", message: "a".repeat(1_531), from: "12" }));
  assert.deepEqual(sayable.errors?.map((fault) => fault.pointer).sort(), ["/from", "/message", "/to"]);
});

test("the wrong method is told which are right", async () => {
  const answer = await call({ method: "PUT", body: "{}" });
  assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST"]);
});

test("every code that was met has its page", async () => {
  for (const code of new Set(CASES.map(([, , , code]) => code))) {
    const page = await fetch(`${gateway.base}/docs/errors/${code}`);
    assert.equal(page.status, 200, code);
  }
});

test("after all this nothing was accepted, nothing is charged, and the gateway serves on", async () => {
  assert.deepEqual(await local.wallet(), before);
  assert.deepEqual((await local.get<Page>("/sms/messages")).body.data, []);
  const { id } = await local.send(good);
  await local.reached(id, "delivered");
});

rig.provesItsLedger();
