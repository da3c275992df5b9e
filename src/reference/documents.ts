import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { type LinkTo, markdownToHtml } from "./markdown.ts";

/** The prefix of the documentation pages, which need no key. */
export const DOCS_PREFIX = "/docs";

const ROOT = new URL("../../", import.meta.url);

/** Folders of `docs/` whose pages are served under their own names. */
const FOLDERS = ["guides", "operations", "providers", "errors", "adr"] as const;
/** Pages outside `docs/`, with their served names. */
const SINGLE_PAGES: Readonly<Record<string, string>> = {
  "README.md": "readme",
  "CONTRIBUTING.md": "contributing",
  "CHANGELOG.md": "changelog",
  "docs/ARCHITECTURE.md": "architecture",
  "docs/LIFE-OF-AN-ORDER.md": "life-of-an-order",
  "bench/README.md": "bench",
};
/** Folders without an index page; the list of guides has their pages. */
const LISTED_WITH_GUIDES = ["docs/operations", "docs/providers"];

export interface Document {
  /** Its path on the server. */
  readonly url: string;
  readonly title: string;
  readonly html: string;
}

/**
 * The project's Markdown as pages under `/docs`. Links between files work in both places: relative on disk, and converted to page
 * links when served. Each page is rendered on its first request.
 */
export interface Documents {
  at(url: string): Document | undefined;
  readonly urls: readonly string[];
}

export function makeDocuments(): Documents {
  const files = new Map(Object.entries(SINGLE_PAGES).map(([file, name]) => [file, `${DOCS_PREFIX}/${name}`]));
  for (const folder of FOLDERS) {
    for (const name of readdirSync(new URL(`docs/${folder}/`, ROOT))) {
      if (!name.endsWith(".md")) continue;
      const page = name === "README.md" ? "" : `/${name.slice(0, -".md".length)}`;
      files.set(`docs/${folder}/${name}`, `${DOCS_PREFIX}/${folder}${page}`);
    }
  }
  const fileOf = new Map([...files].map(([file, url]) => [url, file]));
  const made = new Map<string, Document>();
  return {
    urls: [...fileOf.keys()],
    at(url) {
      const file = fileOf.get(url);
      if (file === undefined) return undefined;
      const known = made.get(url);
      if (known) return known;
      const document = read(file, url, files);
      made.set(url, document);
      return document;
    },
  };
}

function read(file: string, url: string, files: ReadonlyMap<string, string>): Document {
  const text = readFileSync(new URL(file, ROOT), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
  return { url, title, html: markdownToHtml(text, servedLinks(file, files)) };
}

/** The gateway, as files speak of it to who reads them elsewhere; a served page is at whatever address it was asked for. */
const OWN_ADDRESS = "http://localhost:8080";

/** A file's links, converted for serving. */
export function servedLinks(file: string, files: ReadonlyMap<string, string>): LinkTo {
  return (href) => {
    if (href === OWN_ADDRESS || href.startsWith(`${OWN_ADDRESS}/`)) return href.slice(OWN_ADDRESS.length) || "/";
    if (/^(?:https?:\/\/|#)/.test(href)) return href;
    if (/^[\w+.-]+:/.test(href)) return undefined; // another scheme
    const [path = "", anchor] = href.split("#", 2);
    const target = path.startsWith("/") ? path : posix.join(posix.dirname(file), path).replace(/\/$/, "");
    const served = path.startsWith("/") ? path : (files.get(target) ?? ofFolder(target));
    return served === undefined || anchor === undefined ? served : `${served}#${anchor}`;
  };
}

const ofFolder = (folder: string): string | undefined => {
  if (LISTED_WITH_GUIDES.includes(folder)) return `${DOCS_PREFIX}/guides`;
  return FOLDERS.some((name) => folder === `docs/${name}`)
    ? `${DOCS_PREFIX}/${folder.slice("docs/".length)}`
    : undefined;
};
