import assert from "node:assert/strict";
import { test } from "node:test";
import { callByName } from "./call-by-name.ts";

const call = callByName<{ readonly a: number }>("f", { p_a: ({ a }) => a, p_b: "now()", p_c: ({ a }) => a + 1 }, 3);

test("a call by name has a placeholder for each value, and an expression as it is", () => {
  assert.equal(call.text, "f(p_a => $3, p_b => now(), p_c => $4)");
});

test("values come in the order of their placeholders", () => {
  assert.deepEqual(call.values({ a: 7 }), [7, 8]);
});

test("a statement may use a value of the call once more", () => {
  assert.equal(call.placeholder("p_c"), "$4");
  assert.throws(() => call.placeholder("p_b"), /f has no value for p_b/);
});
