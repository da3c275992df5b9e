import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { circlesIn } from "./circles.ts";
import { readSources, sourceOf } from "./sources.ts";

const ROOT = join(import.meta.dirname, "..", "..");

test("files import one another in one direction", () => {
  const circles = circlesIn(readSources(ROOT)).map((circle) => circle.join(" → "));
  assert.deepEqual(circles, [], "Move what both need, often a type, into a file that imports neither.");
});

test("a circle is caught, of types as well, and two ways to one file are none", () => {
  const a = sourceOf("src/x/a.ts", 'import { b } from "./b.ts";\nimport { c } from "./c.ts";');
  const b = sourceOf("src/x/b.ts", 'import { c } from "./c.ts";');
  assert.deepEqual(circlesIn([a, b, sourceOf("src/x/c.ts", "export const c = 1;")]), []);
  const c = sourceOf("src/x/c.ts", 'import type { A } from "./a.ts";');
  assert.deepEqual(circlesIn([a, b, c]), [["src/x/a.ts", "src/x/b.ts", "src/x/c.ts", "src/x/a.ts"]]);
});
