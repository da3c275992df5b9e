import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { normaliseText, SEGMENT_CAPACITY, type Segmentation, segmentText, splitText } from "./segments.ts";

const brief = ({ encoding, units, segments }: Segmentation) => [encoding, units, segments];

const parts = (text: string) => {
  const { encoding } = segmentText(text);
  return splitText(text, encoding, SEGMENT_CAPACITY[encoding]);
};

const a = (count: number) => "a".repeat(count);
const e = (count: number) => "ẹ".repeat(count);

const COUNTED: readonly (readonly [name: string, text: string, ...expected: [string, number, number]])[] = [
  ["nothing", "", "gsm7", 0, 1],
  ["160 × a", a(160), "gsm7", 160, 1],
  ["161 × a", a(161), "gsm7", 161, 2],
  ["306 × a", a(306), "gsm7", 306, 2],
  ["307 × a", a(307), "gsm7", 307, 3],
  ["158 × a and €", `${a(158)}€`, "gsm7", 160, 1],
  ["159 × a and €", `${a(159)}€`, "gsm7", 161, 2],
  ["80 × {", "{".repeat(80), "gsm7", 160, 1],
  ["81 × {", "{".repeat(81), "gsm7", 162, 2],
  ["an escape pair across the end of part 1", `${a(152)}[${a(152)}`, "gsm7", 306, 3],
  ["an escape pair right after the end of part 1", `${a(153)}[${a(151)}`, "gsm7", 306, 2],
  ["153 × ]", "]".repeat(153), "gsm7", 306, 3],
  ["ten full parts", a(1530), "gsm7", 1530, 10],
  ["one character more than ten full parts", a(1531), "gsm7", 1531, 11],
  ["70 × ẹ", e(70), "ucs2", 70, 1],
  ["71 × ẹ", e(71), "ucs2", 71, 2],
  ["134 × ẹ", e(134), "ucs2", 134, 2],
  ["135 × ẹ", e(135), "ucs2", 135, 3],
  ["35 × 😀", "😀".repeat(35), "ucs2", 70, 1],
  ["36 × 😀", "😀".repeat(36), "ucs2", 72, 2],
  ["a surrogate pair across the end of part 1", `${e(66)}😀${e(66)}`, "ucs2", 134, 3],
  ["a surrogate pair right after the end of part 1", `${e(67)}😀${e(65)}`, "ucs2", 134, 2],
  ["a naira sign", "You paid ₦5000", "ucs2", 14, 1],
  ["a curly apostrophe", "Don’t", "ucs2", 5, 1],
  ["70 extension characters and a naira sign", `${"{".repeat(69)}₦`, "ucs2", 70, 1],
];

for (const [name, text, ...expected] of COUNTED) {
  test(`${name}: ${expected.join(", ")}`, () => {
    assert.deepEqual(brief(segmentText(text)), expected);
    assert.equal(parts(text).length, expected[2]);
  });
}

test("a decomposed letter counts as its one composed character", () => {
  assert.equal(normaliseText("e\u0323"), "ẹ");
  assert.equal(normaliseText("e\u0323\u0301"), "ẹ\u0301");
  assert.equal(normaliseText("a\r\nb"), "a\r\nb");
});

test("30 combining marks in a row are normalised, and 31 are refused wherever they stand", () => {
  const marks = (count: number) => "\u0345\u0334".repeat(count).slice(0, count);
  for (const [before, after] of [
    ["", ""],
    ["a", "b"],
    [`a${marks(30)}b`, `c${marks(30)}`],
  ]) {
    assert.notEqual(normaliseText(`${before}${marks(30)}${after === "" ? "" : "-"}`), undefined);
    assert.equal(normaliseText(`${before}${marks(31)}${after}`), undefined);
  }
});

test("a long text of the longest runs is normalised, as its work grows with its length alone", () => {
  const run = `a${"\u0345".repeat(15)}${"\u0334".repeat(15)}`;
  assert.equal(normaliseText(run.repeat(40_000))?.length, run.length * 40_000);
});

test("a joined emoji that fits whole into the next part is not cut", () => {
  const family = "👨‍👩‍👧"; // 8 code units
  assert.deepEqual(parts(`${e(60)}${family}${e(10)}`), [e(60), `${family}${e(10)}`]);
});

test("a tone mark stays with its letter at the end of a part", () => {
  assert.deepEqual(parts(`${e(66)}ọ\u0301${e(10)}`), [e(66), `ọ\u0301${e(10)}`]);
});

test("a joined emoji is cut between its code points when keeping it whole would charge one part more", () => {
  const family = "👨‍👩‍👧";
  const text = `${e(61)}${family}${e(65)}`; // exactly two full parts
  assert.deepEqual(brief(segmentText(text)), ["ucs2", 134, 2]);
  assert.deepEqual(parts(text), [`${e(61)}👨‍👩‍`, `👧${e(65)}`]);
});

test("room that a surrogate pair leaves empty in a later part counts when a grapheme asks to be moved", () => {
  // Moving ọ́ whole to the second part would push 😀 to the third, which then holds six.
  const text = "eeeeọ\u0301ee😀eeee";
  assert.deepEqual(splitText(text, "ucs2", { single: 9, multi: 5 }), ["eeeeọ", "\u0301ee😀", "eeee"]);
});

test("as many letters as there are units left can be added before another segment is charged", () => {
  const someText = fc.oneof(fc.string({ maxLength: 500 }), fc.string({ unit: "grapheme", maxLength: 300 }));
  fc.assert(
    fc.property(someText, (text) => {
      const { segments, unitsLeft } = segmentText(text);
      assert.equal(segmentText(text + a(unitsLeft)).segments, segments);
      assert.ok(segmentText(text + a(unitsLeft + 1)).segments > segments);
    }),
  );
});

const GSM_LETTERS = [..."abcdefghij .,0123456789@ÇèΩ\r\n"];
const GSM_EXTENSION = [..."^{}\\[~]|€\f"];
const YORUBA_LETTERS = ["ẹ", "ọ", "ṣ", "à", "á", "ò", "ẹ\u0301", "ọ\u0300", "n\u0301", "k", "b", " "];
const EMOJI = ["😀", "👍🏾", "👨‍👩‍👧", "🇳🇬", "❤️", "👩🏾‍🚀"];

const textOf = (units: readonly string[], unitsMax: number) =>
  fc.array(fc.constantFrom(...units), { maxLength: unitsMax }).map((characters) => characters.join(""));

/** Long runs of one letter before something wide put the wide thing at the end of a part, where the rules bite. */
const atPartEnds = (letter: string, near: number, wide: readonly string[]) =>
  fc
    .array(fc.tuple(fc.integer({ min: near - 8, max: near + 2 }), fc.constantFrom(...wide)), {
      minLength: 1,
      maxLength: 5,
    })
    .map((runs) => runs.map(([count, character]) => letter.repeat(count) + character).join(""));

const gsmText = fc.oneof(textOf([...GSM_LETTERS, ...GSM_EXTENSION], 700), atPartEnds("a", 153, GSM_EXTENSION));
const ucs2Text = fc.oneof(
  textOf(YORUBA_LETTERS, 400),
  textOf([...YORUBA_LETTERS, ...EMOJI], 200),
  textOf([...GSM_LETTERS, ...GSM_EXTENSION, "₦"], 400),
  atPartEnds("ẹ", 67, [...EMOJI, "ọ\u0301"]),
);
const anyText = fc
  .oneof(gsmText, ucs2Text, fc.string({ unit: "grapheme", maxLength: 300 }))
  .map((text) => text.normalize("NFC"));
const anyCapacity = fc.integer({ min: 2, max: 70 }).map((multi) => ({ single: multi + 7, multi }));

test("parts put together are the text, as many as are charged, and none holds more than it may", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { encoding, segments } = segmentText(text);
      const { single, multi } = SEGMENT_CAPACITY[encoding];
      const texts = splitText(text, encoding, SEGMENT_CAPACITY[encoding]);
      assert.equal(texts.join(""), text);
      assert.equal(texts.length, segments);
      for (const part of texts) {
        const units = encoding === "gsm7" ? segmentText(part).units : part.length;
        assert.ok(units <= (texts.length === 1 ? single : multi));
      }
    }),
    { numRuns: 500 },
  );
});

test("no part of well-formed text begins or ends with half a surrogate pair, whatever parts can hold", () => {
  fc.assert(
    fc.property(ucs2Text, anyCapacity, (text, capacity) => {
      for (const part of splitText(text, "ucs2", capacity)) assert.ok(part.isWellFormed());
    }),
    { numRuns: 500 },
  );
});

/** Long enough for many parts, with a capacity that often ends in the middle of a pair. */
const wideText = fc.oneof(
  ucs2Text,
  fc.array(fc.constantFrom(...EMOJI, "ẹ"), { minLength: 10, maxLength: 60, size: "max" }).map((text) => text.join("")),
);
const narrowCapacity = fc.integer({ min: 2, max: 24 }).map((multi) => ({ single: multi + 7, multi }));

test("a grapheme is cut only where moving it whole to the next part would make one part more", () => {
  /** Parts by filling each with as many code points as fit: written without the code under test. */
  const plainCount = (text: string, unitsMax: number) => {
    let count = 1;
    let units = 0;
    for (const character of text) {
      if (units + character.length > unitsMax) {
        count += 1;
        units = 0;
      }
      units += character.length;
    }
    return count;
  };
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  let moved = 0;
  let cut = 0;
  fc.assert(
    fc.property(wideText, fc.oneof(anyCapacity, narrowCapacity), (text, capacity) => {
      const texts = splitText(text, "ucs2", capacity);
      if (text.length > capacity.single) assert.equal(texts.length, plainCount(text, capacity.multi));
      const graphemes = segmenter.segment(text);
      let start = 0;
      for (const [index, part] of texts.slice(0, -1).entries()) {
        start += part.length;
        const graphemeStart = graphemes.containing(start)!.index;
        if (part.length < capacity.multi - 1) moved += 1;
        if (graphemeStart === start) continue;
        cut += 1;
        assert.ok(plainCount(text.slice(graphemeStart), capacity.multi) > texts.length - index - 1);
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(moved > 0 && cut > 0, `both cases were met (moved ${moved}, cut ${cut})`);
});
