import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCidr } from "./cidr.ts";

test("blocks and single addresses of both families are read", () => {
  assert.deepEqual(parseCidr("203.0.113.0/24"), { address: "203.0.113.0", prefix: 24, family: "ipv4" });
  assert.deepEqual(parseCidr("203.0.113.7"), { address: "203.0.113.7", prefix: 32, family: "ipv4" });
  assert.deepEqual(parseCidr("2001:db8::/32"), { address: "2001:db8::", prefix: 32, family: "ipv6" });
  assert.deepEqual(parseCidr("::1"), { address: "::1", prefix: 128, family: "ipv6" });
});

test("whatever is no block is refused", () => {
  for (const text of ["", "/24", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/x", "10.0.0/8", "10.0.0.0/8/8", "a.b"])
    assert.equal(parseCidr(text), undefined, text);
});
