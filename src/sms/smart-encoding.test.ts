import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isGsm7 } from "../kernel/gsm7.ts";
import { segmentText } from "../kernel/segments.ts";
import { smartEncode } from "./smart-encoding.ts";

const ENCODED: readonly (readonly [text: string, encoded: string])[] = [
  ["You paid ₦5,000", "You paid N5,000"],
  ["Don’t say “no”", `Don't say "no"`],
  ["Lagos – Ibadan — daily", "Lagos - Ibadan - daily"],
  ["Wait…", "Wait..."],
  ["a\u00a0b\tc\u200bd", "a b cd"],
];
for (const [text, encoded] of ENCODED) {
  test(`${JSON.stringify(text)} is sent as ${JSON.stringify(encoded)}`, () => {
    assert.equal(smartEncode(text).text, encoded);
  });
}

test("every replacement is reported with the character and where it was in the text as written", () => {
  assert.deepEqual(smartEncode("…₦5 isn’t").replacements, [
    { character: "…", index: 0, replacement: "..." },
    { character: "₦", index: 1, replacement: "N" },
    { character: "’", index: 7, replacement: "'" },
  ]);
});

const UNCHANGED: readonly (readonly [why: string, text: string])[] = [
  ["that is GSM 7 bit already", "Price: €5 {net}"],
  ["that an emoji keeps in UCS-2 anyway", "₦5,000 😀"],
  ["that a Yoruba letter keeps in UCS-2 anyway: letters are never transliterated", "Ẹ kú “àárọ̀”"],
  ["that would take more segments with longer likenesses", "…".repeat(70)],
];
for (const [why, text] of UNCHANGED) {
  test(`a text is left exactly as it is ${why}`, () => {
    assert.deepEqual(smartEncode(text), { text, replacements: [] });
  });
}

test("a text is changed only into GSM 7 bit, never at a higher price, and as its replacements say", () => {
  const characters = [..."abc 12{€₦‘’“”–—…\u00a0\u200b™ẹ"];
  const text = fc.oneof(
    fc.array(fc.constantFrom(...characters), { maxLength: 200 }).map((all) => all.join("")),
    fc.array(fc.constantFrom(...characters.slice(0, -1)), { maxLength: 200 }).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(text, (original) => {
      const { text: encoded, replacements } = smartEncode(original);
      let rebuilt = original;
      for (const { character, index, replacement } of replacements.toReversed()) {
        assert.equal(rebuilt.slice(index, index + character.length), character);
        assert.ok(!isGsm7(character) && isGsm7(replacement));
        rebuilt = rebuilt.slice(0, index) + replacement + rebuilt.slice(index + character.length);
      }
      assert.equal(encoded, rebuilt);
      if (replacements.length === 0) return;
      assert.ok(isGsm7(encoded));
      assert.ok(segmentText(encoded).segments <= segmentText(original).segments);
    }),
    { numRuns: 500 },
  );
});
