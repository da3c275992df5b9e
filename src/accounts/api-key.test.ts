import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { API_KEY_PATTERN, checkApiKeyFormat, hashApiKey, makeApiKey } from "./api-key.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test("a made key has the documented form and names its mode", () => {
  for (const mode of ["live", "test"] as const) {
    const key = makeApiKey(mode, randomBytes);
    assert.match(key, /^afara_(live|test)_[0-9A-Za-z]{36}$/);
    assert.match(`found ${key} in a log`, API_KEY_PATTERN);
    assert.equal(checkApiKeyFormat(key), mode);
  }
});

test("the checksum is CRC-32 in base62 padded with zeros", () => {
  // crc32("afara_test_" + 30 × "0") as Python's zlib.crc32 gives it.
  const zeros = makeApiKey("test", (size) => new Uint8Array(size));
  assert.equal(zeros.slice(0, 41), `afara_test_${"0".repeat(30)}`);
  assert.equal(zeros.slice(41), "4XBRu8");
});

test("any single changed character is refused", () => {
  fc.assert(
    fc.property(fc.nat(35), fc.constantFrom(...BASE62), (position, other) => {
      const key = makeApiKey("live", randomBytes);
      const at = key.length - 36 + position;
      fc.pre(key[at] !== other);
      assert.equal(checkApiKeyFormat(key.slice(0, at) + other + key.slice(at + 1)), undefined);
    }),
  );
});

test("a test key whose mode is rewritten to live is refused", () => {
  assert.equal(checkApiKeyFormat(makeApiKey("test", randomBytes).replace("_test_", "_live_")), undefined);
});

test("bytes that would favour some digits are thrown away", () => {
  const calls: number[] = [];
  const key = makeApiKey("test", (size) => {
    calls.push(size);
    return new Uint8Array(size).fill(calls.length === 1 ? 248 : 61);
  });
  assert.equal(key.slice(11, 41), "z".repeat(30));
  assert.equal(calls.length, 2);
});

test("the stored hash is 32 bytes and depends on pepper and key", () => {
  const key = makeApiKey("test", randomBytes);
  assert.equal(hashApiKey("pepper", key).length, 32);
  assert.deepEqual(hashApiKey("pepper", key), hashApiKey("pepper", key));
  assert.notDeepEqual(hashApiKey("pepper", key), hashApiKey("another", key));
});
