import assert from "node:assert/strict";
import { test } from "node:test";
import { expiresAt, parseSender, prepareText, previewText, sendAtFault } from "./sms.ts";

const previewOf = (message: string, smartEncoding: boolean) => {
  const preview = previewText(message, smartEncoding);
  assert.ok(preview.ok);
  return preview.value;
};

const faultOf = (message: string, smartEncoding = false) => {
  const result = prepareText(message, smartEncoding);
  return result.ok ? undefined : { pointer: result.error.pointer, code: result.error.code };
};

test("a message is brought to NFC before it is counted", () => {
  const result = prepareText("e\u0323".repeat(70), false);
  assert.ok(result.ok);
  assert.equal(result.value.text, "ẹ".repeat(70));
  assert.deepEqual([result.value.encoding, result.value.units, result.value.segments], ["ucs2", 70, 1]);
});

test("characters are replaced only when asked", () => {
  const asWritten = prepareText("₦500", false);
  const smart = prepareText("₦500", true);
  assert.ok(asWritten.ok && smart.ok);
  assert.deepEqual(
    [asWritten.value.text, asWritten.value.encoding, asWritten.value.replacements],
    ["₦500", "ucs2", []],
  );
  assert.deepEqual([smart.value.text, smart.value.encoding], ["N500", "gsm7"]);
  assert.deepEqual(smart.value.replacements, [{ character: "₦", index: 0, replacement: "N" }]);
});

test("an empty message is refused, also one that smart encoding leaves empty", () => {
  const empty = { pointer: "/message", code: "too_short" };
  assert.deepEqual(faultOf(""), empty);
  assert.deepEqual(faultOf("\u200b", true), empty);
  assert.equal(faultOf("\u200b"), undefined);
});

test("ten segments are accepted and one unit more is too long, in both encodings", () => {
  assert.equal(faultOf("a".repeat(1530)), undefined);
  assert.equal(faultOf("ẹ".repeat(670)), undefined);
  const tooLong = { pointer: "/message", code: "message_too_long" };
  assert.deepEqual(faultOf("a".repeat(1531)), tooLong);
  assert.deepEqual(faultOf("ẹ".repeat(671)), tooLong);
});

test("a text that could fit in no form is refused by its length alone, and one that could is looked at", (context) => {
  // Four code units become one: the most that NFC makes of one character.
  const shrinking = "\u03b1\u0313\u0300\u0345";
  assert.equal(faultOf(shrinking.repeat(670)), undefined);
  const normalize = context.mock.method(String.prototype, "normalize");
  assert.deepEqual(faultOf("a".repeat(6_121)), { pointer: "/message", code: "message_too_long" });
  assert.equal(normalize.mock.callCount(), 0);
});

test("more combining marks in a row than any script writes are refused, in a preview too", () => {
  const text = `a${"\u0334".repeat(31)}`;
  assert.deepEqual(faultOf(text), { pointer: "/message", code: "too_many_marks" });
  assert.equal(faultOf(text.slice(0, -1)), undefined);
  const preview = previewText(text, true);
  assert.equal(preview.ok ? undefined : preview.error.code, "too_many_marks");
});

test("a preview names every character that forces UCS-2, counted in UTF-16 units, and suggests what avoids it", () => {
  const preview = previewOf("{₦} isn’t", false);
  assert.equal(preview.encoding, "ucs2");
  assert.deepEqual(preview.nonGsmCharacters, [
    { character: "₦", index: 1 },
    { character: "’", index: 7 },
  ]);
  assert.equal(preview.suggestion?.text, "{N} isn't");
  assert.equal(preview.suggestion?.segments, 1);
  assert.equal(preview.suggestion?.replacements.length, 2);
});

test("an emoji before another character moves its index by two, and there is no suggestion that would not help", () => {
  const preview = previewOf("😀ẹ₦", false);
  assert.deepEqual(
    preview.nonGsmCharacters.map(({ index }) => index),
    [0, 2, 3],
  );
  assert.equal(preview.suggestion, undefined);
});

test("a preview of a text that is GSM 7 bit, or becomes so as asked, has nothing to name or suggest", () => {
  for (const preview of [previewOf("Hello", false), previewOf("₦500", true)]) {
    assert.deepEqual([preview.encoding, preview.nonGsmCharacters, preview.suggestion], ["gsm7", [], undefined]);
  }
});

test("a preview counts texts that are too long to be sent, and empty ones", () => {
  assert.equal(previewOf("a".repeat(1531), false).segments, 11);
  assert.equal(previewOf("", false).segments, 1);
});

const SENDERS: readonly (readonly [from: string, stored: string | null])[] = [
  ["Afara", "Afara"],
  ["My Shop 24", "My Shop 24"],
  ["A1B", "A1B"],
  ["ElevenChars", "ElevenChars"],
  ["TwelveChars1", null],
  ["AB", null],
  ["Shop-24", null],
  ["Ọjà", null],
  ["", null],
  ["   ", null],
  ["12", null],
  ["123", "123"],
  ["32811", "32811"],
  ["+2348031234567", "2348031234567"],
  ["08031234567", "2348031234567"],
  ["0803 123 4567", "2348031234567"],
  ["2348031234567", "2348031234567"],
  ["+23408031234567", "2348031234567"],
  ["+447911123456", "447911123456"],
  ["447911123456", null],
  ["+0123456789", null],
  ["Line\nBreak", null],
  ["Afara ", null],
  [" Afara", null],
  ["My  Shop", null],
  ["   a", null],
  ["Afara\u00a0", null],
];
for (const [from, stored] of SENDERS) {
  test(`sender ${JSON.stringify(from)} is ${stored === null ? "refused" : `stored as ${stored}`}`, () => {
    const result = parseSender(from);
    assert.equal(result.ok ? result.value : null, stored);
    if (!result.ok) assert.deepEqual([result.error.pointer, result.error.code], ["/from", "sender_form"]);
  });
}

test("a sender is told of its stray spaces, which it can't see", () => {
  for (const from of ["Afara ", " Afara", "My  Shop", "   "]) {
    const result = parseSender(from);
    assert.match(result.ok ? "" : result.error.detail, /no space at its start or end/);
  }
});

const NOW = new Date("2026-11-27T12:00:00.000Z");
const AHEAD: readonly (readonly [mode: "live" | "test", aheadMs: number, allowed: boolean])[] = [
  ["live", 59_999, false],
  ["live", 60_000, true],
  ["live", 30 * 86_400_000, true],
  ["live", 30 * 86_400_000 + 1, false],
  ["live", -1, false],
  ["live", Number.NaN, false],
  ["test", 999, false],
  ["test", 1_000, true],
  ["test", 30 * 86_400_000 + 1, false],
];
for (const [mode, aheadMs, allowed] of AHEAD) {
  test(`send_at ${aheadMs} ms ahead is ${allowed ? "allowed" : "refused"} in ${mode} mode`, () => {
    const fault = sendAtFault(new Date(NOW.getTime() + aheadMs), NOW, mode);
    assert.deepEqual(fault && [fault.pointer, fault.code], allowed ? undefined : ["/send_at", "out_of_range"]);
  });
}

test("a message expires its validity after it starts", () => {
  assert.deepEqual(expiresAt(NOW, 4320), new Date("2026-11-30T12:00:00.000Z"));
});
