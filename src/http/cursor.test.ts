import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newUuid } from "../kernel/ids.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";

test("a cursor leads back to its item, with the same filters in any order", () => {
  const id = newUuid();
  const cursor = encodeCursor(id, { status: "sent", to: "1" });
  assert.match(cursor, /^[\w-]+$/);
  assert.deepEqual(decodeCursor(cursor, { to: "1", status: "sent" }), { ok: true, value: id });
});

test("a cursor of a list with other filters is refused", () => {
  const result = decodeCursor(encodeCursor(newUuid(), { status: "sent" }), { status: "failed" });
  assert.ok(!result.ok);
  assert.equal(result.error.code, "invalid_cursor");
});

test("no text that we did not make is taken for a cursor", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: "binary" })), (text) => {
      assert.equal(decodeCursor(text, {}).ok, false);
    }),
  );
});
