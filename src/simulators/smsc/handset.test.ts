import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeGsm7Unpacked, isGsm7 } from "../../kernel/gsm7.ts";
import { SEGMENT_CAPACITY, splitText } from "../../kernel/segments.ts";
import { concatHeader, ESM_CLASS_UDHI } from "../../providers/smpp/wire/concat.ts";
import { Handsets } from "./handset.ts";
import type { SubmitLine } from "./log.ts";
import { submitLine } from "./rig.ts";

const PHONE = "2348031234567";
const AT = "2026-11-27T12:00:01.000Z";

/** The lines a text comes in as: GSM or UCS-2, split with an 8-bit reference. */
function linesOf(text: string, reference = 7, more: Partial<SubmitLine> = {}): SubmitLine[] {
  const encoding = isGsm7(text) ? "gsm7" : "ucs2";
  const parts = splitText(text, encoding, SEGMENT_CAPACITY[encoding]);
  const total = parts.length;
  return parts.map((part, index) => {
    const body = encoding === "gsm7" ? encodeGsm7Unpacked(part) : Buffer.from(part, "utf16le").swap16();
    const header = concatHeader({ reference, total, part: index + 1, referenceBits: 8 });
    return submitLine({
      dataCoding: encoding === "gsm7" ? 0 : 8,
      ...(total === 1
        ? { shortMessage: body.toString("hex") }
        : {
            esmClass: ESM_CLASS_UDHI,
            shortMessage: Buffer.concat([header, body]).toString("hex"),
            concatenation: { reference, total, index: index + 1 },
          }),
      ...more,
    });
  });
}

function shownAfter(lines: readonly SubmitLine[]): { text: string; parts: number; repeats?: number }[] {
  const handsets = new Handsets();
  for (const line of lines) handsets.receive(line, AT);
  return handsets
    .messages(PHONE)
    .map(({ text, parts, repeats }) => ({ text, parts, ...(repeats === undefined ? {} : { repeats }) }));
}

for (const [name, text, parts] of [
  ["161 characters of the GSM alphabet", "a".repeat(161), 2],
  ["€ at the end of the first part", `${"a".repeat(152)}€${"b".repeat(100)}`, 2],
  ["every extension character", "^{}\\[~]|€\f".repeat(17), 3],
  ["₦, which is UCS-2", `You paid ₦5000. ${"x".repeat(60)}`, 2],
  ["an emoji at the end of the first part", `${"ẹ".repeat(66)}😀${"ọ".repeat(60)}`, 2],
  ["Yoruba with tone marks", "Ẹ kú àárọ̀ o, ṣé àlàáfíà ni? ".repeat(4).normalize("NFC"), 2],
] as const)
  test(`a text with ${name} is shown as it was written, in whatever order its parts come`, () => {
    const lines = linesOf(text);
    assert.equal(lines.length, parts);
    assert.deepEqual(shownAfter(lines), [{ text, parts }]);
    assert.deepEqual(shownAfter(lines.toReversed()), [{ text, parts }]);
  });

test("any text is shown once and whole when its parts come in any order, some of them twice", () => {
  const anyText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(anyText, fc.infiniteStream(fc.nat()), (text, numbers) => {
      const lines = linesOf(text);
      if (lines.length === 1) return;
      const pick = (below: number): number => numbers.next().value % below;
      const shuffled = lines.map((line) => [pick(1_000), line] as const).sort(([a], [b]) => a - b);
      const repeated = shuffled.map(([, line]) => line);
      repeated.splice(pick(repeated.length + 1), 0, lines[pick(lines.length)]!);
      assert.deepEqual(shownAfter(repeated), [{ text, parts: lines.length, repeats: 1 }]);
    }),
  );
});

test("a message is not shown while a part is missing", () => {
  const [first, , third] = linesOf("a".repeat(400));
  assert.deepEqual(shownAfter([first!, third!]), []);
});

test("the same reference with another text is another message", () => {
  const one = linesOf("a".repeat(200));
  const other = linesOf("b".repeat(200));
  assert.deepEqual(shownAfter([...one, ...other]), [
    { text: "b".repeat(200), parts: 2 },
    { text: "a".repeat(200), parts: 2 },
  ]);
});

test("parts of two orders with one reference are kept apart although they come mixed", () => {
  const [a1, a2] = linesOf("a".repeat(200), 7, { trace: { orderId: "a", attempt: 1, piece: 0 } });
  const [b1, b2] = linesOf("b".repeat(200), 7, { trace: { orderId: "b", attempt: 1, piece: 0 } });
  assert.deepEqual(shownAfter([a1!, b2!, b1!, a2!]), [
    { text: "b".repeat(200), parts: 2 },
    { text: "a".repeat(200), parts: 2 },
  ]);
});

test("a short message that comes twice is shown twice, as a phone does", () => {
  assert.equal(shownAfter([...linesOf("hello"), ...linesOf("hello")]).length, 2);
});

test("asked for some orders, a handset shows their messages only", () => {
  const handsets = new Handsets();
  for (const orderId of ["a", "b"]) handsets.receive(submitLine({ trace: { orderId, attempt: 1, piece: 0 } }), AT);
  handsets.receive(submitLine(), AT);
  assert.deepEqual(
    handsets.messages(`+${PHONE}`, new Set(["b"])).map(({ orderId }) => orderId),
    ["b"],
  );
  assert.equal(handsets.messages(PHONE).length, 3);
});

test("a phone keeps its newest 200 messages", () => {
  const handsets = new Handsets();
  for (let count = 0; count < 250; count++)
    handsets.receive(submitLine({ shortMessage: Buffer.from(String(count)).toString("hex") }), AT);
  const messages = handsets.messages(PHONE);
  assert.deepEqual([messages.length, messages[0]?.text, messages.at(-1)?.text], [200, "249", "50"]);
});

test("all phones together keep their newest 50,000 messages", () => {
  const handsets = new Handsets();
  for (let count = 0; count < 50_002; count++)
    handsets.receive(submitLine({ destination: String(2348030000000 + count) }), AT);
  const kept = [0, 1, 2, 50_001].map((count) => handsets.messages(String(2348030000000 + count)).length);
  assert.deepEqual(kept, [0, 0, 1, 1]);
});
