import { isGsm7 } from "../kernel/gsm7.ts";
import { segmentText } from "../kernel/segments.ts";

/**
 * What reads the same in the GSM alphabet: signs, quotes, dashes, spaces and invisible marks, the things that keyboards and
 * word processors put in unasked. Letters are never in this table: ẹ written as e is another word.
 */
const LIKENESSES: readonly (readonly [characters: string, replacement: string])[] = [
  ["₦", "N"],
  ["‘’‚‛′‹›ʼʻ`´", "'"],
  ["“”„‟″«»", '"'],
  ["‐‑‒–—―−", "-"],
  ["…", "..."],
  ["•", "*"],
  ["·", "."],
  ["×", "x"],
  ["©", "(C)"],
  ["®", "(R)"],
  ["™", "TM"],
  ["\t\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "],
  ["\u2028\u2029", "\n"],
  // Soft hyphen, zero-width space, non-joiner and joiner, word joiner, byte order mark, direction marks: nothing to see.
  ["\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff", ""],
];

const REPLACEMENTS: ReadonlyMap<string, string> = new Map(
  LIKENESSES.flatMap(([characters, replacement]) => [...characters].map((character) => [character, replacement])),
);

/** `index` counts UTF-16 code units from 0, in the text before anything was replaced. */
export interface Replacement {
  readonly character: string;
  readonly index: number;
  readonly replacement: string;
}

export interface SmartlyEncoded {
  readonly text: string;
  readonly replacements: readonly Replacement[];
}

/**
 * Replaces the characters that alone force UCS-2. All or nothing: the text stays exactly as it is when another character
 * (an emoji, ọ) forces UCS-2 anyway, or when the replacement would cost more segments ("…" becomes three characters), because
 * then a changed text would be the only effect.
 */
export function smartEncode(text: string): SmartlyEncoded {
  const unchanged = { text, replacements: [] };
  if (isGsm7(text)) return unchanged;
  const replacements: Replacement[] = [];
  let encoded = "";
  let index = 0;
  for (const character of text) {
    const replacement = REPLACEMENTS.get(character);
    if (replacement !== undefined) replacements.push({ character, index, replacement });
    else if (!isGsm7(character)) return unchanged;
    encoded += replacement ?? character;
    index += character.length;
  }
  return segmentText(encoded).segments > segmentText(text).segments ? unchanged : { text: encoded, replacements };
}
