import type { SpelledToken } from "./spelled-tokens.ts";
import { kindIn, plainWords, type WordKind } from "./token-words.ts";

/** What the text around one token calls it. */
export interface TokenLabel {
  readonly words: string;
  readonly kind: WordKind;
}

const NO_LABEL: TokenLabel = { words: "", kind: undefined };

/** What stands right beside a token says what it is. */
const LABEL_CHARACTERS = 40;

/**
 * The label of each token that a text spells: in front of it (`KCT1: 1234…`) or behind (`1234… (KCT1)`). Marks between two tokens say
 * whose a word is. Where they don't, the words are read as the ends of the text are: in front if the first token has one there and the
 * last none behind, behind if it is the other way around. Where a word may be either's, nobody's it is.
 */
export function labelsOf(text: string, spelled: readonly SpelledToken[]): readonly TokenLabel[] {
  const isSeveral = spelled.length > 1;
  const gaps = spelled.map(({ start }, at) => nearIn(text.slice(spelled[at - 1]?.end ?? 0, start)));
  const sides = gaps.map((gap, at): Sides => (at === 0 ? {} : sidesOf(gap)));
  const head = gaps[0] ?? "";
  const tail = segmentsOf(nearIn(text.slice(spelled.at(-1)?.end ?? 0)));
  const isUnclear = sides.some(({ unclear }) => unclear !== undefined);
  const first = labelOf(segmentsOf(head).findLast(isFilled) ?? "", isSeveral);
  const last = behindOf((isUnclear ? tail.find(isFilled) : tail[0]) ?? "");
  // `Token: 1 KCT1 2 KCT2 3`: the mark behind the first word alone says that it is none of their row.
  const isFront = first.kind !== undefined && !isMarked(head) && last.kind === undefined;
  const isBehind = first.kind === undefined && last.kind !== undefined;
  return sides.map(({ front, unclear }, at) => {
    const before = at === 0 ? first : unclear !== undefined && isFront ? labelOf(unclear, isSeveral) : front;
    const next = sides[at + 1];
    const after = next
      ? next.unclear !== undefined && isBehind
        ? behindOf(next.unclear)
        : next.behind
      : isUnclear && !isBehind
        ? undefined
        : last;
    return clearest(before ?? NO_LABEL, after ?? NO_LABEL);
  });
}

/** The ends of a long text, as far as a label stands from its token. */
const nearIn = (gap: string): string => (gap.length <= 200 ? gap : `${gap.slice(0, 100)}\n${gap.slice(-100)}`);

const isFilled = (text: string): boolean => text.trim() !== "";

/** “Token: 1234… (KCT1)”: the plain word is what any other beats. Two words that differ are no label. */
function clearest(front: TokenLabel, behind: TokenLabel): TokenLabel {
  if (behind.kind === undefined || behind.kind === front.kind) return front;
  if (front.kind === undefined || front.kind === "credit") return behind;
  return behind.kind === "credit" ? front : NO_LABEL;
}

interface Sides {
  readonly behind?: TokenLabel;
  readonly front?: TokenLabel;
  /** A word without a mark that says whose it is. */
  readonly unclear?: string;
}

/** Of the text between two tokens: what belongs to the one before it, and to the one behind. */
function sidesOf(gap: string): Sides {
  const segments = segmentsOf(gap);
  const filled = segments.filter(isFilled);
  const [start = "", end = ""] = [segments[0], segments.at(-1)];
  if (isMarked(gap)) return { behind: behindOf(filled.length > 1 ? start : ""), front: labelOf(filled.at(-1)!, true) };
  if (segments.length > 1 && (isFilled(start) || isFilled(end)))
    return { behind: behindOf(start), front: labelOf(end, true) };
  const [only = ""] = filled.length === 1 ? filled : [];
  return labelOf(only, true).kind === undefined ? {} : { unclear: only };
}

/** `KCT1:`, `KCT1 =`: what stands before the mark belongs to what comes behind it. */
const isMarked = (gap: string): boolean => /[:=]\s*$/.test(gap);

/** Commas, ends of lines, of sentences and of brackets; “and” between two. */
const SEPARATOR = /[,;|/•\r\n]+|\\n|<[^<>]*>|\.(?=\s|$)|\s(?:and|&)\s|(?<=\([^()]*\))\s*(?=[^\s,;|/.\r\n])/i;

const segmentsOf = (text: string): readonly string[] => text.split(SEPARATOR);

/** Of several tokens “tokens” stands over all. */
function labelOf(text: string, isSeveral: boolean): TokenLabel {
  const words = text.slice(-LABEL_CHARACTERS);
  const plain = plainWords(words);
  return {
    words,
    kind: isSeveral && /\btokens$/.test(plain) && kindIn(plain) === "credit" ? undefined : kindIn(plain),
  };
}

const LABEL_WORDS =
  /^(?:(?:kct|key|change|update|token|code|pin|credit|energy|electricity|bonus|free|fbe|main|reset|configur\w*|roll|rollover|clear|tamper|first|second|1st|2nd|part|the|is|your|of|for|no|kct[1-9]|[1-9])(?: |$))+$/;

/** Behind a token a label is a label's words and no others, and nothing comes after a colon: `Bonus Token : N/A` is of no token. */
function behindOf(text: string): TokenLabel {
  const words = text.slice(0, LABEL_CHARACTERS);
  const own = words.replace(/^\s*[-–—:=]\s*/, "");
  const plain = plainWords(own);
  return LABEL_WORDS.test(plain) && !/[:=]/.test(own) ? { words, kind: kindIn(plain) } : NO_LABEL;
}
