import { numbersIn, parseExactJson } from "./exact-json.ts";
import { isFields } from "./fields.ts";
import { spelledTokens, TOKEN_DIGITS, withoutTimes } from "./spelled-tokens.ts";
import { labelsOf } from "./token-labels.ts";
import {
  isKeyChange,
  isUnknownType,
  keyChangePart,
  kindIn,
  partIn,
  plainWords,
  type SaidKind,
  type WordKind,
} from "./token-words.ts";

/** A token where an answer has it. */
export interface SaidToken {
  /** Twenty digits. */
  readonly value: string;
  readonly kind: SaidKind;
  /** The name of the member; in a list, the list's. */
  readonly name: string;
  /** Of the objects around it, the nearest last. */
  readonly within: readonly string[];
  /** It stands where tokens stand. */
  readonly isNamed: boolean;
  /** It is called a part of a key change by another word (`resetToken`, `configureToken`): the clear words count before it. */
  readonly isByAnotherWord: boolean;
}

/** A member that has a token by its name, and what stands there is no whole one: digits are lost, or it is too long. */
export type UnreadToken = Pick<SaidToken, "name" | "kind" | "isByAnotherWord">;

export interface SaidTokens {
  readonly tokens: readonly SaidToken[];
  readonly unread: readonly UnreadToken[];
}

/**
 * Every token that an answer spells, wherever it stands, in texts that are JSON again too, and what should be one and is none. `json`:
 * the answer as it came. `ours`: what we said ourselves (reference, meter), which is no token.
 */
export function saidTokens(json: string, ours: readonly string[]): SaidTokens {
  const leaves = leavesOf(json);
  const tokens: SaidToken[] = [];
  const unread: UnreadToken[] = [];
  for (const leaf of leaves) {
    if (isReference(leaf.name)) continue;
    const found = tokensIn(leaf, ours);
    tokens.push(...found);
    if (found.length === 0 && isUnread(leaf))
      unread.push({ name: leaf.name, kind: kindOf(leaf, ""), isByAnotherWord: !isClear(leaf, "") });
  }
  return { tokens, unread };
}

/** One text or number of an answer. */
interface Leaf {
  readonly name: string;
  readonly within: readonly string[];
  /** What stands beside it and says what it is: the `type` of a parcel. */
  readonly label: string;
  /** Its object stands in a list: what stands beside it is said of it. */
  readonly isOfEntry: boolean;
  readonly text: string;
  readonly isNumber: boolean;
}

const LABEL_NAME = /^(?:token_?)?(?:type|kind|label)$/i;
/** In a list of things each has its name; around all of it stands the customer's. */
const LISTED_LABEL_NAME = /^(?:name|title|description)$/i;

function leavesOf(json: string): readonly Leaf[] {
  type Node = Omit<Leaf, "text" | "isNumber"> & { value: unknown; numbers: ReadonlySet<string>; isListed: boolean };
  const leaves: Leaf[] = [];
  const rest: Node[] = [];
  const parse = (text: string, place: Omit<Node, "value" | "numbers" | "isListed">): boolean => {
    const value = /^\s*[[{]/.test(text) ? parseExactJson(text) : undefined;
    if (value === undefined) return false;
    rest.push({ ...place, value, numbers: numbersIn(text), isListed: false });
    return true;
  };
  parse(json, { name: "", within: [], label: "", isOfEntry: false });
  // It grows on the way: the answer's depth is the vendor's choice, that of our stack is not.
  for (const { name, within, label, isOfEntry, value, numbers, isListed } of rest) {
    const place = { name, within, label, isOfEntry };
    if (typeof value === "string") {
      if (!parse(value, place)) leaves.push({ ...place, text: value, isNumber: numbers.has(value) });
    } else if (Array.isArray(value)) {
      const entries = isInPieces(value) ? [value.join(" ")] : value;
      for (const entry of entries) rest.push({ ...place, value: entry, numbers, isListed: true });
    } else if (isFields(value)) {
      const own = Object.entries(value);
      const isLabel = (key: string) => LABEL_NAME.test(key) || (isListed && LISTED_LABEL_NAME.test(key));
      const beside = own.flatMap(([key, text]) => (isLabel(key) && typeof text === "string" ? [text] : [])).join(" ");
      const around = name === "" ? within : [...within.slice(1 - NAMES_AROUND), name];
      for (const [key, member] of own)
        rest.push({
          name: key,
          within: around,
          label: beside,
          isOfEntry: isListed,
          value: member,
          numbers,
          isListed: false,
        });
    }
  }
  return leaves;
}

/** Of the names around a member the nearest count: its depth is the vendor's choice too. */
const NAMES_AROUND = 4;

/** A list of a token's groups. */
const isInPieces = (list: readonly unknown[]): boolean =>
  list.length > 1 && list.every((entry) => typeof entry === "string" && /^\d{1,9}$/.test(entry.trim()));

/**
 * By the clearest word: beside it in its text, beside it (`type`), its name, the names around it. `credit` is what any other word beats, and
 * what counts its tokens counts the parts of the key change, or the bonuses, that it stands in.
 */
function kindOf({ label, name, within, isOfEntry }: Leaf, own: string): SaidKind {
  const near = [own, label, name].map(plainWords);
  const said = [...near, ...within.toReversed().map(plainWords)].map(kindIn);
  const clear = said.find((one) => one !== undefined && one !== "credit" && one !== "counted");
  if (clear === "key_change") return keyChangePart(near.map(partIn).find((part) => part !== undefined));
  if (clear !== undefined) return clear;
  const isInherited = kindIn(plainWords(name)) === undefined || isOfEntry;
  if (isInherited && kindIn(near[0]!) === undefined && isUnknownType(near[1]!)) return "other";
  return said.includes("counted") || !said.includes("credit") ? undefined : "credit";
}

const isClear = ({ label, name, within }: Leaf, own: string): boolean =>
  [own, label, name, ...within].some((words) => isKeyChange(plainWords(words)));

const isNamedIn = ({ label, name, within }: Leaf): boolean =>
  [label, name, ...within].some((words) => kindIn(plainWords(words)) !== undefined);

const withoutOurs = (text: string, own: string): string =>
  own === "" || !text.includes(own)
    ? text
    : text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(own)}(?![\\p{L}\\p{N}])`, "gu"), "ours");

function tokensIn(leaf: Leaf, ours: readonly string[]): readonly SaidToken[] {
  const { name, within } = leaf;
  const isNamed = isNamedIn(leaf);
  const restored = restoredFrom(leaf);
  const text = ours.reduce(withoutOurs, withoutTimes(leaf.text));
  const spelled =
    restored === undefined
      ? isRounded(leaf) || isAmount(leaf.text)
        ? []
        : spelledTokens(text, isNamed)
      : [{ digits: restored, start: 0, end: 0 }];
  const labels = restored === undefined ? labelsOf(text, spelled) : [{ words: "", kind: undefined }];
  const kinds = labels.map(({ kind }) => kind);
  const isAlone = spelled.length === 1;
  const own = kindOf(leaf, "");
  // Of a text under a key change's name “token 1” is its first part.
  const isPart = (kind: WordKind) => (own === "key_change" || own === "other") && (kind ?? "counted") === "counted";
  return spelled.flatMap(({ digits }, at): SaidToken[] => {
    if (!/^\d{20}$/.test(digits)) return [];
    const { words, kind } = labels[at]!;
    const told = { value: digits, name, within, isNamed: isNamed || kind !== undefined };
    const isByAnotherWord = !isClear(leaf, words);
    return [{ ...told, isByAnotherWord, kind: isAlone || isPart(kind) ? kindOf(leaf, words) : kindAmong(kinds, at) }];
  });
}

/** Of several tokens in one text: unless each has its word, nobody knows which of the others is the energy. */
function kindAmong(kinds: readonly WordKind[], at: number): SaidKind {
  const kind = kinds[at];
  return kind === "counted" || (kind === "credit" && kinds.includes(undefined)) ? undefined : kind;
}

/** Of numbers that are written without a leading zero: one token in seven has one, one in a thousand has three. */
const NUMBER_DIGITS_MIN = 17;

/** A token that was written as a number and lost the zeros in front. */
function restoredFrom(leaf: Leaf): string | undefined {
  const { text, isNumber } = leaf;
  const isShort = /^\d+$/.test(text) && text.length >= NUMBER_DIGITS_MIN && text.length < TOKEN_DIGITS;
  return isNumber && isShort && hasToken(leaf) && !isRounded(leaf) ? text.padStart(TOKEN_DIGITS, "0") : undefined;
}

/** It has been a float on its way: it is one to the last digit, as few tokens are. */
const isRounded = ({ text, isNumber }: Leaf): boolean =>
  isNumber && /^\d{17,30}$/.test(text) && (String(Number(text)) === text || BigInt(Number(text)) === BigInt(text));

const isAmount = (text: string): boolean => /^-?\d+\.\d+$/.test(text.trim());

/** With so many digits before its point it is a token that was a float. */
const isLongAmount = (text: string): boolean => /^\d{17,}\.\d+$/.test(text);

/** What a token's name is part of, and no token: `tokenAmount`, `bonusTokenUnits`. */
const OF_A_TOKEN =
  /\b(?:amount|amt|units?|tax|vat|value|desc(?:ription)?|rate|fee|cost|price|type|kind|label|status|count|balance|date|time|index|class|charges?|message|tech|tid)$/;

/** Whether by its own name, or by what stands beside it, it is a token. */
const hasToken = ({ label, name }: Leaf): boolean =>
  !OF_A_TOKEN.test(plainWords(name)) && [label, name].some((words) => kindIn(plainWords(words)) !== undefined);

/** Fewer than these are a counter, or a code of the disco's. */
const UNREAD_DIGITS_MIN = 10;

function isUnread(leaf: Leaf): boolean {
  if (!hasToken(leaf)) return false;
  const text = leaf.text.replace(/^\s*token\s*:?/i, "").trim();
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(text) || isLongAmount(text)) return true;
  const digits = text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  return /^\p{Nd}+$/u.test(digits) && digits.length >= UNREAD_DIGITS_MIN && /[^0]/.test(digits) && !isAmount(text);
}

const REFERENCE_LAST =
  /(?:^|\s)(?:id|ref|reference|receipt|invoice|date|time|timestamp|signature|hash|phone|mobile|element|email)$/;
const REFERENCE_NUMBER =
  /(?:receipt|invoice|meter|account|order|serial|phone|mobile|transaction|trans|session|ref|reference|customer|request) ?(?:no|num|number|code|id)$/;

/** Where vendors have numbers of their own, and ours: with twenty digits they are no token. */
function isReference(name: string): boolean {
  const words = plainWords(name);
  return !/token|kct/.test(words) && (REFERENCE_LAST.test(words) || REFERENCE_NUMBER.test(words));
}
