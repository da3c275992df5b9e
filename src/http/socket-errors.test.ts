import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { makeRig } from "../testing/http-rig.ts";

/** A server on a real port, and what it answers to raw bytes until it hangs up. */
async function listen(t: { after(done: () => Promise<void>): void }, requestTimeoutSeconds = 30) {
  const rig = await makeRig({ options: { requestTimeoutSeconds } });
  await rig.app.listen({ host: "127.0.0.1", port: 0 });
  const address = rig.app.server.address();
  assert.ok(typeof address === "object" && address !== null);
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await rig.app.close();
  });
  const talk = async (...writes: (string | Buffer)[]): Promise<string> => {
    const socket = connect(address.port, "127.0.0.1");
    sockets.push(socket);
    let heard = "";
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1");
    });
    socket.on("error", (error) => {
      heard += error.message; // a caller that is cut off may never see its answer
    });
    for (const bytes of writes) socket.write(bytes);
    await new Promise((resolve) => socket.once("close", resolve));
    return heard;
  };
  return { ...rig, talk };
}

const POST = (key: string, length: number | string) =>
  `POST /sms/send HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n${length}\r\n`;
const BODY = '{"to":"1","message":"x"}';

/**
 * Status and body of the one answer in the text; its head must be complete and its body a problem with the request's
 * id.
 */
function problemIn(heard: string): { status: number; code: string } {
  const [head = "", body = ""] = heard.split("\r\n\r\n");
  assert.match(head, /^HTTP\/1\.1 \d{3} /);
  assert.match(head, /^content-type: application\/problem\+json$/im);
  const problem = JSON.parse(body);
  assert.match(head, new RegExp(`^request-id: ${problem.request_id}$`, "im"));
  assert.equal(problem.status, Number(head.slice(9, 12)));
  return { status: problem.status, code: problem.code };
}

const BAD_REQUESTS: readonly [name: string, text: string, status: number, code: string][] = [
  ["garbage", "\x16\x03\x01 hello\r\n\r\n", 400, "malformed_request"],
  ["an unknown method", "FETCH /services HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformed_request"],
  ["a header without a name", "GET /services HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", 400, "malformed_request"],
  ["no Host", "GET /services HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "malformed_request"],
  [
    "two lengths",
    "POST /sms/send HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    400,
    "malformed_request",
  ],
  [
    "length and chunks at once",
    "POST /sms/send HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    400,
    "malformed_request",
  ],
  [
    "300 KB of headers",
    `GET /services HTTP/1.1\r\nHost: a\r\nX-A: ${"x".repeat(300_000)}\r\n\r\n`,
    431,
    "headers_too_large",
  ],
  ["an endless path", `GET /${"x".repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, "headers_too_large"],
  ["two Hosts", "GET /services HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400, "malformed_request"],
  [
    "a body in a coding that is not taken off",
    "POST /sms/send HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    400,
    "malformed_request",
  ],
  ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n", 405, "method_not_allowed"],
  [
    "an expectation that nobody can meet",
    "POST /sms/send HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n",
    400,
    "malformed_request",
  ],
  ["TRACE", "TRACE /services HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405, "method_not_allowed"],
];
for (const [name, text, status, code] of BAD_REQUESTS) {
  test(`${name} on the wire is ${status} ${code}`, async (t) => {
    const { talk } = await listen(t);
    assert.deepEqual(problemIn(await talk(text)), { status, code });
  });
}

test("a chunked body that never ends is 408 after the time limit", async (t) => {
  const { talk, key } = await listen(t, 1);
  const heard = await talk(POST(key, "Transfer-Encoding: chunked\r\n"), '8\r\n{"to":"1\r\n');
  assert.deepEqual(problemIn(heard), { status: 408, code: "request_timeout" });
});

test("headers that never end are 408 after the time limit", async (t) => {
  const { talk } = await listen(t, 1);
  assert.equal(problemIn(await talk("GET /services HTTP/1.1\r\nHost: a\r\nX-A: b")).code, "request_timeout");
});

test("a broken chunk is 400", async (t) => {
  const { talk, key } = await listen(t);
  const heard = await talk(POST(key, "Transfer-Encoding: chunked\r\n"), "zz\r\n");
  assert.deepEqual(problemIn(heard), { status: 400, code: "malformed_request" });
});

test("a request of HTTP/1.0 without Host is answered", async (t) => {
  const { talk } = await listen(t);
  assert.match(await talk("GET /services HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 /);
});

test("garbage behind a request does not become the answer to that request", async (t) => {
  const { talk, key } = await listen(t);
  const heard = await talk(`${POST(key, `Content-Length: ${BODY.length}\r\n`)}${BODY}garbage garbage\r\n\r\n`);
  assert.match(heard, /^HTTP\/1\.1 202 /);
  assert.equal(heard.match(/HTTP\/1\.1/g)?.length, 1);
});

test("requests in a row on one connection are answered in order", async (t) => {
  const { talk, key } = await listen(t);
  const one = `${POST(key, `Content-Length: ${BODY.length}\r\n`)}${BODY}`;
  const last = "GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const statuses = [...(await talk(one + one + last)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(statuses, ["202", "202", "404"]);
});

test("the sender of a body of 5 MB gets to read why it was refused", async (t) => {
  const { app, key } = await listen(t);
  const answer = await fetch(`${app.listeningOrigin}/sms/send`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ to: "1", message: "x".repeat(5_000_000) }),
  });
  assert.equal(answer.status, 413);
  assert.equal(answer.headers.get("connection"), "close");
  assert.partialDeepStrictEqual(await answer.json(), { code: "payload_too_large" });
});
