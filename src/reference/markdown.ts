import { Marked, type Tokens } from "marked";
import { escapeHtml, Html } from "./html.ts";

/** The target of a page's link when served; undefined if the target is not served. */
export type LinkTo = (href: string) => string | undefined;

/**
 * A documentation page as HTML. Headings have GitHub's anchors. HTML in the text is escaped. A link without a target (`linkTo`)
 * is shown as plain text.
 */
export function markdownToHtml(markdown: string, linkTo: LinkTo = asItStands): string {
  const anchors = makeAnchors();
  const cells = (row: readonly Tokens.TableCell[], html: (cell: Tokens.TableCell) => string) =>
    `<tr>${row.map(html).join("")}</tr>`;
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${escapeHtml(anchors(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      codespan: ({ text }) => `<code>${escapeHtml(text)}</code>`,
      link({ href, tokens }) {
        const [words, target] = [this.parser.parseInline(tokens), linkTo(href)];
        return target === undefined ? words : `<a href="${escapeHtml(target)}">${words}</a>`;
      },
      image: ({ text }) => escapeHtml(text),
      table({ header, rows }) {
        const inCell = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens);
        const head = cells(header, (cell) => headCell(inCell(cell)));
        const body = rows.map((row) => cells(row, (cell) => `<td>${inCell(cell)}</td>`)).join("");
        return `<table tabindex="0"><thead>${head}</thead><tbody>${body}</tbody></table>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** Text of the OpenAPI document as HTML. */
export const markdown = (text: string): Html => new Html(markdownToHtml(text));

/** A column without a name has no head for readers of screens to say. */
const headCell = (html: string): string => (html === "" ? "<td></td>" : `<th scope="col">${html}</th>`);

/** Paths and web addresses only; `javascript:` and the like are dropped. */
const asItStands: LinkTo = (href) => (/^(https?:\/\/|\/|#|[\w.-]+(?:[/#]|$))/.test(href) ? href : undefined);

/** The anchors of one page's headings, in order: lower case, hyphens for spaces, and a number where one comes again. */
export function makeAnchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}
