import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { preferredType } from "./accept.ts";

const OFFERED = ["application/json", "text/html", "application/pdf"] as const;
const WISHES: readonly (readonly [accept: string | undefined, type: string | undefined])[] = [
  [undefined, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["application/pdf", "application/pdf"],
  ["Application/PDF", "application/pdf"],
  ["text/*", "text/html"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", "text/html"],
  ["application/json;q=0.5, application/pdf;q=0.7", "application/pdf"],
  ["application/pdf; version=1.7 ; q = 0.4, application/json;q=0.3", "application/pdf"],
  ["application/json;q=0, */*", "text/html"],
  ["*/*;q=0", undefined],
  ["image/png", undefined],
  ["text/html;q=nonsense", "text/html"],
  ["application/pdf, application/json", "application/pdf"],
  ["application/pdf, */*", "application/pdf"],
  ["text/*, application/json", "application/json"],
];
for (const [accept, type] of WISHES)
  test(`Accept: ${accept ?? "(none)"} gets ${type ?? "nothing"}`, () => {
    assert.equal(preferredType(accept, OFFERED), type);
  });

test("whatever stands in the header, the answer is one of the offers or none", () => {
  fc.assert(
    fc.property(fc.string(), (accept) => {
      const type = preferredType(accept, OFFERED);
      assert.ok(type === undefined || OFFERED.includes(type));
    }),
  );
});
