import { trimEnds } from "../../../kernel/trim-ends.ts";

/**
 * The text of a delivery receipt. The specification only gives an example (SMPP 3.4, appendix B), so every SMSC has a
 * dialect: keys in other letters or another order, some missing, dates with or without seconds, `err` in any notation.
 */

/** Values as they came, without separators, quotes and brackets around them; a key that was missing or empty is absent. */
export interface ReceiptText {
  readonly id?: string;
  readonly sub?: string;
  readonly dlvrd?: string;
  readonly submitDate?: string;
  readonly doneDate?: string;
  readonly stat?: string;
  readonly err?: string;
  readonly text?: string;
}

/** The words of `stat`, by `message_state`. Source: SMPP 3.4, appendix B and section 5.2.28; 0 and 9 are from SMPP 5.0. */
export const STAT_BY_MESSAGE_STATE: Readonly<Record<number, string>> = {
  0: "SCHEDULED",
  1: "ENROUTE",
  2: "DELIVRD",
  3: "EXPIRED",
  4: "DELETED",
  5: "UNDELIV",
  6: "ACCEPTD",
  7: "UNKNOWN",
  8: "REJECTD",
  9: "SKIPPED",
};

const KEYS: Readonly<Record<string, keyof ReceiptText>> = {
  id: "id",
  msgid: "id",
  messageid: "id",
  sub: "sub",
  dlvrd: "dlvrd",
  submitdate: "submitDate",
  donedate: "doneDate",
  stat: "stat",
  status: "stat",
  err: "err",
  error: "err",
  text: "text",
};

/** Anything may stand before a key but what would make it a part of a longer word. */
const KEY =
  /(?<![A-Za-z0-9_-])((?:msg|message)[ _]?id|id|sub|submit[ _]?date|dlvrd|done[ _]?date|stat(?:us)?|err(?:or)?|text)["']? ?[:=]/gi;
/** A key of the SMSC's own after a value: `id:12 smsc:7`. */
const OWN_KEY = /[\s,;|&/]["']?[A-Za-z][\w-]{0,30}(?: [\w-]{1,30})?["']? ?[:=]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: some SMSCs write NULs between fields, or at the end
const CONTROL = /[\u0000-\u001f]/;
/** Around a value; the controls of CONTROL too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const EDGE = /[\s,;|&/"'()<>[\]{}\u0000-\u001f]/;

/**
 * Reads a receipt in any layout. Undefined when it has neither an `id` nor a `stat`: then it is not a receipt.
 * The message's own words follow `text:` and may look like keys, so once `stat` has been read, `text` takes all the rest.
 */
export function parseReceiptText(receipt: string): ReceiptText | undefined {
  const found: { -readonly [K in keyof ReceiptText]: ReceiptText[K] } = {};
  const take = (key: keyof ReceiptText | undefined, from: number, to: number): void => {
    if (key === undefined || found[key] !== undefined) return;
    const value = trimEnds(receipt.slice(from, to), EDGE);
    if (value !== "") found[key] = key === "id" ? idIn(value) : value;
  };

  let key: keyof ReceiptText | undefined;
  let valueStart = 0;
  for (const match of receipt.matchAll(KEY)) {
    take(key, valueStart, match.index);
    key = KEYS[(match[1] ?? "").toLowerCase().replace(/[ _]/, "")];
    valueStart = match.index + match[0].length;
    if (key === "text" && found.stat !== undefined) break;
  }
  take(key, valueStart, receipt.length);
  return found.id === undefined && found.stat === undefined ? undefined : found;
}

/** An id may have commas and spaces; a control, or a key that nobody knows, is no part of it. */
const idIn = (value: string): string => {
  const [line = ""] = value.split(CONTROL, 1);
  const own = OWN_KEY.exec(line);
  return own === null ? line : trimEnds(line.slice(0, own.index), EDGE);
};

/** The layout of appendix B. Shape: `err` is three characters there; `text` is the first 20 of the message. */
export function formatReceiptText(receipt: {
  readonly id: string;
  readonly submittedAt: Date;
  readonly doneAt: Date;
  readonly stat: string;
  readonly err?: string;
  readonly text?: string;
}): string {
  const dlvrd = receipt.stat === "DELIVRD" ? "001" : "000";
  return (
    `id:${receipt.id} sub:001 dlvrd:${dlvrd} submit date:${receiptDate(receipt.submittedAt)} ` +
    `done date:${receiptDate(receipt.doneAt)} stat:${receipt.stat} err:${receipt.err ?? "000"} ` +
    `text:${(receipt.text ?? "").slice(0, 20)}`
  );
}

/** `YYMMDDhhmm` in UTC. Receipts carry no zone, which is why nothing here ever reads one as a point in time. */
const receiptDate = (at: Date): string => at.toISOString().replace(/\D/g, "").slice(2, 12);
