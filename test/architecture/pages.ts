import type { Source } from "./sources.ts";

/** A browser's page has no clock and no chance but the browser's. */
export const isPage = ({ path }: Pick<Source, "path">): boolean => path.startsWith("portal/");

export const PAGES_MEND =
  "What a page has to know it asks the API; a rule that decides something belongs into the gateway.";

/** Examples of calls in each language: pure text, which the pages and the reference under `/docs` show alike. */
const SHARED_TEXT = "portal/src/pieces/code.ts";

/** Imports from the gateway into a page, or the other way. */
export const crossings = (source: Source): readonly string[] =>
  source.imports
    .filter((target) => /^(?:src|test|bench|portal)\//.test(target))
    .filter((target) => isPage(source) !== isPage({ path: target }) && target !== SHARED_TEXT)
    .map((target) => `imports ${target}`);
