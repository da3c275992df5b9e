import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid, type Uuid } from "./ids.ts";
import { firstSpanOf, newSpanId, readTraceparent } from "./trace.ts";

const ID = "0192a3b4-c5d6-7e8f-9012-3456789abcde" as Uuid;
const [TRACE, SPAN] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];

test("the id of an order is the id of its trace, and its second half that of the first span", () => {
  assert.deepEqual(firstSpanOf(ID), { traceId: "0192a3b4c5d67e8f90123456789abcde", spanId: "90123456789abcde" });
});

test("a span's id is 16 hexadecimal digits, never all zero, and never the same twice", () => {
  const zero = firstSpanOf("00000000-0000-7000-8000-000000000000" as Uuid);
  assert.equal(zero.spanId, "8000000000000000");
  const ids = Array.from({ length: 1_000 }, newSpanId);
  for (const id of ids) assert.match(id, /^[89ab][0-9a-f]{15}$/);
  assert.equal(new Set(ids).size, ids.length);
  const orders = Array.from({ length: 1_000 }, () => firstSpanOf(newUuid()).spanId);
  assert.equal(new Set(orders).size, orders.length);
});

for (const flags of ["00", "01", "ff"])
  test(`a traceparent with the flags ${flags} is a caller's span`, () => {
    assert.deepEqual(readTraceparent(`00-${TRACE}-${SPAN}-${flags}`), { traceId: TRACE, spanId: SPAN });
  });

test("a traceparent of a later version may say more", () => {
  assert.deepEqual(readTraceparent(`01-${TRACE}-${SPAN}-01-more`), { traceId: TRACE, spanId: SPAN });
});

for (const [what, header] of [
  ["none", undefined],
  ["two headers", [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`]],
  ["two headers in one", `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ["empty", ""],
  ["upper case", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ["a trace of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
  ["a span of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
  ["version ff", `ff-${TRACE}-${SPAN}-01`],
  ["more than version 00 has", `00-${TRACE}-${SPAN}-01-more`],
  ["a short trace", `00-${TRACE.slice(1)}-${SPAN}-01`],
  ["no flags", `00-${TRACE}-${SPAN}`],
  ["a line of its own", `00-${TRACE}-${SPAN}-01\n`],
] as const)
  test(`a traceparent that is ${what} counts as none`, () => {
    assert.equal(readTraceparent(header), undefined);
  });
