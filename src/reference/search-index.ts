import { bodiesOf } from "./calls.ts";
import type { Documents } from "./documents.ts";
import { markdownToHtml } from "./markdown.ts";
import { endpointsOf, type OpenApi, parametersIn } from "./openapi.ts";
import { type ErrorKinds, groupUrl, inWords, operationUrl, overviewPage } from "./pages.ts";
import { shapeOf } from "./shape.ts";

/** A place that a search may lead to; `portal/src/reference/find.ts` ranks them. */
export interface Place {
  readonly title: string;
  readonly url: string;
  /** What is shown below the title: its endpoint, page or code. */
  readonly where: string;
  readonly text: string;
}

const TEXT_LENGTH = 240;

/** Every operation, every error, and every section of every page. Decisions are for whoever changes the gateway. */
export function searchIndex(document: OpenApi, documents: Documents, kinds: ErrorKinds): readonly Place[] {
  const pages = documents.urls
    .filter((url) => !/^\/docs\/(?:adr\/|errors$)/.test(url))
    .flatMap((url) => {
      const page = documents.at(url);
      const code = url.replace(/^\/docs\/errors\//, "");
      if (!page) return [];
      return kinds.has(code)
        ? [{ title: code, url, where: `Error: ${kinds.kindOf(code).title}`, text: textOf(page.html) }]
        : sectionsOf(url, page.title, page.html);
    });
  const { content, url, title } = overviewPage(document);
  return [...operationsOf(document), ...groupsOf(document), ...sectionsOf(url, title, String(content)), ...pages];
}

const groupsOf = ({ tags }: OpenApi): readonly Place[] =>
  tags.map(({ name, description = "" }) => ({
    title: name,
    url: groupUrl(name),
    where: "API reference",
    text: textOf(markdownToHtml(description)),
  }));

const operationsOf = (document: OpenApi): readonly Place[] =>
  endpointsOf(document).map((endpoint) => {
    const { method, path, operation } = endpoint;
    const names = [
      ...(["path", "query"] as const).flatMap((place) =>
        parametersIn(document, operation, place).map(({ name }) => name),
      ),
      ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
        schema ? shapeOf(document, schema).members.map(({ name }) => name) : [],
      ),
    ];
    const bodies = bodiesOf(document, operation).map(({ summary }) => summary);
    const said = textOf(markdownToHtml(operation.description ?? ""));
    return {
      title: operation.summary,
      url: operationUrl(endpoint),
      where: `${method} ${path}`,
      text: [operation.operationId, said, ...names, ...bodies].join(" "),
    };
  });

/** The page, and each of its sections. */
const sectionsOf = (url: string, title: string, html: string): readonly Place[] => {
  const [first = "", ...others] = html.split(/(?=<h2 id=")/);
  return [
    { title, url, where: url, text: textOf(first.replace(/<h1.*?<\/h1>/s, "")) },
    ...others.map((section) => {
      const [heading = "", id = "", words = ""] = /^<h2 id="([^"]*)">(.*?)<\/h2>/s.exec(section) ?? [];
      return { title: inWords(words), url: `${url}#${id}`, where: title, text: textOf(section.slice(heading.length)) };
    }),
  ];
};

const textOf = (html: string): string => {
  const text = inWords(html);
  return text.length <= TEXT_LENGTH ? text : text.slice(0, text.lastIndexOf(" ", TEXT_LENGTH));
};
