// Wraps the prose of the documents at 120 columns: paragraphs and list entries that have a longer line, and nothing else.
// Tables, code, headings and what is short enough stay as they are. Part of `npm run format`; a test in test/architecture
// says where it is due. With `--check` nothing is written, and what is due is named with exit code 1.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COLUMNS_MAX = 120;

/** What would begin something else than text at the start of a line: a list, a heading, a quotation, a table, a rule. */
const BEGINS_A_BLOCK = /^(?:[-+*]|\d{1,9}[.)]|#{1,6}|>.*|\|.*|[-=*_]{2,}|<.*|~~~.*|```.*)$/;
/** Spaces within code and within the words of a link stay where they are. */
const KEPT_TOGETHER = /(`+)[^`]*\1|\[[^\][]*\]\([^)\s]*\)/g;

/** The text with long prose wrapped. */
export function wrapMarkdown(text: string): string {
  const out: string[] = [];
  let fence: string | undefined;
  let paragraph: string[] = [];
  const flush = () => {
    out.push(...(paragraph.some((line) => line.length > COLUMNS_MAX) ? wrapParagraph(paragraph) : paragraph));
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1];
    if (fence !== undefined || mark !== undefined) {
      flush();
      if (fence === undefined) fence = mark;
      else if (mark === fence) fence = undefined;
      out.push(line);
    } else if (/^\s*$/.test(line) || /^\s*(?:#{1,6} |\||>|<)/.test(line) || /^ {4,}/.test(line)) {
      flush();
      out.push(line);
    } else {
      if (/^\s*(?:[-+*]|\d{1,9}[.)]) /.test(line)) flush(); // an entry of a list begins
      paragraph.push(line);
    }
  }
  flush();
  return out.join("\n");
}

/** Lines of one paragraph or one entry of a list, which may have hard line breaks at its ends (two spaces). */
function wrapParagraph(lines: readonly string[]): readonly string[] {
  if (lines.slice(0, -1).some((line) => / {2}$/.test(line))) return lines;
  const [, first = "", indent = ""] = /^((\s*)(?:(?:[-+*]|\d{1,9}[.)]) +)?)/.exec(lines[0] ?? "") ?? [];
  const rest = first.length > indent.length ? " ".repeat(first.length) : indent;
  const words = inWords(
    lines
      .map((line) => line.trim())
      .join(" ")
      .slice(first.trim().length)
      .trim(),
  );
  const wrapped: string[] = [];
  let current = first;
  let isEmpty = true;
  for (const word of words) {
    const fits = current.length + (isEmpty ? 0 : 1) + word.length <= COLUMNS_MAX;
    if (isEmpty || fits) {
      current += isEmpty ? word : ` ${word}`;
    } else {
      wrapped.push(current);
      current = rest + word;
    }
    isEmpty = false;
  }
  return [...wrapped, current];
}

/**
 * By spaces, but for those that are kept together, and none that would begin something else at the start of a line. Links of
 * many words are parted all the same.
 */
function inWords(text: string): readonly string[] {
  const kept = text.replaceAll(KEPT_TOGETHER, (piece) => (piece.length > 60 ? piece : piece.replaceAll(" ", "\0")));
  const words: string[] = [];
  for (const word of kept.split(/ +/)) {
    if (BEGINS_A_BLOCK.test(word) && words.length > 0) words.push(`${words.pop()}\0${word}`);
    else words.push(word);
  }
  return words.map((word) => word.replaceAll("\0", " "));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const due = globSync(["README.md", "CONTRIBUTING.md", "docs/**/*.md", "bench/*.md"], { cwd: root }).filter((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const wrapped = wrapMarkdown(text);
    if (wrapped === text) return false;
    if (!process.argv.includes("--check")) writeFileSync(join(root, path), wrapped);
    return true;
  });
  for (const path of due.sort()) console.log(`wrapped ${path}`);
  if (process.argv.includes("--check") && due.length > 0) process.exitCode = 1;
}
