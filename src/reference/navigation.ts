import { Html } from "./html.ts";

export interface Link {
  readonly url: string;
  readonly title: Html;
}

/** A group of pages in the order in which they are read. */
export interface Section {
  readonly title: string;
  readonly links: readonly Link[];
}

/** The sections and links of the list of guides, which is where a new page is entered. */
export function sectionsOfList(listHtml: string): readonly Section[] {
  return listHtml
    .split(/<h2[^>]*>/)
    .slice(1)
    .map((part) => ({
      title: (part.split("</h2>", 1)[0] ?? "").replace(/^For (.)/, (_, first: string) => first.toUpperCase()),
      links: [...part.matchAll(/<a href="(\/docs\/[^"#]*)">(.*?)<\/a>/g)]
        .map(([, url = "", title = ""]) => ({ url, title: new Html(title) }))
        .filter(({ url }) => !url.startsWith("/docs/errors")),
    }));
}

/** The pages before and after one, in the order of all sections. */
export function neighbours(sections: readonly Section[], url: string): { before?: Link; after?: Link } {
  const all = sections.flatMap(({ links }) => links);
  const index = all.findIndex((link) => link.url === url);
  const [before, after] = [all[index - 1], all[index + 1]];
  return index < 0 ? {} : { ...(before && { before }), ...(after && { after }) };
}
