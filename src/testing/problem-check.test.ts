import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleOf } from "../http/error-pages.ts";
import { ALL_PROBLEMS } from "./all-problems.ts";
import { problemFault } from "./problem-check.ts";

test("the examples of all codes are problems as they are documented", () => {
  for (const code of ALL_PROBLEMS.codes) assert.equal(problemFault(exampleOf(code)), undefined);
});

test("a member that is not documented, or is of another type, is a fault", () => {
  const example = exampleOf("insufficient_balance") as Record<string, unknown>;
  assert.match(problemFault({ ...example, wanted: 1 }) ?? "", /^insufficient_balance: .*unevaluated/);
  assert.match(problemFault({ ...example, available: "1.20" }) ?? "", /available must be object/);
  assert.match(problemFault({ ...example, code: "none" }) ?? "", /no documented code/);
});
