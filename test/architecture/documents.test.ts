import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { brokenLinks, readDocuments } from "./documents.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const documents = readDocuments(ROOT);

test("every link of a document leads to a file that is there, and to a heading in it", () => {
  assert.ok(documents.length > 100);
  assert.deepEqual(
    documents.flatMap((document) => brokenLinks(document, ROOT)),
    [],
  );
});

for (const [link, isBroken] of [
  ["README.md", false],
  ["docs/operations/running.md#ports", false],
  ["docs/errors/", false],
  ["https://example.ng/x", false],
  ["docs/operations/running.md#nothing", true],
  ["docs/nothing.md", true],
  ["/docs/errors/rate_limited", true],
  ["#nothing", true],
] as const)
  test(`a link to ${link} is ${isBroken ? "" : "not "}found broken`, () => {
    const found = brokenLinks({ path: "x.md", text: `# X\n\n[words](${link})\n` }, ROOT);
    assert.equal(found.length === 1, isBroken);
  });
