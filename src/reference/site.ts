import type { Documents } from "./documents.ts";
import { Html, html } from "./html.ts";
import { neighbours, type Section, sectionsOfList } from "./navigation.ts";
import { endpointsOf, type OpenApi } from "./openapi.ts";
import {
  type ErrorKinds,
  errorsPage,
  groupPage,
  groupUrl,
  operationUrl,
  overviewPage,
  PROBLEMS_URL,
  problemsPage,
} from "./pages.ts";
import { searchIndex } from "./search-index.ts";
import { type Page, pageAmong } from "./shell.ts";

/** All pages under `/docs`: the reference of the API, made from its document, and the project's own documents. */
export interface Site {
  /** HTML of the page at this path. */
  page(url: string): string | undefined;
  /** Where the operation of this id is described. */
  operation(id: string): string | undefined;
  /** What the pages' search looks through, as JSON. */
  searchIndex(): string;
}

export function makeSite(document: OpenApi, documents: Documents, kinds: ErrorKinds): Site {
  const groups = new Map(document.tags.map((tag) => [groupUrl(tag.name), tag]));
  const operations = new Map(
    endpointsOf(document).map((endpoint) => [endpoint.operation.operationId, operationUrl(endpoint)]),
  );
  const sections = sectionsFor(document, documents);
  const errors = [
    { title: "Errors", links: kinds.codes.map((code) => ({ url: `/docs/errors/${code}`, title: html`${code}` })) },
  ];

  const made = (url: string): Page | undefined => {
    if (url === "/docs") return overviewPage(document);
    if (url === "/docs/errors") return errorsPage(kinds);
    if (url === PROBLEMS_URL) return problemsPage(document, kinds);
    const group = groups.get(url);
    if (group) return groupPage(document, group, kinds);
    const file = documents.at(url);
    return file && { url, title: file.title, content: new Html(file.html) };
  };

  return {
    page(url) {
      const page = made(url);
      const isError = kinds.has(url.replace(/^\/docs\/errors\//, ""));
      return page && pageAmong(page, { sections, ...neighbours(isError ? errors : sections, url) });
    },
    operation: (id) => operations.get(id),
    searchIndex: () => JSON.stringify(searchIndex(document, documents, kinds)),
  };
}

function sectionsFor(document: OpenApi, documents: Documents): readonly Section[] {
  const [developers, ...others] = sectionsOfList(documents.at("/docs/guides")?.html ?? "");
  return [
    {
      title: "API reference",
      links: [
        { url: "/docs", title: html`Overview` },
        ...document.tags.map(({ name }) => ({ url: groupUrl(name), title: html`${name}` })),
        { url: PROBLEMS_URL, title: html`Members of problems` },
      ],
    },
    { title: "Guides", links: [{ url: "/docs/guides", title: html`All guides` }, ...(developers?.links ?? [])] },
    {
      title: "Errors",
      links: [
        { url: "/docs/errors", title: html`All errors` },
        { url: "/docs/errors/failures", title: html`Failures of orders` },
      ],
    },
    ...others,
  ];
}
