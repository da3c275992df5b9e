import { Html, html, NOTHING } from "./html.ts";
import type { Link, Section } from "./navigation.ts";

/**
 * What a page may load is served here, and nothing stands in it: neither script nor style. The form of an operation is sent by
 * the script alone.
 */
export const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

export interface Page {
  readonly url: string;
  readonly title: string;
  readonly content: Html;
  /** A page of operations: it takes the whole width, and its examples stand beside it. */
  readonly isReference?: boolean;
}

/** Pages around a page, and the way through all of them. */
export interface Around {
  readonly sections: readonly Section[];
  readonly before?: Link;
  readonly after?: Link;
}

/** A page among the others. */
export function pageAmong(page: Page, around: Around): string {
  const { content, headings } = withAnchors(page.content);
  const hasContents = !page.isReference && headings.length > 1;
  return frame(
    page.title,
    html`<div class="layout${hasContents && " with-contents"}">
${sideHtml(page, headings, around.sections)}
<main id="content"${page.isReference && html` class="reference"`}><article>
${content}
</article>${nearHtml(around)}</main>
${hasContents && contentsHtml(headings)}
</div>`,
    page.url,
    html`<a class="menu" href="#menu">Menu</a>`,
  );
}

/** A page by itself: what is not there, or not ready. */
export const pageAlone = (title: string, content: Html): string =>
  frame(title, html`<div class="single"><main id="content"><article>${content}</article></main></div>`, "", NOTHING);

const TOP = [
  ["/docs", "API reference"],
  ["/docs/guides", "Guides"],
  ["/docs/errors", "Errors"],
  ["/docs/changelog", "Changelog"],
  ["/portal", "Portal"],
] as const;

const frame = (title: string, inner: Html, url: string, menu: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Afara</title>
<link rel="icon" type="image/svg+xml" href="/docs/favicon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="home" href="/docs">${WORDMARK} <span>Docs</span></a>
<nav class="sections" aria-label="Documentation">${TOP.map(
    ([to, name]) => html`<a href="${to}"${to === url && html` aria-current="page"`}>${name}</a>`,
  )}</nav>
<button type="button" id="search" hidden>Search <kbd>/</kbd></button>
<button type="button" id="theme" hidden>Theme</button>
${menu}
</header>
${inner}
</body>
</html>
`.text;

/** As `portal/src/pieces/Wordmark.tsx` draws it. */
const WORDMARK = new Html(
  `<svg height="22" viewBox="0 0 74 32" role="img" aria-label="Afara"><text x="0" y="26" fill="currentColor" font-family="Inter, system-ui, sans-serif" font-size="27" font-weight="700">Afara</text><path d="M29.500 8.500C31.500 4 34.500 2 37.500 2s6 2 8 6.500" fill="none" stroke="var(--brand)" stroke-width="3" stroke-linecap="round"/></svg>`,
);

interface Heading {
  readonly id: string;
  readonly text: Html;
}

const HEADING = /<h([23]) id="([^"]*)">(.*?)<\/h\1>/gs;

/** Each heading with an anchor is a link to itself; one with links in it stays as it is. */
function withAnchors({ text }: Html): { content: Html; headings: readonly Heading[] } {
  const headings: Heading[] = [];
  const linked = text.replaceAll(HEADING, (whole, level: string, id: string, words: string) => {
    if (level === "2") headings.push({ id, text: new Html(words.replaceAll(/<\/?[a-z][^>]*>/g, "")) });
    return words.includes("<a ") ? whole : `<h${level} id="${id}"><a href="#${id}">${words}</a></h${level}>`;
  });
  return { content: new Html(linked), headings };
}

const sideHtml = ({ url, isReference }: Page, headings: readonly Heading[], sections: readonly Section[]): Html =>
  html`<nav class="side" id="menu" aria-label="All pages"><a class="close" href="#content">Close the menu</a>${sections.map(
    ({ title, links }) =>
      html`<h2>${title}</h2><ul>${links.map(
        (link) =>
          html`<li><a href="${link.url}"${link.url === url && html` aria-current="page"`}>${link.title}</a>${
            isReference && link.url === url && headings.length > 0 && listOf(headings)
          }</li>`,
      )}</ul>`,
  )}</nav>`;

const contentsHtml = (headings: readonly Heading[]): Html =>
  html`<aside class="contents" aria-labelledby="on-this-page"><h2 id="on-this-page">On this page</h2>${listOf(headings)}</aside>`;

const listOf = (headings: readonly Heading[]): Html =>
  html`<ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`;

const nearHtml = ({ before, after }: Around): Html =>
  before || after
    ? html`<nav class="near" aria-label="Pages before and after">${
        before && html`<a rel="prev" href="${before.url}"><span>Before</span>${before.title}</a>`
      }${after && html`<a rel="next" href="${after.url}"><span>Next</span>${after.title}</a>`}</nav>`
    : NOTHING;
