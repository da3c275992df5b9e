import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SCENARIOS as SMS } from "../simulators/smsc/scenarios.ts";
import { MAGIC_METERS, MAGIC_PHONES as PURCHASES } from "../simulators/vendors/magic.ts";
import { MAGIC_PHONES as CHAT } from "../simulators/whatsapp/magic.ts";

const page = readFileSync(new URL("../../docs/guides/test-mode.md", import.meta.url), "utf8");

test("the page of test mode says of each magic number what each service does, and leaves out the ordinary alone", () => {
  const rows = [...page.matchAll(/^\| `\+23480000000(\d\d)` \| (.+?) \| (.+?) \| (.+?) \|$/gm)];
  const all = new Set([SMS, CHAT, PURCHASES].flatMap((table) => Object.keys(table)));
  assert.deepEqual(rows.map(([, digits]) => digits).sort(), [...all].sort());
  for (const [, digits = "", ...cells] of rows)
    assert.deepEqual(
      cells.map((cell) => cell !== "–"),
      [SMS, CHAT, PURCHASES].map((table) => digits in table),
      digits,
    );
});

test("the page of test mode has every magic meter of eleven digits", () => {
  const [, section = ""] = page.split("\n## Magic meters\n");
  const listed = [...section.matchAll(/^\| `(\d{11})` \|/gm)].map(([, number]) => number);
  const known = MAGIC_METERS.map(({ number }) => /^\^(\d{11})\$$/.exec(number.source)?.[1]).filter(Boolean);
  assert.deepEqual(listed.sort(), [...known, "30000000003"].sort()); // the one that does not exist
});
