import type { Source } from "./sources.ts";

/** A browser's page has no clock and no chance but the browser's. */
export const isPage = ({ path }: Pick<Source, "path">): boolean => path.startsWith("portal/");

export const PAGES_MEND =
  "What a page has to know it asks the API; a rule that decides something belongs into the gateway.";

/**
 * Pure text: examples of calls in each language, which the pages and the reference under `/docs` show alike, and the search there,
 * which is asked with the gateway's own index.
 */
const SHARED_TEXT = ["portal/src/pieces/code.ts", "portal/src/reference/find.ts"];

/** Imports from the gateway into a page, or the other way. */
export const crossings = (source: Source): readonly string[] =>
  source.imports
    .filter((target) => /^(?:src|test|bench|portal)\//.test(target))
    .filter((target) => isPage(source) !== isPage({ path: target }) && !SHARED_TEXT.includes(target))
    .map((target) => `imports ${target}`);
