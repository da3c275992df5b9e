import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { after, test } from "node:test";
import { type EgressRules, isPublic, type ResolveName } from "../egress/guard.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "../providers/smpp/scripted-smsc-tls.ts";
import type { Outcome } from "./outcome.ts";
import { LOCAL, makePoster, type PosterOptions } from "./post.ts";

const nowMs = () => performance.now();
const BODY = Buffer.from('{"type":"sms.delivered"}');
const TOTAL_MS = 500;

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly socket: Socket;
}
const seen: Seen[] = [];
const connections = new Set<Socket>();
let answer: RequestListener = (_request, response) => response.end();
const server = createServer(async (request, response) => {
  const body = (await request.toArray()).join("");
  const { method, url, headers, socket } = request;
  seen.push({ method, url, headers, body, socket });
  answer(request, response);
});
server.on("connection", (socket) => connections.add(socket));
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
after(() => server.closeAllConnections());
after(() => server.close());
const { port } = server.address() as AddressInfo;

const poster = (more: Partial<PosterOptions> = {}) => {
  const made = makePoster({ rules: LOCAL, nowMs, totalMs: TOTAL_MS, ...more });
  after(() => made.close());
  return made;
};
const local = poster();
const post = (url = `http://127.0.0.1:${port}/hook`, by = local): Promise<Outcome> =>
  by.post({ url, headers: { "content-type": "application/json", "webhook-id": "evt_1" }, body: BODY });
const meaningOf = ({ durationMs: _, address: __, ...rest }: Outcome) => rest;

test("the body arrives as it is, with its length, by POST, and the path with its query", async () => {
  answer = (_request, response) => response.writeHead(204).end();
  const outcome = await post(`http://127.0.0.1:${port}/hook?shop=1`);
  assert.deepEqual([outcome.status, outcome.error, outcome.address], [204, undefined, "127.0.0.1"]);
  const { method, url, headers, body } = seen.at(-1)!;
  assert.deepEqual([method, url, body], ["POST", "/hook?shop=1", BODY.toString()]);
  assert.deepEqual([headers["content-length"], headers["transfer-encoding"]], [String(BODY.length), undefined]);
});

test("a connection is kept for the next attempt", async () => {
  answer = (_request, response) => response.end("ok");
  await post();
  await post();
  const [one, other] = seen.slice(-2);
  assert.equal(one?.socket, other?.socket);
});

test("attempts at once have a connection each", async () => {
  answer = (_request, response) => response.end("ok");
  await Promise.all([post(), post(), post()]);
  assert.equal(new Set(seen.slice(-3).map(({ socket }) => socket)).size, 3);
});

test("an event goes once more when the receiver closed a kept connection in the moment of its use", async () => {
  const by = poster();
  answer = (_request, response) => response.end("ok");
  await post(undefined, by);
  const [kept] = seen.slice(-1);
  const before = seen.length;
  answer = (request, response) => (request.socket === kept!.socket ? request.socket.destroy() : response.end("ok"));
  assert.deepEqual(meaningOf(await post(undefined, by)), { status: 200, answer: "ok" });
  assert.equal(seen.length - before, 2);
});

test("a receiver that resets a new connection has lost the event", async () => {
  answer = (request) => request.socket.resetAndDestroy();
  const before = seen.length;
  assert.deepEqual(meaningOf(await post(undefined, poster())), { error: "connection_lost" });
  assert.equal(seen.length - before, 1);
});

test("a receiver that hangs is left after the time limit", async () => {
  answer = () => undefined;
  const outcome = await post();
  assert.deepEqual(meaningOf(outcome), { error: "timed_out" });
  assert.ok(outcome.durationMs >= TOTAL_MS, `${outcome.durationMs} ms`);
});

test("the time limit counts from the beginning, however often a byte of the headers comes", async () => {
  answer = ({ socket }) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const drip = setInterval(() => socket.write("x: y\r\n"), 50);
    socket.on("close", () => clearInterval(drip));
  };
  assert.deepEqual(meaningOf(await post()), { error: "timed_out" });
});

for (const status of [301, 302, 303, 307, 308])
  test(`${status} is a failure, and its location is not called`, async () => {
    answer = (_request, response) => response.writeHead(status, { location: `http://127.0.0.1:${port}/other` }).end();
    const before = seen.length;
    assert.deepEqual(meaningOf(await post()), { status, error: "redirected" });
    assert.equal(seen.length - before, 1);
  });

for (const status of [400, 401, 404, 410, 429, 500, 502, 503, 504])
  test(`${status} is a failure with the start of its answer`, async () => {
    answer = (_request, response) =>
      response.writeHead(status, { "content-type": "text/plain", "retry-after": "120" }).end("no\0!");
    assert.deepEqual(meaningOf(await post()), { status, error: "http_error", answer: "no!", retryAfter: "120" });
  });

for (const status of [200, 201, 202, 204, 206, 299])
  test(`${status} is a success`, async () => {
    answer = (_request, response) => response.writeHead(status).end();
    assert.deepEqual(meaningOf(await post()), { status });
  });

test("of an answer of 10 MB the first kilobyte is kept, and little more is read", async () => {
  let written = 0;
  answer = (_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    const more = () => {
      while (!response.destroyed && written < 10_000_000) {
        written += 65_536;
        if (!response.write("x".repeat(65_536))) break;
      }
    };
    response.on("drain", more);
    more();
  };
  assert.deepEqual(meaningOf(await post()), { status: 200, answer: "x".repeat(1_024) });
  assert.ok(written < 8_000_000, `${written} bytes were written`);
});

test("a body that never ends does not make a failure of a success", async () => {
  answer = (_request, response) => response.writeHead(200, { "content-type": "text/plain" }).write("thanks");
  assert.deepEqual(meaningOf(await post(undefined, poster({ totalMs: 10_000 }))), { status: 200, answer: "thanks" });
});

test("an answer that breaks off after its status is what the status says", async () => {
  answer = ({ socket }) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthan");
  assert.deepEqual(meaningOf(await post()), { status: 200, answer: "than" });
});

test("an answer that is no text is not kept", async () => {
  answer = (_request, response) => response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(100, 255));
  assert.deepEqual(meaningOf(await post()), { status: 200 });
});

test("an answer that is cut in the middle of a character is still text", async () => {
  answer = (_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(`x${"é".repeat(600)}`);
  const { answer: start = "" } = await post();
  assert.ok(start.startsWith("xéé") && start.isWellFormed());
});

test("what is no HTTP is told as such", async () => {
  const tcp = createTcpServer((socket) => socket.once("data", () => socket.end("220 mail.example ESMTP\r\n")));
  await new Promise<void>((done) => tcp.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`;
  assert.deepEqual(meaningOf(await post(url)), { error: "invalid_answer" });
  await new Promise((done) => tcp.close(done));
});

test("a switch of protocols is no answer", async () => {
  answer = ({ socket }) => socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
  assert.equal((await post()).error, "connection_lost");
});

test("nobody listens: connect_failed", async () => {
  const tcp = createTcpServer();
  await new Promise<void>((done) => tcp.listen(0, "127.0.0.1", done));
  const { port: closed } = tcp.address() as AddressInfo;
  await new Promise((done) => tcp.close(done));
  assert.deepEqual(meaningOf(await post(`http://127.0.0.1:${closed}/`)), { error: "connect_failed" });
});

test("a certificate that nobody vouches for is refused before the event is sent", async () => {
  const requests: string[] = [];
  const tls = createTlsServer(
    { key: TEST_KEY, cert: TEST_CERTIFICATE },
    (request) => void requests.push(request.url ?? ""),
  );
  await new Promise<void>((done) => tls.listen(0, "127.0.0.1", done));
  const url = `https://127.0.0.1:${(tls.address() as AddressInfo).port}/`;
  assert.deepEqual(meaningOf(await post(url)), { error: "tls_failed" });
  assert.deepEqual(requests, []);
  tls.closeAllConnections();
  await new Promise((done) => tls.close(done));
});

/** Names that all lead to this machine, and what a guard sees of them. */
const names: Record<string, readonly string[]> = {
  "public.example": ["127.0.0.1"],
  "inside.example": ["10.0.0.1"],
  "both.example": ["127.0.0.1", "192.168.1.1"],
  "metadata.example": ["169.254.169.254"],
  "mapped.example": ["::ffff:127.0.0.2"],
  "nothing.example": [],
};
const resolve: ResolveName = async (host) => {
  const found = names[host];
  if (!found) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};
/** A world in which 127.0.0.1 is a public address. */
const guarded: EgressRules = { httpAllowed: true, permits: (address) => address === "127.0.0.1" || isPublic(address) };

for (const host of ["inside.example", "both.example", "metadata.example", "mapped.example", "nothing.example"])
  test(`no connection is made to ${host}, which resolves to other than public addresses`, async () => {
    const before = connections.size;
    const outcome = await post(`http://${host}:${port}/`, poster({ rules: guarded, resolve }));
    assert.deepEqual(meaningOf(outcome), { error: "blocked_address" });
    assert.equal(connections.size, before);
  });

test("a name that nobody has is dns_failed", async () => {
  assert.deepEqual(meaningOf(await post("http://absent.example/", poster({ rules: guarded, resolve }))), {
    error: "dns_failed",
  });
});

/** Each leads to this machine, where a server listens, if it is not stopped. */
const SELF = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f.1",
  "0177.0.0.1",
  "0.0.0.0",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "localhost",
  "localhost.",
  "LOCALHOST",
  "a.localhost",
  "１２７.０.０.１",
  "user@127.0.0.1",
  "example.com:pass@127.0.0.1",
];
for (const host of SELF)
  test(`a live endpoint at ${host} reaches nobody on this machine`, async () => {
    const before = connections.size;
    const strict = poster({ rules: { httpAllowed: true, permits: isPublic } });
    assert.deepEqual(meaningOf(await post(`http://${host}:${port}/`, strict)), { error: "blocked_address" });
    assert.equal(connections.size, before);
  });

test("what a name resolves to later leads nowhere: each connection asks once, and goes to what it was told", async () => {
  let asked = 0;
  const rebinding = poster({
    rules: guarded,
    resolve: async () => [{ address: asked++ === 0 ? "127.0.0.1" : "10.0.0.1", family: 4 }],
  });
  answer = (_request, response) => response.setHeader("connection", "close").end("ok");
  assert.equal((await post(`http://public.example:${port}/`, rebinding)).status, 200);
  assert.equal(asked, 1);
  const before = connections.size;
  assert.deepEqual(meaningOf(await post(`http://public.example:${port}/`, rebinding)), { error: "blocked_address" });
  assert.equal(connections.size, before);
});

test("the address that was connected to is looked at as well", async () => {
  const lying = poster({ rules: { httpAllowed: true, permits: () => lookups++ === 0 }, resolve });
  let lookups = 0;
  const before = seen.length;
  assert.deepEqual(meaningOf(await post(`http://public.example:${port}/`, lying)), { error: "blocked_address" });
  assert.equal(seen.length, before);
});

test("a name with a dead IPv6 address and a living IPv4 one is reached", async () => {
  const both: ResolveName = async () => [
    { address: "::1", family: 6 },
    { address: "127.0.0.1", family: 4 },
  ];
  answer = (_request, response) => response.end("ok");
  const outcome = await post(`http://receiver.test:${port}/`, poster({ resolve: both }));
  assert.deepEqual([outcome.status, outcome.address], [200, "127.0.0.1"]);
});
