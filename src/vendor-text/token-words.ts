import type { TokenParcel } from "../ports/purchase-payload.ts";

/**
 * What an answer says a token is for. `key_change`: a part of one, without its number. `other`: nothing that a customer buys, or a
 * type that nobody knows. Undefined: it does not say, or it counts its tokens (`token2`), and what is counted may be anything.
 */
export type SaidKind = TokenParcel["kind"] | "key_change" | "other" | undefined;

/** `counted`: called a token, with a number. */
export type WordKind = SaidKind | "counted";

/** `resetToken` and `RESET_TOKEN` as `reset token`, without the number of an entry in a list (`2) KCT1`). */
export const plainWords = (name: string): string =>
  name
    .replace(/^\s*\d+\)\s/, "")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase()
    .trim();

const BONUS = /bonus|free|\bfbe\b/;
/** “Set first section decoder key” is what IEC 62055-41 calls a part; discos also say key update and rollover. */
const KEY_CHANGE =
  /kct|key ?(?:change|update|revision|exchange)|(?:change|update|new|decoder)(?: \w+)? ?key|\bkey ?token|roll ?over/;
/** Before there were key changes of their own name Ikeja's meters took these, in this order. */
const FIRST = /reset/;
const SECOND = /configur/;
const TOKEN = /token|purchased ?code|credit|energy|parcel|\bpin\b|^extras$/;
/** What maintains a meter: it has twenty digits too, and no energy. */
const MAINTENANCE =
  /tamper|\bclear|\bkms\b|\bkrn\b|engineering|power ?limit|unbalance|decommission|\btest (?:token|code)/;

export const isKeyChange = (words: string): boolean => KEY_CHANGE.test(words);

/** Which part of a key change a word says: a number behind the key change's name counts before one in front. */
export function partIn(words: string): number | undefined {
  const number = /(?:kct|key|change|token)\D*?(\d+)/.exec(words)?.[1] ?? /\d+/.exec(words)?.[0];
  if (number !== undefined) return Number(number);
  return /\b(?:first|one|i)\b/.test(words) ? 1 : /\b(?:second|two|ii)\b/.test(words) ? 2 : undefined;
}

const PARTS: Readonly<Record<number, SaidKind>> = { 1: "kct1", 2: "kct2" };
export const keyChangePart = (part: number | undefined): SaidKind => PARTS[part ?? 0] ?? "key_change";

export function kindIn(words: string): WordKind {
  if (BONUS.test(words)) return "bonus";
  if (MAINTENANCE.test(words)) return "other";
  if (isKeyChange(words) || FIRST.test(words) || SECOND.test(words)) {
    const part = partIn(words);
    if (part !== undefined || isKeyChange(words)) return keyChangePart(part);
    return FIRST.test(words) ? "kct1" : "kct2";
  }
  if (!TOKEN.test(words)) return undefined;
  return /\d/.test(words) ? "counted" : "credit";
}

/** Types beside a token that are energy, under words that elsewhere may be anything. */
const ENERGY_TYPE =
  /electric|prepaid|prepayment|\bnormal\b|\bstandard\b|\bsale|\bvend|\bpurchase|\bmain\b|\bunits?\b|\bsts\b/;

/** Whether what stands beside a token names a type that nobody knows: it is then no energy, whatever list it stands in. */
export const isUnknownType = (words: string): boolean =>
  words !== "" && kindIn(words) === undefined && !ENERGY_TYPE.test(words);
