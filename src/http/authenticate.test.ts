import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { makeApiKey } from "../accounts/api-key.ts";
import type { KeyRecord } from "../accounts/key-record.ts";
import { DatabaseAway } from "../db/database.ts";
import { makeRig, type Rig } from "../testing/http-rig.ts";

const get = ({ app }: Rig, headers: Record<string, string>, url = "/sms/messages") => app.inject({ url, headers });

test("a good key is let in and looked up once for many requests", async () => {
  const rig = await makeRig();
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await get(rig, { "x-api-key": rig.key })).statusCode, 200);
  }
  assert.equal(rig.lookups.count, 1);
});

test("requests that come while the key is being looked up share the look-up", async () => {
  const rig = await makeRig();
  await Promise.all(Array.from({ length: 20 }, () => get(rig, { "x-api-key": rig.key })));
  assert.equal(rig.lookups.count, 1);
});

test("a revoked key stops working within four seconds, and at once when the cache is told", async () => {
  const rig = await makeRig();
  assert.equal((await get(rig, { "x-api-key": rig.key })).statusCode, 200);
  rig.setRecord({ revokedAt: rig.clock.now() });
  const answer = await get(rig, { "x-api-key": rig.key });
  assert.equal(answer.json().code, "invalid_api_key");

  rig.setRecord({ revokedAt: null });
  assert.equal((await get(rig, { "x-api-key": rig.key })).statusCode, 200);
  rig.clock.advance(4_000);
  assert.equal((await get(rig, { "x-api-key": rig.key })).statusCode, 200);
  assert.equal(rig.lookups.count, 4);
});

// 401, in the order of the checks

test("no key is 401 with a challenge", async () => {
  const answer = await get(await makeRig(), {});
  assert.equal(answer.statusCode, 401);
  assert.equal(answer.json().code, "missing_api_key");
  assert.equal(answer.headers["www-authenticate"], 'ApiKey realm="afara", header="X-API-Key"');
});

test("a key with a wrong checksum is refused without a look-up", async () => {
  const rig = await makeRig();
  const wrong = rig.key.slice(0, -1) + (rig.key.endsWith("a") ? "b" : "a");
  for (const key of [wrong, "afara_test_x", "sk_live_1", rig.key.replace("test", "live")]) {
    assert.equal((await get(rig, { "x-api-key": key })).json().code, "invalid_api_key");
  }
  assert.equal(rig.lookups.count, 0);
});

test("a well-formed key that does not exist is refused, and remembered as unknown", async () => {
  const rig = await makeRig();
  const unknown = makeApiKey("test", randomBytes);
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await get(rig, { "x-api-key": unknown })).json().code, "invalid_api_key");
  }
  assert.equal(rig.lookups.count, 1);
});

test("an address that tries many unknown keys has to wait, and others do not", async () => {
  const rig = await makeRig({ options: { trustProxy: "127.0.0.1" } });
  const guess = (address: string, key = makeApiKey("test", randomBytes)) =>
    get(rig, { "x-api-key": key, "x-forwarded-for": address });
  for (let count = 0; count < 20; count += 1) assert.equal((await guess("203.0.113.9")).statusCode, 401);
  const blocked = await guess("203.0.113.9");
  assert.equal(blocked.statusCode, 429);
  assert.equal((await guess("203.0.113.9", rig.key)).statusCode, 200, "a neighbour's good key is not kept out");
  assert.equal((await guess("203.0.113.10")).statusCode, 401);
  assert.equal((await guess("203.0.113.10", rig.key)).statusCode, 200);
  rig.clock.advance(Number(blocked.headers["retry-after"]) * 1000);
  assert.equal((await guess("203.0.113.9")).statusCode, 401);
});

test("addresses of one IPv6 network of 64 bits are one guesser", async () => {
  const rig = await makeRig({ options: { trustProxy: "127.0.0.1" } });
  const guess = (address: string) =>
    get(rig, { "x-api-key": makeApiKey("test", randomBytes), "x-forwarded-for": address });
  for (let count = 0; count < 20; count += 1) await guess(`2001:db8:1:2::${count + 1}`);
  assert.equal((await guess("2001:db8:1:2:ffff::1")).statusCode, 429);
  assert.equal((await guess("2001:db8:1:3::1")).statusCode, 401);
});

const HIDDEN = ["unknown", "_hidden", "not an address", "client.example.com:443", ""];

test("the limit of unknown keys holds for a caller whose proxy adds its port, or hides its address", async () => {
  for (const namesCaller of [
    (port: number) => `203.0.113.9:${port}`,
    (port: number) => `[2001:db8:1:2::${port}]:${port}`,
    (port: number) => `198.51.100.${port % 256}, ::ffff:203.0.113.9`,
    (port: number) => HIDDEN[port % HIDDEN.length]!,
  ]) {
    const rig = await makeRig({ options: { trustProxy: "127.0.0.1" } });
    const guess = (address: string) =>
      get(rig, { "x-api-key": makeApiKey("test", randomBytes), "x-forwarded-for": address });
    for (let count = 0; count < 20; count += 1)
      assert.equal((await guess(namesCaller(40_000 + count))).statusCode, 401, namesCaller(0));
    assert.equal((await guess(namesCaller(50_000))).statusCode, 429, namesCaller(0));
    assert.equal((await guess("203.0.113.200:40000")).statusCode, 401, "another caller is not kept out");
  }
});

test("a key in the query is refused even beside a good header", async () => {
  const rig = await makeRig();
  for (const [url, headers] of [
    [`/sms/messages?api_key=${rig.key}`, {}],
    ["/sms/messages?api_key=anything", {}],
    [`/sms/messages?after=${rig.key}`, { "x-api-key": rig.key }],
  ] as const) {
    const answer = await get(rig, headers, url);
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.json().code, "use_x_api_key_header");
  }
});

test("a key in Authorization is refused, and another use of it beside a good header is ignored", async () => {
  const rig = await makeRig();
  assert.equal((await get(rig, { authorization: `Bearer ${rig.key}` })).json().code, "use_x_api_key_header");
  assert.equal((await get(rig, { authorization: "Bearer x" })).json().code, "use_x_api_key_header");
  assert.equal((await get(rig, { authorization: "Basic eDp5", "x-api-key": rig.key })).statusCode, 200);
  const both = await get(rig, { authorization: `Bearer ${rig.key}`, "x-api-key": rig.key });
  assert.equal(both.json().code, "use_x_api_key_header");
});

test("a key in the body is refused, and a body without one is answered as a missing key", async () => {
  const { app, key } = await makeRig();
  const post = (payload: object) => app.inject({ method: "POST", url: "/sms/send", payload });
  assert.equal((await post({ to: "1", message: "x", api_key: key })).json().code, "use_x_api_key_header");
  assert.equal((await post({ to: "1", message: "x" })).json().code, "missing_api_key");
});

test("without a key a broken body is still 401", async () => {
  const { app } = await makeRig();
  const headers = { "content-type": "application/json" };
  const answer = await app.inject({ method: "POST", url: "/sms/send", headers, payload: "{" });
  assert.equal(answer.statusCode, 401);
});

// 400

test("two key headers are refused, whichever is good", async (t) => {
  const { app, key } = await makeRig();
  t.after(() => app.close());
  await app.listen({ host: "127.0.0.1", port: 0 });
  // Only a raw list of headers sends the name twice; fetch would join the values.
  const sent = request(`${app.listeningOrigin}/sms/messages`, {
    headers: ["host", "localhost", "x-api-key", key, "X-Api-Key", key],
  });
  sent.end();
  const [answer]: IncomingMessage[] = await once(sent, "response");
  assert.equal(answer?.statusCode, 400);
  assert.partialDeepStrictEqual(await json(answer ?? []), { code: "duplicate_api_key_header" });
});

// 401 and 403 of known keys

const STANDINGS: readonly [name: string, key: Partial<KeyRecord>, status: number, code: string][] = [
  ["expired", { expiresAt: new Date("2026-11-27T09:00:00.000Z") }, 401, "api_key_expired"],
  [
    "replaced by another, after the overlap",
    { rolled: { at: new Date("2026-11-26T09:00:00.000Z"), until: new Date("2026-11-27T09:00:00.000Z") } },
    401,
    "api_key_expired",
  ],
  ["of a suspended account", { accountSuspended: true }, 403, "account_suspended"],
  ["used from another address", { cidrs: ["203.0.113.0/24", "2001:db8::/32"] }, 403, "ip_not_allowed"],
  ["bound to an unreadable address", { cidrs: ["nonsense"] }, 403, "ip_not_allowed"],
  ["of an account without the service", { subscriptions: {} }, 403, "not_subscribed"],
  ["limited to another service", { services: ["airtime"] }, 403, "scope_missing"],
  ["without the scope", { scopes: ["send"] }, 403, "scope_missing"],
];
for (const [name, key, status, code] of STANDINGS) {
  test(`a key ${name} is ${status} ${code}`, async () => {
    const rig = await makeRig({ key });
    const answer = await get(rig, { "x-api-key": rig.key });
    assert.equal(answer.statusCode, status);
    assert.equal(answer.json().code, code);
  });
}

test("a key that was replaced works on through the overlap, and every answer says since when and until when", async () => {
  const rolled = { at: new Date("2026-11-27T08:00:00.500Z"), until: new Date("2026-11-28T08:00:00.500Z") };
  const rig = await makeRig({ key: { rolled } });
  for (const [path, status] of [
    ["/sms/messages", 200],
    ["/wallet", 403],
  ] as const) {
    const answer = await get(rig, { "x-api-key": rig.key }, path);
    assert.equal(answer.statusCode, status);
    assert.equal(answer.headers.deprecation, "@1795766400");
    assert.equal(answer.headers.sunset, "Sat, 28 Nov 2026 08:00:00 GMT");
  }
  rig.clock.advance(23 * 3_600_000 + 500);
  const late = await get(rig, { "x-api-key": rig.key });
  assert.match(late.json().detail, /was replaced and stopped working at 2026-11-28T08:00:00\.500Z/);
});

test("of the keys that come in, those that were good for a request are noted as used", async () => {
  const rig = await makeRig();
  await get(rig, { "x-api-key": rig.key });
  rig.setRecord({ accountSuspended: true });
  await get(rig, { "x-api-key": rig.key });
  assert.deepEqual(rig.used, [rig.record.keyId]);
});

test("of several reasons the earliest check is told", async () => {
  const all: Partial<KeyRecord> = Object.assign({}, ...STANDINGS.map(([, key]) => key));
  const rig = await makeRig({ key: all });
  for (const [undo, code] of [
    [{}, "api_key_expired"],
    [{ expiresAt: null }, "api_key_expired"],
    [{ rolled: null }, "account_suspended"],
    [{ accountSuspended: false }, "ip_not_allowed"],
    [{ cidrs: null }, "not_subscribed"],
    [{ subscriptions: { sms: { plan: "free" } } }, "scope_missing"],
    [{ services: null }, "scope_missing"],
  ] as const) {
    Object.assign(all, undo);
    rig.setRecord(all);
    assert.equal((await get(rig, { "x-api-key": rig.key })).json().code, code);
  }
});

test("a key may be used from the addresses of its list, IPv4 written as IPv6 included", async () => {
  const rig = await makeRig({
    key: { cidrs: ["203.0.113.0/24", "2001:db8::1"] },
    options: { trustProxy: "127.0.0.1" },
  });
  for (const [address, status] of [
    ["203.0.113.7", 200],
    ["::ffff:203.0.113.7", 200],
    ["2001:db8::1", 200],
    ["2001:db8::2", 403],
    ["203.0.114.1", 403],
    ["203.0.113.7:40000", 200],
    ["[2001:db8::1]:40000", 200],
    ["[2001:DB8:0::1]", 200],
    ["::ffff:cb00:7107", 200],
    ["[::ffff:203.0.113.7]:40000", 200],
    ["198.51.100.1, 203.0.113.7:40000", 200],
    ["203.0.113.7, 198.51.100.1:40000", 403],
    ["203.0.113.7:40000, 127.0.0.1:80", 200],
    ["203.0.114.1:40000", 403],
    ["unknown", 403],
    ["203.0.113.7, unknown", 403],
    ["_hidden", 403],
  ] as const) {
    const answer = await get(rig, { "x-api-key": rig.key, "x-forwarded-for": address });
    assert.equal(answer.statusCode, status, address);
  }
});

test("a caller that its proxy hides has the proxy's own address", async () => {
  const rig = await makeRig({ key: { cidrs: ["127.0.0.1"] }, options: { trustProxy: "127.0.0.1, 10.0.0.0/8" } });
  for (const [address, status] of [
    ["unknown", 200],
    ["203.0.113.7, _hidden", 200],
    ["203.0.113.7:40000", 403],
    ["unknown, 10.0.0.2:80", 403],
  ] as const) {
    const answer = await get(rig, { "x-api-key": rig.key, "x-forwarded-for": address });
    assert.equal(answer.statusCode, status, address);
  }
});

test("Forwarded is not read, and X-Forwarded-For from nobody that is trusted", async () => {
  const named = { "x-forwarded-for": "203.0.113.7", forwarded: "for=203.0.113.7" };
  const listed = { key: { cidrs: ["203.0.113.7"] } };
  const proxied = await makeRig({ ...listed, options: { trustProxy: "127.0.0.1" } });
  assert.equal((await get(proxied, { "x-api-key": proxied.key, forwarded: named.forwarded })).statusCode, 403);
  const direct = await makeRig(listed);
  assert.equal((await get(direct, { "x-api-key": direct.key, ...named })).statusCode, 403);
});

test("a route without a service needs no subscription", async () => {
  const rig = await makeRig({ key: { subscriptions: {}, scopes: ["read"] } });
  assert.equal((await get(rig, { "x-api-key": rig.key }, "/limits")).statusCode, 200);
});

test("a service that is called like a member of every object is not subscribed to", async () => {
  const rig = await makeRig({ key: { subscriptions: {} } });
  rig.app.get("/odd", { config: { auth: { service: "constructor", scope: "read", policy: null } } }, () => ({}));
  assert.equal((await get(rig, { "x-api-key": rig.key }, "/odd")).json().code, "not_subscribed");
});

// 503

test("when storage is away a key that is not cached is 503, not 401, and is asked for again", async () => {
  let away = true;
  const rig = await makeRig();
  const record = rig.record;
  const other = await makeRig({
    options: {
      keys: {
        lookup: { find: async () => (away ? Promise.reject(new DatabaseAway("connection refused")) : record) },
        hash: () => Buffer.alloc(32),
        used: () => undefined,
      },
    },
  });
  const answer = await get(other, { "x-api-key": rig.key });
  assert.equal(answer.statusCode, 503);
  assert.equal(answer.json().code, "database_unavailable");
  assert.equal(answer.headers["retry-after"], "1");
  away = false;
  assert.equal((await get(other, { "x-api-key": rig.key })).statusCode, 200);
});
