import { ok, type Result, refuse } from "../kernel/result.ts";

/** Other file types, by their first bytes. */
const NO_TEXT: readonly (readonly [start: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], "a workbook (.xlsx, .ods)"],
  [[0xd0, 0xcf, 0x11, 0xe0], "a workbook (.xls)"],
  [[0x25, 0x50, 0x44, 0x46], "a PDF"],
  [[0x1f, 0x8b], "compressed (gzip)"],
];

/**
 * The text of a file that was exported as CSV: UTF-8, or UTF-16 as spreadsheets write "Unicode text", with or without a byte order
 * mark; else the Windows code page 1252, whose letters beyond ASCII stand in names alone.
 */
export function textOf(bytes: Uint8Array): Result<string, string> {
  const [, what] = NO_TEXT.find(([start]) => start.every((byte, index) => bytes[index] === byte)) ?? [];
  if (what !== undefined) return refuse(`it is ${what}: export the statement as CSV`);
  const text = decode(bytes);
  if (/^\s*<(?:!doctype|html|table|\?xml)/i.test(text.slice(0, 200)))
    return refuse("it is a web page: export the statement as CSV");
  return ok(text);
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  // Headings are ASCII: without a mark every other byte is then zero.
  if (first !== 0 && second === 0) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0 && second !== 0) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
