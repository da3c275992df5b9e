import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { PROBLEM_MEDIA_TYPE } from "../../src/http/problems.ts";
import { ALL_PROBLEMS } from "../../src/testing/all-problems.ts";
import { makeRig, type Rig } from "../../src/testing/http-rig.ts";
import { runsOf } from "../../src/testing/test-length.ts";

/** A failure prints its seed. */
const BODY_CASES = runsOf({ short: 13_000, long: 26_000 });
const REQUEST_CASES = runsOf({ short: 7_000, long: 14_000 });
const GARBAGE_CASES = runsOf({ short: 200, long: 1_000 });

let rig: Rig;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

before(async () => {
  rig = await makeRig({ limit: 1e9 });
  await rig.app.listen({ host: "127.0.0.1", port: 0 });
});

after(async () => {
  agent.destroy();
  await rig.app.close();
  const others = rig.lines.filter(({ message }) => message !== "request" && message !== "requests without a line");
  assert.deepEqual(others, [], "nothing that came was worth more than its line as a request");
});

/** Fails unless the answer is a success or a problem as documented, never of our own fault. */
function mustBeDocumented(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  body: string,
  isHead = false,
): void {
  assert.ok(status < 500, `status ${status}: ${body}`);
  assert.match(String(headers["request-id"]), /^req_[0-9a-z]{26}$/);
  if (status < 400 || isHead) return;
  assert.equal(headers["content-type"], PROBLEM_MEDIA_TYPE);
  const problem = JSON.parse(body);
  const { code } = problem;
  assert.ok(ALL_PROBLEMS.has(code), `unknown code ${code}`);
  assert.equal(problem.status, status);
  assert.equal(ALL_PROBLEMS.kindOf(code).status, status);
  assert.equal(problem.type, `/docs/errors/${code}`);
  assert.equal(problem.request_id, headers["request-id"]);
  assert.equal(typeof problem.detail, "string");
  for (const fault of problem.errors ?? []) {
    assert.equal(typeof (fault.pointer ?? fault.parameter), "string");
    assert.equal(typeof fault.detail, "string");
  }
}

async function send(path: string, method: string, headers: Record<string, string>, body?: string | Buffer) {
  const sent = request(`${rig.app.listeningOrigin}`, { path, method, headers, agent });
  sent.end(body);
  const [answer]: IncomingMessage[] = await once(sent, "response");
  assert.ok(answer);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}

const anyText = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", maxLength: 50 }));

/** Whatever JSON can hold, names that mean something to JavaScript included. */
const anyValue = fc.oneof(
  fc.jsonValue(),
  anyText,
  fc.constantFrom<unknown>(null, -0, 1e308, -1, 2 ** 53 + 2, [], {}, [[[]]], "\0", "\ud800", "9".repeat(30)),
);
const anyName = fc.oneof(fc.constantFrom("__proto__", "constructor", "toString", "then", "to", ""), anyText);

const nearlyGood = fc.record(
  {
    to: fc.oneof(fc.constant("+2348031234567"), anyValue),
    message: fc.oneof(anyText, anyValue),
    route: fc.oneof(fc.constantFrom("transactional", "promotional"), anyValue),
    validity_minutes: fc.oneof(fc.integer(), fc.double(), anyValue),
    send_at: fc.oneof(fc.constant("2026-11-27T09:00:00Z"), anyValue),
    amount: anyValue,
    reference: anyValue,
    metadata: fc.oneof(fc.dictionary(anyName, anyText), anyValue),
  },
  { requiredKeys: [] },
);

/** Text of a good body with a few characters changed, left out or doubled. */
const damagedJson = fc
  .tuple(
    nearlyGood,
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 4 }),
  )
  .map(([value, changes]) => {
    let damaged = JSON.stringify(value);
    for (const [place, removed, added] of changes) {
      const at = place % (damaged.length + 1);
      damaged = damaged.slice(0, at) + added + damaged.slice(at + removed);
    }
    return damaged;
  });

const nested = fc
  .tuple(fc.constantFrom("[", '{"a":', '{"metadata":[{"to":'), fc.nat(5_000), fc.boolean())
  .map(([opening, depth, isClosed]) => {
    const closing = [...opening].reverse().map((character) => ({ "[": "]", "{": "}" })[character] ?? "");
    return opening.repeat(depth) + (isClosed ? `1${closing.join("").repeat(depth)}` : "");
  });

const repeatedNames = fc
  .array(fc.tuple(fc.constantFrom("to", "message", "__proto__"), anyValue), { maxLength: 8 })
  .map((members) => `{${members.map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join(",")}}`);

const anyBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  nearlyGood.map((value) => JSON.stringify(value)),
  damagedJson,
  fc.dictionary(anyName, anyValue).map((value) => JSON.stringify(value)),
  anyValue.map((value) => JSON.stringify(value) ?? ""),
  repeatedNames,
  nested,
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);

test(`no body of ${BODY_CASES} brings the server down or gets an undocumented answer`, async () => {
  const property = fc.asyncProperty(
    anyBody,
    fc.constantFrom("/sms/send", "/sms/bulk", "/sms/cancel/x"),
    async (body, url) => {
      const headers = { "x-api-key": rig.key, "content-type": "application/json" };
      const answer = await rig.app.inject({ method: "POST", url, headers, payload: body });
      mustBeDocumented(answer.statusCode, answer.headers, answer.body);
    },
  );
  await fc.assert(property, { numRuns: BODY_CASES });
});

/** What a client can put on the wire: Node's own refuses the rest before it leaves. */
const wireText = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
  .map((value) => value.replaceAll(/[\x7f]/g, ""));
const anyHeaders = fc.dictionary(
  fc.constantFrom(
    ...["x-api-key", "authorization", "content-type", "afara-version", "idempotency-key", "accept", "accept-version"],
    ...[
      "x-forwarded-for",
      "x-forwarded-proto",
      "cookie",
      "prefer",
      "range",
      "if-none-match",
      "origin",
      "te",
      "x-http-method-override",
    ],
  ),
  fc.oneof(
    wireText,
    fc.constantFrom("application/json", "application/json; charset=x", "*/*", '"', ",", ";", "bytes=0-"),
  ),
);
const anyPath = fc.oneof(
  fc.webPath().map((path) => path || "/"),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "sms",
          "send",
          "messages",
          "cancel",
          "..",
          ".",
          "",
          "%00",
          "%2e%2e",
          "%zz",
          "%ff",
          "docs",
          "errors",
          "static",
        ),
      ),
    )
    .map((steps) => `/${steps.join("/")}`),
  fc
    .string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) })
    .map((path) => `/${path}`),
);
const anyQuery = fc.oneof(
  fc.constant(""),
  fc.webQueryParameters().map((query) => `?${query}`),
  fc.constantFrom(
    "?limit=1&limit=2",
    "?limit=1e999",
    "?limit=0x10",
    "?limit=",
    "?__proto__=1",
    "?api_key=1",
    "?limit[]=1",
    "?%zz",
    "?&&=&",
  ),
);
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "PURGE", "TRACE", "QUERY"];

test(`no request of ${REQUEST_CASES} with odd methods, paths, queries and headers gets an undocumented answer`, async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...METHODS),
    fc.oneof(anyPath, fc.constantFrom("/sms/send", "/sms/messages", "/sms/cancel/1", "/docs/errors/x")),
    anyQuery,
    anyHeaders,
    fc.boolean(),
    async (method, path, query, headers, withKey) => {
      const key: Record<string, string> = withKey ? { "x-api-key": rig.key } : {};
      const answer = await send(path + query, method, { ...headers, ...key });
      mustBeDocumented(answer.status, answer.headers, answer.body, method === "HEAD");
    },
  );
  await fc.assert(property, { numRuns: REQUEST_CASES });
});

const GOOD = { to: "+2348031234567", message: "x" };
const JSON_HEADERS = { "content-type": "application/json" };

/** What people send by mistake or to try us, each over the wire, with the answer that the documents promise. */
const KNOWN: readonly [name: string, code: string, body: string, headers?: Record<string, string>, method?: string][] =
  [
    ["broken JSON", "invalid_json", '{"to":"1",'],
    ["a number for a text", "validation_failed", JSON.stringify({ ...GOOD, to: 2348031234567 })],
    ["an unknown field", "validation_failed", JSON.stringify({ ...GOOD, text: "x" })],
    ["a body of 5 MB", "payload_too_large", JSON.stringify({ ...GOOD, message: "x".repeat(5_000_000) })],
    ["a form", "unsupported_media_type", "to=1&message=x", { "content-type": "application/x-www-form-urlencoded" }],
    ["another method", "method_not_allowed", JSON.stringify(GOOD), JSON_HEADERS, "PUT"],
    [
      "headers of 300 KB",
      "headers_too_large",
      JSON.stringify(GOOD),
      { ...JSON_HEADERS, "x-long": "x".repeat(300_000) },
    ],
    ["a number of 30 digits", "validation_failed", `{"to":${"9".repeat(30)},"message":"x"}`],
    ["an empty message", "validation_failed", JSON.stringify({ ...GOOD, message: "" })],
    ["a message of nothing but NULs", "invalid_character", JSON.stringify({ ...GOOD, message: "\0\0\0" })],
    ["half of a surrogate pair", "invalid_character", '{"to":"1","message":"\\ud83d"}'],
    ["lists in lists, 100,000 deep", "validation_failed", "[".repeat(100_000) + "]".repeat(100_000)],
    ["objects in objects, unclosed", "invalid_json", '{"a":'.repeat(10)],
    // The size is looked at before anything reads the text.
    ["objects in objects, 50,000 deep, unclosed", "validation_failed", '{"a":'.repeat(50_000)],
    ["a field written twice", "validation_failed", '{"to":"1","to":"2","message":"x"}'],
    ["a number without end", "validation_failed", `{"to":"1","message":"x","validity_minutes":1e${"9".repeat(1_000)}}`],
  ];
for (const [name, code, body, headers = JSON_HEADERS, method = "POST"] of KNOWN) {
  test(`${name} is answered as ${code}`, async () => {
    const answer = await send("/sms/send", method, { ...headers, "x-api-key": rig.key }, body);
    mustBeDocumented(answer.status, answer.headers, answer.body);
    assert.equal(JSON.parse(answer.body).code, code);
  });
}

test(`no bytes of ${GARBAGE_CASES} connections, alone or behind a request, keep the server from serving others`, async () => {
  const { port } = new URL(rig.app.listeningOrigin);
  const start = fc.constantFrom(
    "",
    "GET /services HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /sms/send HTTP/1.1\r\nHost: a\r\n",
  );
  const property = fc.asyncProperty(start, fc.uint8Array({ minLength: 1, maxLength: 200 }), async (opening, bytes) => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {}); // a reset is one way to be refused
    socket.end(Buffer.concat([Buffer.from(opening), bytes]));
    const heard = await text(socket).catch(() => "");
    for (const [, status] of heard.matchAll(/^HTTP\/1\.1 (\d+)/gm)) assert.ok(Number(status) < 500, heard);
  });
  await fc.assert(property, { numRuns: GARBAGE_CASES });
});

test("the server still works after all of it", async () => {
  const headers = { "x-api-key": rig.key, "content-type": "application/json" };
  const answer = await send("/sms/send", "POST", headers, JSON.stringify({ to: "+2348031234567", message: "x" }));
  assert.equal(answer.status, 202);
});
