import { globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";

/** A source file as the rules see it. Paths are from the root of the repository, with `/`. */
export interface Source {
  readonly path: string;
  /** Without comments: a rule is about code, and a comment may name what it explains. */
  readonly code: string;
  readonly lines: number;
  /** Files of the repository by path, packages and Node's modules by name. */
  readonly imports: readonly string[];
}

const IMPORT =
  /(?:^|[\n;])\s*(?:import|export)\b[^;"']*?\bfrom\s*["']([^"']+)["']|(?:^|[\n;])\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;

/** Comments, or strings that are kept: a `//` within a string begins no comment. */
const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

export function sourceOf(path: string, text: string): Source {
  const code = text.replace(COMMENT_OR_STRING, (found) => (found.startsWith("/") ? "" : found));
  const imports = [...code.matchAll(IMPORT)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? "";
    return target.startsWith(".") ? posix.join(posix.dirname(path), target) : target;
  });
  return { path, code, lines: text.split("\n").length - 1, imports };
}

/** Made of the OpenAPI document, by whoever wants them in an editor. */
const PORTAL_TYPES = "portal/src/api/paths.d.ts";

export function readSources(root: string): readonly Source[] {
  return globSync(
    ["*.ts", "src/**/*.ts", "test/**/*.ts", "bench/**/*.ts", "portal/*.{ts,mjs}", "portal/src/**/*.{ts,tsx,css}"],
    { cwd: root },
  )
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path !== PORTAL_TYPES)
    .sort()
    .map((path) => sourceOf(path, readFileSync(join(root, path), "utf8")));
}
