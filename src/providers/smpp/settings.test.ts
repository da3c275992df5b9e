import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readSettings } from "./settings.ts";
import { testSettings } from "./test-rig.ts";

const faultsOf = (settings: unknown): readonly string[] => {
  const read = readSettings(settings);
  return read.ok ? [] : read.error;
};

test("host, systemId and password are enough", () => {
  assert.deepEqual(faultsOf({ host: "smsc.example.ng", systemId: "afara", password: "secret" }), []);
});

test("all faults are told at once, each with what to write", () => {
  const faults = faultsOf({
    host: "",
    port: 0,
    systemId: "x".repeat(16),
    binds: "2",
    longMessages: "udh",
    tls: "yes",
    windowsize: 5,
  });
  assert.equal(faults.length, 8, faults.join("\n"));
  for (const expected of [
    /^host is empty/,
    /^port must be a whole number from 1 to 65535/,
    /^systemId has 16 characters, 15 are allowed/,
    /^password is missing/,
    /^binds must be a whole number/,
    /^longMessages must be one of "udh8", "udh16", "sar", "message_payload"/,
    /^tls must be true, false, or an object/,
    /^windowsize is not a setting\. Did you mean "windowSize"/,
  ]) {
    assert.ok(
      faults.some((fault) => expected.test(fault)),
      `${expected} in\n${faults.join("\n")}`,
    );
  }
});

for (const [key, value, fault] of [
  ["tls", { cert: "x" }, /cert and key come together/],
  ["tls", { rejectUnauthorized: false }, /^tls must be/],
  ["messageIds", { submit: "hex" }, /each "hex", "decimal" or "verbatim"/],
  ["statusMap", { "0x0410": { kind: "rejected", scope: "order", code: "nonsense" } }, /"0x0410" is not/],
  ["statusMap", { "0": { kind: "unknown" } }, /"0" is not/],
  ["receiptErrors", { x: "dnd" }, /"x" is not/],
  ["receiptStats", { ZEROBAL: "lost" }, /"ZEROBAL" is not/],
  ["receiptStats", { "-": "sent" }, /"-" is not/],
  ["sourceShortCode", { ton: 3 }, /\{ton, npi\}/],
  ["ratePerSecond", 0, /above 0/],
  ["reconnectMinMs", 60_000, /must not be above reconnectMaxMs/],
] as const) {
  test(`${key} ${JSON.stringify(value)} is refused with a way to mend it`, () => {
    const faults = faultsOf(testSettings(2775, { [key]: value }));
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? "", fault);
  });
}

test("something that is no object is refused", () => {
  for (const input of [undefined, null, "smsc", []]) assert.match(faultsOf(input)[0] ?? "", /must be an object/);
});

test("a fault never shows the password", () => {
  assert.doesNotMatch(faultsOf(testSettings(2775, { password: "sesame".repeat(20) })).join(), /sesame/);
});

test("docs/providers/smpp.md explains every setting", () => {
  const page = readFileSync(new URL("../../../docs/providers/smpp.md", import.meta.url), "utf8");
  const [, known = ""] = /known are (.*)$/.exec(faultsOf({ nonsense: 1 }).at(-1) ?? "") ?? [];
  const keys = known.split(", ");
  assert.ok(keys.length > 30, known);
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  for (const key of keys)
    assert.ok(
      rows.some((row) => row.split("|")[1]?.includes(`\`${key}\``)),
      `${key} has no row`,
    );
});
