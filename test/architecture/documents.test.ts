import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { wrapMarkdown } from "../../scripts/wrap-markdown.ts";
import {
  brokenLinks,
  faultsOfFolderTable,
  longLines,
  missingNames,
  missingPaths,
  PROSE_COLUMNS_MAX,
  readDocuments,
} from "./documents.ts";
import { readSources } from "./sources.ts";

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

test("no page that is pasted names a payment by a fixed id, which a second page, or the same one again, would meet as used", () => {
  const pasted = documents.filter(({ path }) => /^docs\/(?:guides|operations)\//.test(path));
  const fixed = pasted.flatMap(({ path, text }) =>
    [...text.matchAll(/^\.\/afara wallet .*--id (?!"?\$).*$/gm)].map(([line]) => `${path}: ${line}`),
  );
  assert.deepEqual(fixed, []);
});

test(`prose in documents has ${PROSE_COLUMNS_MAX} columns at most; \`npm run format\` wraps it`, () => {
  assert.deepEqual(documents.flatMap(longLines), []);
});

test("a long line of prose is found, and one of a table, of code or of a link alone is not", () => {
  const long = "word ".repeat(30).trim();
  const text = `${long}\n| ${long} |\n\`\`\`sh\n${long}\n\`\`\`\n- [x](${"y".repeat(130)})\n`;
  assert.deepEqual(longLines({ path: "x.md", text }), ["x.md:1 has 149 columns"]);
});

const words = (count: number, from = "word"): string => Array<string>(count).fill(from).join(" ");

for (const [name, text, wrapped] of [
  ["a paragraph", `${words(30)}\n`, `${words(24)}\n${words(6)}\n`],
  ["an entry of a list", `- ${words(30)}\n- x\n`, `- ${words(23)}\n  ${words(7)}\n- x\n`],
  ["a numbered entry", `12. ${words(30)}\n`, `12. ${words(23)}\n    ${words(7)}\n`],
  ["what is short", "one\ntwo\n", "one\ntwo\n"],
  ["a table", `| ${words(30)} |\n`, `| ${words(30)} |\n`],
  ["code", `\`\`\`sh\n${words(30)}\n\`\`\`\n`, `\`\`\`sh\n${words(30)}\n\`\`\`\n`],
  ["a heading", `## ${words(30)}\n`, `## ${words(30)}\n`],
  ["spaces in code", `${words(24)} \`a b\` ${words(3)}\n`, `${words(24)}\n\`a b\` ${words(3)}\n`],
  ["what would begin a list", `${words(23)} xxxx - ${words(3)}\n`, `${words(23)}\nxxxx - ${words(3)}\n`],
] as const)
  test(`wrapping treats ${name} as it should, and a second time changes nothing`, () => {
    assert.equal(wrapMarkdown(text), wrapped);
    assert.equal(wrapMarkdown(wrapped), wrapped);
  });

const sources = readSources(ROOT).filter(({ path }) => path.startsWith("src/"));
for (const path of ["docs/ARCHITECTURE.md", "docs/LIFE-OF-AN-ORDER.md"])
  test(`every path and every name of code in ${path} is one of the code as it is`, () => {
    const document = documents.find((each) => each.path === path)!;
    assert.deepEqual([...missingPaths(document, ROOT), ...missingNames(document, sources)], []);
  });

test("a path that leads nowhere and a name that is in no source are found", () => {
  const text = "`src/main.ts` `src/orders/decide*.ts` `src/gone.ts` `makeThing().send` `#oldName` and `a plain word`\n";
  const document = { path: "x.md", text };
  assert.deepEqual(missingPaths(document, ROOT), ["src/gone.ts"]);
  assert.deepEqual(missingNames(document, [{ code: "const makeThing = 1;" }]), ["oldName"]);
});

test("the folder table of ARCHITECTURE.md lists what is in src, each once", () => {
  const text = documents.find(({ path }) => path === "docs/ARCHITECTURE.md")?.text ?? "";
  assert.deepEqual(faultsOfFolderTable(text, globSync("*", { cwd: join(ROOT, "src") })), []);
});

test("a folder without a row, a row without a folder and a second row are faults of the folder table", () => {
  const table = "| `src/a/` | a |\n| `src/main.ts` | starts |\n| `src/gone/` | it was |\n| `src/a/` | a again |\n";
  assert.deepEqual(faultsOfFolderTable(table, ["a", "b", "main.ts"]), [
    "src/b has no row",
    "src/gone is not there",
    "src/a has two rows",
  ]);
});
