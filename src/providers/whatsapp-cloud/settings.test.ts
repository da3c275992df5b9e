import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { WHATSAPP_SETTINGS } from "../../testing/whatsapp-rig.ts";
import { ERRORS, type Meaning } from "./errors.ts";
import { readSettings } from "./settings.ts";
import { STATUSES } from "./statuses.ts";

const page = readFileSync(new URL("../../../docs/providers/whatsapp-cloud.md", import.meta.url), "utf8");

const faults = (settings: unknown): readonly string[] => {
  const read = readSettings(settings);
  return read.ok ? [] : read.error;
};

test("token, secrets, account and numbers are enough, and everything else has its default", () => {
  const read = readSettings(WHATSAPP_SETTINGS);
  assert.ok(read.ok);
  assert.deepEqual(read.value, {
    ...WHATSAPP_SETTINGS,
    numbers: [
      { phoneNumberId: "200000000000001", number: "2347000000001" },
      { phoneNumberId: "200000000000002", number: "2347000000002" },
    ],
    baseUrl: "https://graph.facebook.com",
    version: "v24.0",
    responseTimeoutMs: 30_000,
    mediaTimeoutMs: 60_000,
    perNumberPerSecond: 80,
    pairEveryMs: 6_000,
    pairBurst: 20,
    waitMsMax: 3_600_000,
  });
});

test("every fault is told at once, each with its setting", () => {
  const told = faults({ version: "latest", accessToken: "a b", wabaId: "x", pairBurst: 46, keys: {} });
  for (const part of [
    "version must",
    "accessToken must",
    "appSecret is missing",
    "verifyToken is",
    "wabaId must",
    "numbers is missing",
    "pairBurst",
    "keys is not",
  ])
    assert.equal(told.filter((fault) => fault.startsWith(part)).length, 1, part);
});

test("numbers are a list in which each id and each number stands once", () => {
  const one = { phoneNumberId: "1", number: "+2347000000001" };
  for (const numbers of [
    [],
    {},
    [one, one],
    [one, { ...one, phoneNumberId: "2" }],
    [{ phoneNumberId: 1, number: "2347000000001" }],
    [{ ...one, name: "x" }],
    [{ ...one, number: "0700" }],
    [null],
  ])
    assert.equal(faults({ ...WHATSAPP_SETTINGS, numbers }).length, 1, JSON.stringify(numbers));
});

test("docs/providers/whatsapp-cloud.md explains every setting and every word of a status", () => {
  const read = readSettings(WHATSAPP_SETTINGS);
  assert.ok(read.ok);
  for (const name of [...Object.keys(read.value), ...Object.keys(STATUSES)])
    assert.ok(page.includes(`\`${name}\``), name);
});

const seconds = (ms: number): string => (ms < 60_000 ? `${ms / 1_000} s` : `${ms / 60_000} min`);

const told = (meaning: Meaning): string => {
  switch (meaning.kind) {
    case "throttled":
      return [
        `throttled, ${seconds(meaning.retryAfterMs)}`,
        ...(meaning.of ? [`the whole ${meaning.of}`] : []),
        ...(meaning.alarm ? ["operator alarm"] : []),
      ].join(", ");
    case "unknown":
      return "unknown";
    case "rejected":
      return meaning.scope === "order"
        ? `rejected (order): \`${meaning.code}\``
        : `rejected (route): \`${meaning.code}\`, operator alarm`;
  }
};

test("docs/providers/whatsapp-cloud.md lists every error code with what it means, and no other", () => {
  const rows = [...page.matchAll(/^\| `(\d+(?:-\d+)?)` \| (.+?) \| (.+?) \|$/gm)].map((match) => match.slice(1));
  const table = Object.entries(ERRORS).map(([code, { says, meaning }]) => [code, says, told(meaning)]);
  const byCode = (a: string[], b: string[]) => Number.parseInt(a[0] ?? "", 10) - Number.parseInt(b[0] ?? "", 10);
  assert.deepEqual(rows, table.sort(byCode));
});
