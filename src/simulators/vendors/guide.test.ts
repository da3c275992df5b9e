import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MAGIC_PHONES as CHAT_PHONES } from "../whatsapp/magic.ts";
import { MAGIC_METERS, MAGIC_PHONES, magicMeter } from "./magic.ts";
import { VENDORS } from "./registry.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

const guide = readFileSync(new URL("../../../docs/guides/vendor-simulators.md", import.meta.url), "utf8");

const inWords = ({ row, first, stages }: Scenario): readonly string[] => [
  row === null ? "–" : String(row),
  first.replaceAll("_", " "),
  stages.length === 0
    ? "nothing"
    : stages.map(([state, waits]) => (waits === 0 ? state : `${state} after ${waits}`)).join(", "),
];

test("the guide lists every scenario with what it does, in order, and no other", () => {
  const rows = [...guide.matchAll(/^\| (\d+|–) \| `(\w+)` \| (.+?) \| (.+?) \|$/gm)];
  assert.deepEqual(
    rows.map(([, row, name, first, stages]) => [name, row, first, stages]),
    Object.entries(SCENARIOS).map(([name, scenario]) => [name, ...inWords(scenario)]),
  );
});

test("the scenarios cover all 26 rows of the matrix", () => {
  const rows = new Set(Object.values(SCENARIOS).map(({ row }) => row));
  for (let row = 1; row <= 26; row++) assert.ok(rows.has(row), `row ${row}`);
});

test("the guide lists every magic phone with its scenario, and no other", () => {
  const rows = [...guide.matchAll(/^\| `\+23480000000(\d\d)` \| `(\w+)`/gm)].map(([, digits, name]) => [digits, name]);
  assert.deepEqual(
    rows,
    Object.entries(MAGIC_PHONES)
      .map(([digits, { scenario }]) => [digits, scenario])
      .sort(),
  );
});

test("the guide lists every magic phone of chat with what the network does, and no other", () => {
  const [, section = ""] = guide.split("\n## WhatsApp\n");
  const rows = [...section.matchAll(/^\| `\+23480000000(\d\d)` \| (.+?) \|$/gm)].map(([, digits, does]) => [
    digits,
    does,
  ]);
  const phones = Object.entries(CHAT_PHONES).map(([digits, { meaning }]) => [digits, meaning]);
  assert.deepEqual(rows, phones.sort());
});

test("every meter of the guide is there, and each that has a scenario is listed with it", () => {
  for (const number of ["20000000002", "40000000004", "50000000005", "60000000006", "70000000007"]) {
    const meter = magicMeter(number);
    assert.ok(meter && guide.includes(`\`${number}\` | ${meter.type}`), number);
    if (meter.scenario) assert.ok(guide.includes(`\`${number}\` | ${meter.type}, \`${meter.scenario}\``), number);
  }
  assert.equal(MAGIC_METERS.length, 8);
  assert.equal(magicMeter("30000000003"), undefined);
});

for (const { name, settings } of VENDORS)
  test(`the guide lists every setting of ${name} with its first value`, () => {
    const [, section = ""] = guide.split(new RegExp(`\n## Settings of ${name}\n`, "i"));
    const cells = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| (`.+?`) \| (.+?) \|/gm)];
    const listed = cells.flatMap(([, names = "", values = ""]) =>
      names
        .split(", ")
        .map((setting, index) => [setting.replaceAll("`", ""), values.split(", ")[index]?.replaceAll("`", "")]),
    );
    const inJson = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
    const first = Object.entries(settings).map(([setting, value]) => [setting, inJson(value)]);
    assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(first));
  });
