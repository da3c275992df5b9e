import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { FAILURES } from "../kernel/failures.ts";
import { refusal } from "../kernel/refusal.ts";
import { ALL_PROBLEMS } from "../testing/all-problems.ts";
import { COMMON_REFUSALS } from "./common.refusals.ts";
import { errorPage, exampleOf } from "./error-pages.ts";
import { makeProblems, problemOf } from "./problems.ts";

const { codes, faultCodes, has, kindOf } = ALL_PROBLEMS;
const FOLDER = new URL("../../docs/errors/", import.meta.url);

test("every code has a page and every page has a code", () => {
  const pages = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ""));
  assert.deepEqual(pages.sort(), [...codes, "failures"].sort());
});

for (const code of codes) {
  test(`the page of ${code} shows its title, its status and a body as the gateway sends it`, () => {
    const page = errorPage(code);
    const kind = kindOf(code);
    const { title, status, retryable } = kind;
    assert.ok(page.startsWith(`# ${title}\n\n\`${code}\` · HTTP ${status}\n`));
    for (const part of ["## What happened", "## What to do", "## Worth a retry?", "## Example"]) {
      assert.ok(page.includes(part), part);
    }
    assert.ok(page.includes(retryable ? "\nYes: " : "\nNo: "));
    const example = exampleOf(code);
    assert.ok(typeof example === "object" && example !== null && "detail" in example && "request_id" in example);
    const expected = problemOf(refusal(code, String(example.detail)), String(example.request_id), kind);
    for (const [member, value] of Object.entries(expected)) {
      assert.deepEqual(Object.entries(example).find(([name]) => name === member)?.[1], value, member);
    }
  });
}

test("the page of validation_failed explains every code that a field's fault may have, and no other", () => {
  const table = errorPage("validation_failed")
    .split("\n## ")
    .find((part) => part.startsWith("The codes in"));
  const explained = [...(table ?? "").matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, codes = ""]) =>
    codes.split(", "),
  );
  assert.deepEqual(
    explained.map((code) => code.replaceAll("`", "")).sort(),
    faultCodes.filter((code) => !has(code)).sort(),
  );
});

const MENDERS = { subscriber: "you", recipient: "the recipient", operator: "the operator of the gateway" } as const;

test("the page of failures lists exactly the failures, with their words and who can mend them", () => {
  const page = readFileSync(new URL("failures.md", FOLDER), "utf8");
  const listed = [...page.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map((row) => row.slice(1, 4));
  const expected = Object.entries(FAILURES).map(([code, { what, who }]) => [code, what, MENDERS[who]]);
  assert.deepEqual(listed, expected);
});

test("members of a refusal are added, and errors are there only when there are some", () => {
  assert.ok(!("errors" in problemOf(refusal("not_found", "Gone."), "req_1", kindOf("not_found"))));
  const members = { retryable: false, limit: 5 };
  const more = problemOf(refusal("rate_limited", "Too many.", { members }), "req_1", kindOf("rate_limited"));
  assert.partialDeepStrictEqual(more, { retryable: false, limit: 5, status: 429, request_id: "req_1" });
});

test("a code is of one part alone", () => {
  assert.throws(() => makeProblems([COMMON_REFUSALS, COMMON_REFUSALS]), /only one part brings the code invalid_json/);
});
