import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isObject } from "../kernel/place.ts";
import { nearest } from "../kernel/spelling.ts";
import { shownLine, withoutSecrets } from "./without-secrets.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A configuration as it was written, not checked yet, with the text it was read from; or why it can't be had. */
export type Loaded = { readonly value: unknown; readonly source: string } | { readonly fault: string };

const ENDINGS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];
/** A file that awaits what never comes would keep the gateway silent for ever. */
const LOAD_SECONDS = 20;
const FORM = "write `export default defineConfig({ … })`";

/** Loads a configuration file. `by` names the variable that chose it, if one did; what is wrong says file, line and column. */
export async function loadConfig(path: string, environment: Environment, by: string | undefined): Promise<Loaded> {
  const source = readSource(path, by);
  if (typeof source !== "string") return source;
  try {
    const module = (await inTime(import(pathToFileURL(path).href))) as Readonly<Record<string, unknown>>;
    const fault = faultOfExport(module, source);
    return fault === undefined ? { value: module.default, source } : { fault: `${path}: ${fault}` };
  } catch (error) {
    return { fault: withoutSecrets(faultOfLoading(path, error), environment) };
  }
}

function readSource(path: string, by: string | undefined): string | { readonly fault: string } {
  const about = by === undefined ? path : `${by}: ${path}`;
  try {
    if (statSync(path).isDirectory()) return { fault: `${about} is a folder; name the file in it` };
    const source = readFileSync(path, "utf8");
    if (ENDINGS.includes(extname(path))) return source;
    return { fault: `${about} must end in .ts, .mts, .js or .mjs: it is code that exports the configuration` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { fault: `${about} does not exist.${neighbours(path)}` };
    return { fault: `${about} can't be read by this user (${code}); mend its rights` };
  }
}

/** Files of nearly that name in that folder. */
function neighbours(path: string): string {
  try {
    const [near] = nearest(basename(path), readdirSync(dirname(path)));
    return near === undefined ? ` Is the path right?` : ` Did you mean ${near}?`;
  } catch {
    return ` There is no folder ${dirname(path)} either.`;
  }
}

class TooLate extends Error {}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate()), LOAD_SECONDS * 1_000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function faultOfExport(module: Readonly<Record<string, unknown>>, source: string): string | undefined {
  // Without either word Node takes the file for CommonJS, and what it exports for an empty object.
  if (!/\b(?:export|exports)\b/.test(source)) return `has no default export; ${FORM}`;
  if (!("default" in module)) {
    const others = Object.keys(module);
    return `has no default export${others.length > 0 ? `, only ${others.join(", ")}` : ""}; ${FORM}`;
  }
  const { default: value } = module;
  if (value instanceof Promise)
    return "exports a promise; write `export default await …`, so that it is the configuration";
  if (typeof value === "function") return `exports a function; call it, or ${FORM}`;
  if (!isObject(value))
    return `exports ${value === undefined || value === null ? String(value) : Array.isArray(value) ? "a list" : `a ${typeof value}`}; ${FORM}`;
  return undefined;
}

interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

const placed = ({ file, line, column, text }: Position, what: string): string =>
  `${file}:${line}:${column}: ${what}. The line is: ${shownLine(text)}`;

function faultOfLoading(path: string, error: unknown): string {
  if (error instanceof TooLate)
    return `${path}: has not been loaded after ${LOAD_SECONDS} s; it awaits something that does not come`;
  if (!(error instanceof Error))
    return `${path}: throws ${typeof error === "string" ? `"${error}"` : String(error)} when it is loaded`;
  const { code } = error as NodeJS.ErrnoException;
  const message = error.message
    .trim()
    .replace(/\.$/, "")
    .replaceAll(/\s*\n\s*/g, " ");
  if (
    code === "ERR_MODULE_NOT_FOUND" ||
    code === "ERR_PACKAGE_PATH_NOT_EXPORTED" ||
    code === "ERR_UNSUPPORTED_DIR_IMPORT"
  )
    return faultOfImport(path, message);
  if (error instanceof SyntaxError && !threwItself(path, error)) {
    const at = pointedAt(error.stack) ?? pointedAt(checkedByNode(path));
    const what =
      code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX"
        ? `${message.replace(/ is not supported in strip-only mode/, "")} can't be used: types are taken out and the rest runs as it is; write it in JavaScript (for an enum, an object)`
        : `can't be read: ${message}${/^Expected\b/.test(message) ? " (often the end of the line before lacks a comma or a bracket)" : ""}`;
    return at ? placed(at, what) : `${path}: ${what}`;
  }
  const at = thrownAt(path, error);
  const what = `throws when it is loaded: ${message || error.name}`;
  return at ? placed(at, what) : `${path}: ${what}`;
}

/** `Cannot find package 'x' imported from /y`. */
function faultOfImport(path: string, message: string): string {
  const [, what, missing = "", from = path] =
    /(package|module) '([^']+)'.*? imported from (.+?)(?:\s+Did you mean to import .*)?$/s.exec(message) ?? [];
  if (what === undefined) return `${path}: an import fails: ${message}`;
  const line = readFileSync(from, "utf8").split("\n");
  const name = basename(missing);
  const index = line.findIndex(
    (text) => /\bimport\b|\bfrom\b/.test(text) && text.includes(what === "package" ? missing : name),
  );
  const near = what === "module" ? neighbours(missing) : ` It is not among the installed packages.`;
  const text = line[index];
  const detail = `imports "${what === "package" ? missing : name}", which is not there`;
  return text === undefined
    ? `${from}: ${detail}.${near}`
    : `${placed({ file: from, line: index + 1, column: text.search(/\S/) + 1, text }, detail)}.${near}`;
}

/** The place that a syntax error's stack begins with: file and line, then the line with carets under what is wrong. */
function pointedAt(stack: string | undefined): Position | undefined {
  const lines = (stack ?? "").split("\n");
  const [, file, number] = /^(\S.*):(\d+)$/.exec(lines[0] ?? "") ?? [];
  const caret = lines.findIndex((line) => /^\s*\^+\s*$/.test(line));
  if (file === undefined || caret < 2) return undefined;
  return { file: asPath(file), line: Number(number), column: lines[caret]!.indexOf("^") + 1, text: lines[caret - 1]! };
}

/** JavaScript that can't be parsed has its place in what Node itself prints, and not in the error. */
const checkedByNode = (path: string): string =>
  spawnSync(process.execPath, ["--check", path], { encoding: "utf8", timeout: 10_000 }).stderr;

const asPath = (file: string): string => (file.startsWith("file:") ? fileURLToPath(file) : file);

/** `JSON.parse` in the file throws a syntax error, too. */
const threwItself = (path: string, error: Error): boolean => thrownAt(path, error) !== undefined;

/** The first line of the file itself that the error went through. */
function thrownAt(path: string, { stack = "" }: Error): Position | undefined {
  const url = pathToFileURL(path).href.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const [, line, column] = new RegExp(`\\n\\s+at (?:.*\\()?${url}:(\\d+):(\\d+)`).exec(stack) ?? [];
  if (line === undefined) return undefined;
  const text = readFileSync(path, "utf8").split("\n")[Number(line) - 1] ?? "";
  return { file: path, line: Number(line), column: Number(column), text };
}
