import assert from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { makeFetchFile } from "./fetch-file.ts";
import type { ResolveName } from "./guard.ts";

/** A world of names that all live on this machine, and a guard that lets `public.example` through although it does. */
const names: Record<string, readonly string[]> = {
  "public.example": ["127.0.0.1"],
  "inside.example": ["10.0.0.1"],
  "both.example": ["127.0.0.1", "192.168.1.1"],
  "nothing.example": [],
};
const resolve: ResolveName = async (host) => {
  const found = names[host];
  if (!found) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  return found.map((address) => ({ address, family: 4 }));
};
const fetchFile = makeFetchFile({ resolve, permits: (address) => address === "127.0.0.1", totalMs: 500 });
const MEGABYTE = 1_048_576;

const seen: string[] = [];
let answer: RequestListener = (_request, response) => response.end();
const server: Server = createServer((request, response) => {
  seen.push(`${request.headers.host} ${request.url}`);
  answer(request, response);
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
after(() => server.closeAllConnections());
after(() => server.close());
const { port } = server.address() as AddressInfo;

const get = (host: string, wanted: "all" | "start" = "all") =>
  fetchFile(`http://${host}:${port}/a.png`, { httpAllowed: true, bytesMax: MEGABYTE, wanted });

test("a file comes whole, with what it says that it is", async () => {
  answer = (_request, response) => response.setHeader("content-type", "image/png").end("bytes");
  assert.deepEqual(await get("public.example"), {
    ok: true,
    value: { contentType: "image/png", bytes: Buffer.from("bytes"), size: 5 },
  });
});

for (const host of ["inside.example", "both.example", "nothing.example"])
  test(`nobody is called when ${host} resolves to anything but public addresses`, async () => {
    const before = seen.length;
    assert.deepEqual(await get(host), { ok: false, error: "blocked_address" });
    assert.equal(seen.length, before);
  });

test("an answer that switches protocols, or none at all, is an end at once", async () => {
  for (const say of ["HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", ""]) {
    answer = (request) => request.socket.end(say);
    assert.deepEqual(await get("public.example"), { ok: false, error: "connect_failed" });
  }
});

test("a name that nobody has is told as such", async () => {
  assert.deepEqual(await get("absent.example"), { ok: false, error: "dns_failed" });
});

test("a name is resolved once: what it resolves to later leads nowhere", async () => {
  let asked = 0;
  const rebinding = makeFetchFile({
    resolve: async () => [{ address: asked++ === 0 ? "127.0.0.1" : "10.0.0.1", family: 4 }],
    permits: (address) => address === "127.0.0.1",
  });
  answer = (_request, response) => response.end("x");
  const got = await rebinding(`http://public.example:${port}/`, { httpAllowed: true, bytesMax: 10, wanted: "all" });
  assert.ok(got.ok);
  assert.equal(asked, 1);
});

test("a redirect is not followed, wherever it leads", async () => {
  answer = (_request, response) => response.writeHead(302, { location: "http://127.0.0.1/secret" }).end();
  const before = seen.length;
  assert.deepEqual(await get("public.example"), { ok: false, error: "redirected" });
  assert.equal(seen.length, before + 1);
});

test("an error page is no file", async () => {
  answer = (_request, response) => response.writeHead(404).end("<html>");
  assert.deepEqual(await get("public.example"), { ok: false, error: "not_ok" });
});

test("a file that says that it is too large is not read", async () => {
  answer = (_request, response) => {
    response.writeHead(200, { "content-length": String(200 * MEGABYTE) });
    response.flushHeaders();
  };
  assert.deepEqual(await get("public.example"), { ok: false, error: "too_large" });
});

for (const wanted of ["all", "start"] as const)
  test(`a file without a told length is left when it grows too large (${wanted})`, async () => {
    let written = 0;
    answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && written < 50 * MEGABYTE) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) break;
        }
      };
      response.on("drain", more);
      more();
    };
    assert.deepEqual(await get("public.example", wanted), { ok: false, error: "too_large" });
    assert.ok(written < 50 * MEGABYTE, `${written} bytes were sent`);
  });

test("of a file whose length is told only the start is read when no more is wanted", async () => {
  answer = (_request, response) => {
    response.writeHead(200, { "content-length": String(MEGABYTE) });
    response.write(Buffer.alloc(100_000, 1));
  };
  const got = await get("public.example", "start");
  assert.ok(got.ok, JSON.stringify(got));
  assert.equal(got.value.size, MEGABYTE);
  assert.equal(got.value.bytes.length, 65_536);
});

test("whoever answers slowly is left", async () => {
  answer = () => undefined;
  assert.deepEqual(await get("public.example"), { ok: false, error: "timed_out" });
});

test("nothing listens: that is all that is told", async () => {
  const got = await fetchFile("http://public.example:1025/", { httpAllowed: true, bytesMax: 10, wanted: "all" });
  assert.deepEqual(got, { ok: false, error: "connect_failed" });
});
