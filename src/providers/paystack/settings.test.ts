import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "./settings.ts";

const GOOD = { secretKey: "sk_live_example", customerEmail: "topups+{account}@example.ng" };

for (const [name, more] of [
  ["the two that are required", {}],
  ["a sandbox's key that is called one", { secretKey: "sk_test_example", sandbox: true }],
  ["a simulator on this machine", { baseUrl: "http://127.0.0.1:8071" }],
  [
    "everything",
    {
      customerPhone: "+2348000000000",
      preferredBank: "wema-bank",
      returnUrl: "https://a.ng/back",
      feesPaidBy: "payer",
      baseUrl: "https://api.example.ng",
      timeoutMs: 5_000,
    },
  ],
] as const)
  test(`${name} are settings`, () => assert.ok(readSettings({ ...GOOD, ...more }).ok));

const BAD: readonly [name: string, more: object, fault: RegExp][] = [
  ["no key", { secretKey: undefined }, /secretKey/],
  ["an e-mail address without a place for the account", { customerEmail: "topups@example.ng" }, /customerEmail/],
  ["a sandbox's key that is not called one", { secretKey: "sk_test_example" }, /sandbox/],
  ["a live key called a sandbox's", { sandbox: true }, /sandbox/],
  ["the secret over plain http", { baseUrl: "http://api.example.ng" }, /https/],
  ["a host that only begins like this machine", { baseUrl: "http://localhost.example.ng/" }, /https/],
  ["a setting that is not one", { secretkey: "x" }, /secretkey is not known here\. Did you mean "secretKey"/],
  ["a time that is none", { timeoutMs: 0 }, /timeoutMs/],
];
for (const [name, more, fault] of BAD)
  test(`${name} is a fault, told without the key`, () => {
    const read = readSettings({ ...GOOD, ...more });
    assert.ok(!read.ok);
    assert.match(read.error.join("\n"), fault);
    assert.doesNotMatch(read.error.join("\n"), /sk_live_example|sk_test_example/);
  });

test("all faults are told at once", () => {
  const read = readSettings({ timeoutMs: "1" });
  assert.ok(!read.ok && read.error.length >= 2, JSON.stringify(read));
});
