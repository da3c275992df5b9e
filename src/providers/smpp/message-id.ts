import { trimEnds } from "../../kernel/trim-ends.ts";

/** How an SMSC writes message ids: as hexadecimal or decimal numbers, or as text that only has to be compared. */
export type IdNotation = "hex" | "decimal" | "verbatim";

/** 32 digits hold 128 bits; a longer "number" is text. */
const HEX = /^(?:0x)?([0-9a-f]{1,32})$/;
const PREFIXED_HEX = /^0x([0-9a-f]{1,32})$/;
const DECIMAL = /^[0-9]{1,39}$/;
/** Optional characters around an ID: white space, quotes, brackets, separators, a full stop. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NULs and other controls stand there too
const AROUND = /[\s.,;|&/"'()<>[\]{}\u0000-\u001f]/;

/**
 * One form for the ids of submit_sm_resp and of receipts, so that they meet although SMSCs write them differently in the two
 * places (upper and lower case, leading zeros, quotes around it, hexadecimal here and decimal there).
 * Numbers become decimal only where the notation says that they are numbers: `10` alone does not tell.
 */
export function normaliseMessageId(id: string, notation: IdNotation): string {
  const text = (trimEnds(id, AROUND) || id.trim()).toLowerCase();
  // `0x` says what the number is, whatever it was expected to be. Text is only compared: there the prefix is a part of it.
  const hex = notation === "hex" ? HEX.exec(text) : notation === "decimal" ? PREFIXED_HEX.exec(text) : null;
  if (hex) return BigInt(`0x${hex[1]}`).toString();
  if (notation === "decimal" && DECIMAL.test(text)) return BigInt(text).toString();
  return text.replace(/^0+(?=.)/, "");
}
