import assert from "node:assert/strict";
import { test } from "node:test";
import { checkUrl, type EgressFault, isLoopback, isPublic } from "./guard.ts";

const LIVE = { httpAllowed: false, permits: isPublic };

/** Each way that people have found to name the inside. */
const REFUSED: readonly (readonly [url: string, fault: EgressFault])[] = [
  ["ftp://example.ng/a", "not_an_address"],
  ["file:///etc/passwd", "not_an_address"],
  ["javascript:alert(1)", "not_an_address"],
  ["//example.ng/a", "not_an_address"],
  ["example.ng/a", "not_an_address"],
  [`https://example.ng/${"a".repeat(2_000)}`, "not_an_address"],
  ["https://user@example.ng/", "not_an_address"],
  ["https://user:password@example.ng/", "not_an_address"],
  ["https://example.ng/#part", "not_an_address"],
  ["http://example.ng/a.png", "scheme_not_allowed"],
  ["https://example.ng:22/", "port_not_allowed"],
  ["https://example.ng:25/", "port_not_allowed"],
  ["https://example.ng:80/", "port_not_allowed"],
  ["https://127.0.0.1/", "blocked_address"],
  ["https://2130706433/", "blocked_address"],
  ["https://0x7f.1/", "blocked_address"],
  ["https://0177.0.0.1/", "blocked_address"],
  ["https://127.1/", "blocked_address"],
  ["https://0.0.0.0/", "blocked_address"],
  ["https://10.0.0.1/", "blocked_address"],
  ["https://172.16.0.1/", "blocked_address"],
  ["https://192.168.1.1/", "blocked_address"],
  ["https://100.64.0.1/", "blocked_address"],
  ["https://169.254.169.254/latest/meta-data/", "blocked_address"],
  ["https://198.18.0.1/", "blocked_address"],
  ["https://192.0.2.1/", "blocked_address"],
  ["https://224.0.0.1/", "blocked_address"],
  ["https://255.255.255.255/", "blocked_address"],
  ["https://[::1]/", "blocked_address"],
  ["https://[::]/", "blocked_address"],
  ["https://[::ffff:127.0.0.1]/", "blocked_address"],
  ["https://[::127.0.0.1]/", "blocked_address"],
  ["https://168.63.129.16/", "blocked_address"],
  ["https://[::ffff:7f00:1]/", "blocked_address"],
  ["https://[64:ff9b::7f00:1]/", "blocked_address"],
  ["https://[2002:7f00:1::]/", "blocked_address"],
  ["https://[2001::1]/", "blocked_address"],
  ["https://[fe80::1]/", "blocked_address"],
  ["https://[fec0::1]/", "blocked_address"],
  ["https://[fd00::1]/", "blocked_address"],
  ["https://[2001:db8::1]/", "blocked_address"],
  ["https://[ff02::1]/", "blocked_address"],
  ["https://localhost/", "blocked_address"],
  ["https://localhost./", "blocked_address"],
  ["https://localhost../", "blocked_address"],
  ["https://LOCALHOST/", "blocked_address"],
  ["https://a.localhost/", "blocked_address"],
  ["https://database/", "blocked_address"],
  ["https://db.internal/", "blocked_address"],
  ["https://printer.local/", "blocked_address"],
  ["https://１２７.０.０.１/", "blocked_address"],
];
for (const [url, fault] of REFUSED)
  test(`${url.slice(0, 60)} is not gone to: ${fault}`, () => {
    assert.deepEqual(checkUrl(url, LIVE), { ok: false, error: fault });
  });

for (const url of [
  "https://example.ng/a.png",
  "https://example.ng:8443/a.png?size=2",
  "https://example.ng:3000/",
  "https://93.184.215.14/",
  "https://[2606:4700::1111]/",
  "https://пример.укр/a.png",
])
  test(`${url} may be gone to`, () => {
    assert.ok(checkUrl(url, LIVE).ok);
  });

test("plain http is for test mode, at its own port too", () => {
  assert.ok(checkUrl("http://example.ng/a.png", { ...LIVE, httpAllowed: true }).ok);
  assert.ok(!checkUrl("http://127.0.0.1/a.png", { ...LIVE, httpAllowed: true }).ok);
});

test("names of the inside may be resolved where that is allowed, and their addresses still count", () => {
  const local = {
    httpAllowed: true,
    insideNames: true,
    permits: (address: string) => isPublic(address) || isLoopback(address),
  };
  for (const url of [
    "http://localhost:3000/hook",
    "http://receiver:8080/",
    "http://127.0.0.1:3000/",
    "http://[::1]:3000/",
  ])
    assert.ok(checkUrl(url, local).ok, url);
  for (const url of ["http://10.0.0.1:3000/", "http://169.254.169.254/", "http://[fd00::1]:3000/"])
    assert.deepEqual(checkUrl(url, local), { ok: false, error: "blocked_address" });
});
