import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseAway } from "../kernel/storage-faults.ts";
import type { CallbackAnswer, CallbackRequest, Provider } from "../ports/provider.ts";
import { makeRig } from "../testing/http-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { callbackRoutes } from "./callbacks.ts";

async function rig(answer: () => Promise<CallbackAnswer>) {
  const { app } = await makeRig();
  const heard: CallbackRequest[] = [];
  const acme = {
    callback(request: CallbackRequest) {
      heard.push(request);
      return answer();
    },
  };
  const providers: [string, Pick<Provider, "callback">][] = [
    ["acme", acme],
    ["silent", {}],
  ];
  callbackRoutes(app, new Map(providers));
  return { app, heard };
}

const TAKEN: CallbackAnswer = { status: 200, contentType: "application/json", body: '{"response":"success"}' };

test("a provider gets a callback byte for byte, with what stands behind its name in the path, and its words are the answer", async () => {
  const { app, heard } = await rig(async () => ({ status: 202, contentType: "text/plain", body: "OK" }));
  const body = Buffer.from([0x7b, 0x00, 0xff, 0x7d]);
  const answer = await app.inject({
    method: "POST",
    url: "/callbacks/acme/secret/more?a=1&a=2",
    headers: { "content-type": "application/x-anything", "x-signature": "abc" },
    body,
  });
  assert.deepEqual([answer.statusCode, answer.headers["content-type"], answer.body], [202, "text/plain", "OK"]);
  const [request] = heard;
  assert.deepEqual([request?.method, request?.path], ["POST", "/secret/more?a=1&a=2"]);
  assert.ok(request?.body.equals(body));
  assert.equal(request?.headers["x-signature"], "abc");
});

for (const url of ["/callbacks/acme", "/callbacks/acme/", "/callbacks/acme/x"])
  test(`GET and POST ${url} need no key and no body`, async () => {
    const { app, heard } = await rig(async () => TAKEN);
    for (const method of ["GET", "POST"] as const)
      assert.equal((await app.inject({ method, url })).statusCode, 200, method);
    assert.deepEqual(
      heard.map(({ method, body }) => [method, body.length]),
      [
        ["GET", 0],
        ["POST", 0],
      ],
    );
  });

test("an unknown provider, and one that is not called back, are not there", async () => {
  const { app } = await rig(async () => TAKEN);
  for (const name of ["nobody", "silent", "__proto__"]) {
    const answer = await app.inject({ method: "POST", url: `/callbacks/${name}/x`, body: "{}" });
    assert.deepEqual([answer.statusCode, answer.json().code], [404, "not_found"], name);
  }
});

test("a body over 3 MiB is refused before the provider hears of it", async () => {
  const { app, heard } = await rig(async () => TAKEN);
  const answer = await app.inject({
    method: "POST",
    url: "/callbacks/acme",
    body: Buffer.alloc(3 * 1024 * 1024 + 1, 32),
  });
  assert.deepEqual([answer.statusCode, answer.json().code, heard.length], [413, "payload_too_large", 0]);
});

test("large calls of a vendor are worked on one after another, and a small one does not wait for them", async () => {
  const open: (() => void)[] = [];
  let isSmall = false;
  const { app, heard } = await rig(async () => {
    if (!isSmall) await new Promise<void>((resolve) => open.push(resolve));
    return TAKEN;
  });
  const post = (bytes: number) => app.inject({ method: "POST", url: "/callbacks/acme", body: Buffer.alloc(bytes, 32) });
  const large = [post(1_000_000), post(1_000_000), post(1_000_000)];
  for (let count = 1; count <= large.length; count += 1) {
    await waitFor("the next one's turn", () => open.length === 1);
    assert.equal(heard.filter(({ body }) => body.length === 1_000_000).length, count);
    isSmall = true;
    assert.equal((await post(10)).statusCode, 200);
    isSmall = false;
    open.shift()!();
  }
  for (const answer of large) assert.equal((await answer).statusCode, 200);
});

test("what can't be stored is answered with 503, so that the vendor calls again", async () => {
  const { app } = await rig(async () => {
    throw new DatabaseAway("no connection");
  });
  const answer = await app.inject({ method: "POST", url: "/callbacks/acme", body: "{}" });
  assert.deepEqual([answer.statusCode, answer.json().code], [503, "database_unavailable"]);
});

test("callbacks are no part of the reference", async () => {
  const { app } = await rig(async () => TAKEN);
  const { paths } = (await app.inject("/openapi.json")).json();
  assert.deepEqual(
    Object.keys(paths).filter((path) => path.startsWith("/callbacks")),
    [],
  );
});
