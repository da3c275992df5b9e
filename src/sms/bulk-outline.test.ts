import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { outlineOf } from "./bulk-outline.ts";

const outline = (body: unknown, space?: string) => outlineOf(Buffer.from(JSON.stringify(body, null, space)));

test("the recipients of any body are counted as the parser would count them, and its reference is read", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('"', "\\", '\\"', "],[", "{", "}", "to", "messages", ",,,"));
  const body = fc.record(
    {
      to: fc.array(text),
      messages: fc.array(fc.record({ to: text, message: text, reference: text, more: fc.array(text) })),
      message: text,
      metadata: fc.dictionary(fc.constantFrom("to", "messages", "x"), text),
      nested: fc.record({ to: fc.array(text) }),
      reference: fc.stringMatching(/^[a-z0-9 ,[\]{}:-]{1,40}$/),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(body, fc.constantFrom("", " ", "\t"), (value, space) => {
      const { items, reference } = outline(value, space);
      assert.equal(items, (value.to?.length ?? 0) + (value.messages?.length ?? 0));
      assert.equal(reference, value.reference);
    }),
  );
});

test("what is no JSON has an outline too", () => {
  for (const text of ["", '"', '{"to":["', "[[[[", "}}}", '{"to":[1,2', "\\\\\\"]) outlineOf(Buffer.from(text));
  assert.equal(outline({ to: [] }).items, 0);
  assert.equal(outline(["to", "messages"]).items, 0);
});
