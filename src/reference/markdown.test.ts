import assert from "node:assert/strict";
import { test } from "node:test";
import { type LinkTo, markdownToHtml } from "./markdown.ts";

const CASES: readonly [name: string, markdown: string, html: string][] = [
  ["a heading", "## What to *do*", '<h2 id="what-to-do">What to <em>do</em></h2>'],
  ["a heading with code", "## The `to` of it?", '<h2 id="the-to-of-it">The <code>to</code> of it?</h2>'],
  ["a heading that comes again", "# A\n# A", '<h1 id="a">A</h1>\n<h1 id="a-1">A</h1>'],
  ["a paragraph over two lines", "one\ntwo", "<p>one\ntwo</p>"],
  ["a list", "- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"],
  ["a list that goes on in its second line", "1. a\n   b", "<ol>\n<li>a\nb</li>\n</ol>"],
  [
    "code, strong and a link",
    "`a<b` **c** [`d`](/e#f)",
    '<p><code>a&lt;b</code> <strong>c</strong> <a href="/e#f"><code>d</code></a></p>',
  ],
  ["fenced code", "```json\n{\n\n}\n```", '<pre tabindex="0"><code>{\n\n}</code></pre>'],
  [
    "a table",
    "| a | |\n| --- | --- |\n| 1 | `2\\|3` |",
    '<table tabindex="0"><thead><tr><th scope="col">a</th><td></td></tr></thead><tbody><tr><td>1</td><td><code>2|3</code></td></tr></tbody></table>',
  ],
  ["markup in text", 'a <b>"&"</b>', "<p>a &lt;b&gt;&quot;&amp;&quot;&lt;/b&gt;</p>"],
  ["markup of its own", '<script>"&"</script>', "&lt;script&gt;&quot;&amp;&quot;&lt;/script&gt;"],
  ["markup in code's language", '```"><b>\nx\n```', '<pre tabindex="0"><code>x</code></pre>'],
  ["a link that is no path", "[x](javascript:alert)", "<p>x</p>"],
  ["a link with a quote", '[x](/a"b)', '<p><a href="/a&quot;b">x</a></p>'],
  ["a picture", "![x](y.png)", "<p>x</p>"],
];
for (const [name, markdown, html] of CASES) {
  test(`${name} becomes HTML`, () => assert.equal(markdownToHtml(markdown).trimEnd(), html));
}

test("a link goes where the page's own rule says, and keeps its words where that is nowhere", () => {
  const linkTo: LinkTo = (href) => (href === "a.md" ? "/docs/a" : undefined);
  assert.equal(markdownToHtml("[a](a.md) [b](b.md)", linkTo), '<p><a href="/docs/a">a</a> b</p>\n');
});
