import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readSettings } from "./settings.ts";

const KEYS = { clientId: "cid_example", clientSecret: "secret_example" };

const faultsOf = (settings: unknown): readonly string[] => {
  const read = readSettings(settings);
  return read.ok ? [] : read.error;
};
const read = (settings: object) => {
  const checked = readSettings({ ...KEYS, ...settings });
  assert.ok(checked.ok);
  return checked.value;
};

test("the id and the secret are enough for the live environment", () => {
  const { baseUrl, authUrl, audience, responseTimeoutMs } = read({});
  assert.deepEqual(
    { baseUrl, authUrl, audience, responseTimeoutMs },
    {
      baseUrl: "https://topups.reloadly.com",
      authUrl: "https://auth.reloadly.com",
      audience: "https://topups.reloadly.com",
      responseTimeoutMs: 60_000,
    },
  );
});

test("the sandbox has an audience of its own and the same host for tokens", () => {
  const { authUrl, audience } = read({ baseUrl: "https://topups-sandbox.reloadly.com/" });
  assert.deepEqual([authUrl, audience], ["https://auth.reloadly.com", "https://topups-sandbox.reloadly.com"]);
});

test("a simulator gives its tokens itself", () => {
  const { authUrl, audience } = read({ baseUrl: "http://127.0.0.1:8055" });
  assert.deepEqual([authUrl, audience], ["http://127.0.0.1:8055", "https://topups.reloadly.com"]);
});

const FAULTS: readonly (readonly [name: string, settings: object, fault: RegExp])[] = [
  ["no secret", { clientId: "cid" }, /^clientSecret is missing/],
  ["a host without https", { ...KEYS, baseUrl: "http://topups.reloadly.com" }, /^baseUrl must be a URL with https/],
  [
    "an operator of no network",
    { ...KEYS, operators: { vodafone: 1 } },
    /^operators\.vodafone is not known here\. There are .*"mtn"/,
  ],
  ["an operator that is no number", { ...KEYS, operators: { mtn: "341" } }, /^operators\.mtn must be a whole number/],
  ["a signature of another kind", { ...KEYS, webhookSignature: "body+timestamp" }, /^webhookSignature must be one of/],
  ["a time limit in seconds", { ...KEYS, responseTimeoutMs: 30 }, /^responseTimeoutMs must be/],
  ["a key that is none", { ...KEYS, apiKey: "x" }, /^apiKey is not known here/],
];
for (const [name, settings, fault] of FAULTS)
  test(`${name} is told at start`, () => {
    const faults = faultsOf(settings);
    assert.equal(faults.length, 1);
    assert.match(faults[0]!, fault);
  });

test("all faults are told together, and none shows a secret", () => {
  const faults = faultsOf({ clientSecret: "s".repeat(201), baseUrl: 7, operators: [] });
  assert.equal(faults.length, 4);
  assert.ok(!faults.join().includes("sss"));
});

test("docs/providers/reloadly.md explains every setting", () => {
  const page = readFileSync(new URL("../../../docs/providers/reloadly.md", import.meta.url), "utf8");
  const section = page.slice(page.indexOf("## Settings"), page.indexOf("## How it buys"));
  const listed = [...section.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, names = ""]) =>
    names.replaceAll("`", "").split(", "),
  );
  assert.deepEqual(listed.toSorted(), Object.keys(read({})).toSorted());
});
