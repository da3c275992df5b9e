import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../../kernel/ids.ts";
import { baseReference, ConcatReferences } from "./concat-references.ts";

const attempt = (recipient = "2348031234567", orderId = newUuid(), number = 1) => ({
  orderId,
  attempt: number,
  recipient,
});

test("of a hundred messages to one recipient no two have the same reference", () => {
  const references = new ConcatReferences(8);
  const given = Array.from({ length: 100 }, () => references.of(attempt()));
  assert.equal(new Set(given).size, 100);
  assert.ok(given.every((reference) => reference >= 0 && reference <= 255));
});

test("any number of messages one after another differ from the 128 before", () => {
  const references = new ConcatReferences(8);
  const given = Array.from({ length: 1_000 }, () => references.of(attempt()));
  for (let at = 0; at < given.length; at++) assert.ok(!given.slice(Math.max(0, at - 127), at).includes(given[at]!));
});

test("a part that is sent again has the reference of the others, another attempt one of its own", () => {
  const references = new ConcatReferences(8);
  const first = attempt();
  const reference = references.of(first);
  for (let other = 0; other < 50; other++) references.of(attempt());
  assert.equal(references.of(first), reference);
  assert.notEqual(references.of({ ...first, attempt: 2 }), reference);
});

test("what nothing stands against is the function of order and attempt that another node has too", () => {
  for (const bits of [8, 16] as const) {
    const task = attempt();
    assert.equal(new ConcatReferences(bits).of(task), baseReference(task) % 2 ** bits);
    assert.equal(new ConcatReferences(bits).of(task), new ConcatReferences(bits).of(task));
  }
});

test("other recipients do not matter to each other, and no more than the last are remembered", () => {
  const references = new ConcatReferences(8);
  const [one, other] = [attempt("2348030000001"), attempt("2348030000002")];
  references.of(one);
  assert.equal(references.of({ ...other, orderId: one.orderId }), baseReference(one) % 256);
  assert.equal(references.of({ ...other, orderId: one.orderId, attempt: 257 }), (baseReference(one) + 1) % 256);
  for (let number = 0; number < 6_000; number++) references.of(attempt(`23480400${number}`));
  // 256 attempts later the function gives the same again: nobody remembers that it is taken.
  assert.equal(references.of({ ...one, attempt: 257 }), baseReference(one) % 256);
});
