import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeSeal } from "./seal.ts";

const { seal, open } = makeSeal("a secret of the server", "texts v1");

test("whatever is sealed comes out as it went in, and no two seals of it are alike", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.uuid(), (text, id) => {
      assert.equal(open(id, seal(id, text)), text);
      assert.notEqual(seal(id, text), seal(id, text));
    }),
  );
});

test("a seal is opened only for what it belongs to, under its own secret and purpose", () => {
  const sealed = seal("one", "text");
  assert.throws(() => open("another", sealed));
  assert.throws(() => makeSeal("another secret", "texts v1").open("one", sealed));
  assert.throws(() => makeSeal("a secret of the server", "texts v2").open("one", sealed));
});

test("a changed byte is found, wherever it stands", () => {
  const bytes = Buffer.from(seal("one", "text"), "base64");
  for (const [index, byte] of bytes.entries()) {
    const changed = Buffer.from(bytes);
    changed[index] = byte ^ 1;
    assert.throws(() => open("one", changed.toString("base64")), `byte ${index}`);
  }
  assert.throws(() => open("one", bytes.subarray(0, 20).toString("base64")), "cut off");
});
