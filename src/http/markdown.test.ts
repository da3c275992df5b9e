import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownToHtml } from "./markdown.ts";

const CASES: readonly [name: string, markdown: string, html: string][] = [
  ["a heading", "## What to do", "<h2>What to do</h2>"],
  ["a paragraph over two lines", "one\ntwo", "<p>one two</p>"],
  ["a list", "- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
  [
    "code, strong and a link",
    "`a<b` **c** [d](/e)",
    '<p><code>a&lt;b</code> <strong>c</strong> <a href="/e">d</a></p>',
  ],
  ["fenced code", "```json\n{\n\n}\n```", '<pre tabindex="0"><code>{\n\n}</code></pre>'],
  [
    "a table",
    "| a | b |\n| --- | --- |\n| 1 | `2` |",
    '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table>',
  ],
  ["markup in text", '<script>"&"', "<p>&lt;script&gt;&quot;&amp;&quot;</p>"],
  ["a link that is no path", "[x](javascript:alert)", "<p>[x](javascript:alert)</p>"],
];
for (const [name, markdown, html] of CASES) {
  test(`${name} becomes HTML`, () => assert.equal(markdownToHtml(markdown), html));
}
