import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { NO_FAULTS } from "./faults.ts";
import { SCENARIOS } from "./scenarios.ts";

const guide = readFileSync(new URL("../../../docs/guides/smsc-simulator.md", import.meta.url), "utf8");

test("the guide lists every magic number of the simulator and no other", () => {
  const listed = [...guide.matchAll(/^\| `\+23480000000(\d\d)` \|/gm)].map((match) => match[1]);
  assert.deepEqual(listed, Object.keys(SCENARIOS).sort());
});

test("the guide lists every fault with its default and no other", () => {
  const section = guide.slice(guide.indexOf("## Faults"), guide.indexOf("## The log"));
  const rows = [...section.matchAll(/^\| (`.+?`) \| (.+?) \|/gm)].flatMap(([, names = "", value = ""]) =>
    [...names.matchAll(/\w+/g)].map(([name]) => [name, value.replaceAll("`", "")]),
  );
  assert.deepEqual(
    Object.fromEntries(rows),
    Object.fromEntries(Object.entries(NO_FAULTS).map(([name, value]) => [name, String(value)])),
  );
});
