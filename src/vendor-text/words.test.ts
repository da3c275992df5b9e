import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { quoted, shortWords, wordOf } from "./words.ts";

const TOKEN = "12345678901234567890";

test("wherever a text with a token is cut, no more than four digits of the token are seen", () => {
  fc.assert(
    fc.property(fc.nat(230), fc.integer({ min: 1, max: 230 }), (before, max) => {
      for (const words of [shortWords("x".repeat(before) + TOKEN, max), quoted("x".repeat(before) + TOKEN)])
        assert.ok(words.replaceAll(/\D/g, "").length <= 4, words);
    }),
  );
});

test("a word is quoted with what would break a line or hide it shown as such, and a token in it hidden all the same", () => {
  assert.equal(quoted("re\nsolved"), '"re\\nsolved"');
  assert.equal(quoted("1234\t5678\t9012\t3456\t7890"), '"**** **** **** **** 7890"');
});

test("words stay as they are up to their length", () => {
  assert.equal(shortWords("016 TRANSACTION FAILED"), "016 TRANSACTION FAILED");
  assert.equal(shortWords("x".repeat(300)).length, 200);
});

test("a value of any kind is a word, whatever members it has", () => {
  for (const [value, word] of [
    ["SUCCESSFUL", "SUCCESSFUL"],
    [true, "true"],
    [undefined, "undefined"],
    [{ toString: false }, "an object"],
    [[{ toString: 1 }], "a list"],
  ] as const)
    assert.equal(wordOf(value), word);
});
