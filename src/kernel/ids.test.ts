import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeId, encodeId, newUuid, type Uuid } from "./ids.ts";

test("ids are UUIDv7s, never the same twice, and sort in the order in which they were made", () => {
  const ids = Array.from({ length: 10_000 }, newUuid);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
});

test("an id for people reads back as the UUID it was made of, and sorts like it", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const [a, b] = [encodeId("msg", one as Uuid), encodeId("msg", other as Uuid)];
      assert.match(a, /^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      assert.equal(decodeId("msg", a), one);
      assert.equal(a < b, one < other);
    }),
  );
});

test("an id of another type, another length, another alphabet or more than 128 bits is no id", () => {
  const id = encodeId("msg", newUuid());
  for (const wrong of [
    id.replace("msg", "pur"),
    `${id}0`,
    id.slice(0, -1),
    `msg_8${id.slice(5)}`,
    `${id.slice(0, -1)}u`,
    "",
  ]) {
    assert.equal(decodeId("msg", wrong), undefined, wrong);
  }
});
