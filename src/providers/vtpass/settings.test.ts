import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readSettings } from "./settings.ts";

const KEYS = { apiKey: "a", publicKey: "PK_a", secretKey: "SK_a" };

const faults = (settings: unknown): readonly string[] => {
  const read = readSettings(settings);
  return read.ok ? [] : read.error;
};

test("three keys are enough, and everything else has its default", () => {
  const read = readSettings(KEYS);
  assert.ok(read.ok);
  assert.deepEqual(read.value, {
    ...KEYS,
    baseUrl: "https://vtpass.com",
    responseTimeoutMs: 60_000,
    duplicateWaitMs: 30_000,
    callbackSecret: "",
  });
});

test("every fault is told at once, each with its setting", () => {
  const told = faults({ baseUrl: "http://vtpass.com", apiKey: "a b", responseTimeoutMs: 1, keys: {} });
  for (const part of [
    "baseUrl must be",
    "apiKey must be",
    "publicKey is missing",
    "secretKey",
    "responseTimeoutMs",
    "keys is not",
  ])
    assert.ok(
      told.some((fault) => fault.startsWith(part)),
      part,
    );
});

test("secrets go over TLS, or to this machine alone", () => {
  for (const baseUrl of [
    "http://vtpass.com",
    "ftp://vtpass.com",
    "https://user@vtpass.com",
    "https://vtpass.com?a=b",
    "x",
  ])
    assert.equal(faults({ ...KEYS, baseUrl }).length, 1, baseUrl);
  for (const baseUrl of ["http://127.0.0.1:8081", "http://localhost:8081/", "https://sandbox.vtpass.com"])
    assert.deepEqual(faults({ ...KEYS, baseUrl }), [], baseUrl);
});

test("a secret that was written as a number is not shown", () => {
  assert.doesNotMatch(faults({ ...KEYS, secretKey: 12_345_678 }).join(), /12345678/);
});

test("docs/providers/vtpass.md explains every setting", () => {
  const page = readFileSync(new URL("../../../docs/providers/vtpass.md", import.meta.url), "utf8");
  const read = readSettings(KEYS);
  assert.ok(read.ok);
  for (const setting of Object.keys(read.value)) assert.ok(page.includes(`\`${setting}\``), setting);
});
