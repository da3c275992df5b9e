import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { makeAnchors } from "../../src/reference/markdown.ts";
import type { Source } from "./sources.ts";

/** A Markdown file of the project, with its path from the root. */
export interface MarkdownFile {
  readonly path: string;
  readonly text: string;
}

export const readDocuments = (root: string): readonly MarkdownFile[] =>
  globSync(["*.md", "docs/**/*.md", "bench/*.md"], { cwd: root })
    .map((path) => path.split(sep).join("/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** Without fenced code, whose lines stay as blank ones. */
export const withoutCode = (text: string): string =>
  text.replaceAll(/^(```|~~~)[^\n]*\n[\s\S]*?^\1$/gm, (block) => block.replaceAll(/[^\n]/g, ""));

/** Links of a file to places that are not there, read from the disk as on GitHub. */
export function brokenLinks({ path, text }: MarkdownFile, root: string): readonly string[] {
  const prose = withoutCode(text).replaceAll(/`[^`\n]*`/g, "code");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      if (target.startsWith("/")) return true; // leads somewhere only where the page is served
      const [file = "", anchor] = target.split("#", 2);
      const there = file === "" ? path : posix.join(posix.dirname(path), file);
      if (!existsSync(join(root, there))) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(join(root, there), "utf8")).includes(anchor);
    })
    .map((target) => `${path}: ${target}`);
}

function anchorsOf(text: string): readonly string[] {
  const anchors = makeAnchors();
  return [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchors(heading));
}

export const PROSE_COLUMNS_MAX = 120;

/** Its entries are added by everybody at once, a line each: wrapped, they would get into each other's way. */
const KEEPS_LONG_LINES = "CHANGELOG.md";

/** Lines of prose that are too long to read and to compare; tables, code and a line that is one long link may be. */
export function longLines({ path, text }: MarkdownFile): readonly string[] {
  if (path === KEEPS_LONG_LINES) return [];
  return withoutCode(text)
    .split("\n")
    .flatMap((line, index) => {
      const isProse = !line.trimStart().startsWith("|") && / /.test(line.trim().replace(/^[-*\d.]+ /, ""));
      return isProse && line.length > PROSE_COLUMNS_MAX ? [`${path}:${index + 1} has ${line.length} columns`] : [];
    });
}

/** Paths in code spans that lead nowhere; `*` stands for any part of a name. */
export const missingPaths = ({ text }: MarkdownFile, root: string): readonly string[] =>
  [...withoutCode(text).matchAll(/`((?:src|migrations|test|scripts|docs)\/[^`\s]*)`/g)]
    .map(([, path = ""]) => path)
    .filter((path) => globSync(path, { cwd: root }).length === 0);

/** Names in code spans that are none in these sources: `fairQueue`, `Worker.run`. */
export function missingNames({ text }: MarkdownFile, sources: readonly Pick<Source, "code">[]): readonly string[] {
  const known = new Set(sources.flatMap(({ code }) => code.match(/\w+/g) ?? []));
  return [...withoutCode(text).matchAll(/`([^`]+)`/g)]
    .map(([, span = ""]) => span)
    .filter((span) => !span.includes("/"))
    .flatMap((span) => span.match(/\b[a-z]+[A-Z]\w*\b/g) ?? [])
    .filter((name) => !known.has(name));
}

/** What the folder table of ARCHITECTURE.md has too many or too few of: files and folders directly in src. */
export function faultsOfFolderTable(text: string, names: readonly string[]): readonly string[] {
  const listed = [...text.matchAll(/^\| `src\/([^`/]+)\/?` \|/gm)].map(([, name = ""]) => name);
  return [
    ...names.filter((name) => !listed.includes(name)).map((name) => `src/${name} has no row`),
    ...listed.filter((name) => !names.includes(name)).map((name) => `src/${name} is not there`),
    ...listed.filter((name, index) => listed.indexOf(name) < index).map((name) => `src/${name} has two rows`),
  ];
}
