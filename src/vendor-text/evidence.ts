import { type Fields, isFields, membersIn, readFields, textOf } from "./fields.ts";

/**
 * What in an answer shows that its vendor has our reference, whatever it decides. It only ever holds a purchase, so texts and torn
 * answers may be read for it, which decide nothing else.
 */

/** A sentence; no more of a vendor's text is looked at. */
const WORDS_MAX = 300;

/** `CUSTOM_IDENTIFIER`, `orderId` and `request-id` as words. */
const inWords = (text: string): string =>
  text
    .slice(0, WORDS_MAX)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .toLowerCase();

const REFERENCE = "(?:id|identifier|ref|reference)";
const OF_OURS = `(?:${REFERENCE}|request|order|transaction)`;
const NOT = "(?<!\\bnot )";
const DONE = "(?:used|exists?|existed|received|processed|submitted|taken|recorded|registered|in use)";
const SAYS_USED: readonly RegExp[] = [
  new RegExp(`\\b${OF_OURS}\\b.*${NOT}\\b(?:already|previously) (?:been )?${DONE}\\b`, "s"),
  new RegExp(`\\b${REFERENCE}\\b.*${NOT}\\b(?:been|was|is) (?:used|taken|in use)\\b`, "s"),
  new RegExp(`\\b${OF_OURS}\\b.*${NOT}\\b(?:been )?(?:used|received|submitted) before\\b`, "s"),
  new RegExp(
    `\\b(?:duplicated?|reused|repeated|already used)(?: (?:request|order|transaction|custom|client|unique))* ${REFERENCE}\\b`,
  ),
  new RegExp(`\\b${REFERENCE} (?:is |was )?(?:a )?(?:duplicated?|not unique|must be unique)\\b`),
  // A purchase like another may be a third one's: that is no word of our reference.
  /(?<!\b(?:possible|possibly a|likely|suspected|similar|potential) )\bduplicated? (?:order|request)\b/,
];
const SAYS_IT_EXISTS = new RegExp(
  `\\b(?:this|that|the same|same|your|given|provided) (?:[a-z]+ )?${REFERENCE}\\b.*\\bexists?\\b|\\bexists? (?:with|for|under) .*\\b${REFERENCE}\\b`,
  "s",
);
const DENIES = /\b(?:not|no|never|nothing|without|unknown|invalid|un\w+ful)\b|n't\b|\bfail/;

/** Whether a vendor says in words that the reference was used before: “Request ID already exists”. Not of a purchase like another. */
export function saysUsed(text: string): boolean {
  const words = inWords(text);
  return SAYS_USED.some((used) => used.test(words)) || (SAYS_IT_EXISTS.test(words) && !DENIES.test(words));
}

/** How an echo of ours ends or begins in a sentence: `request id 2026…`. */
const NAMED_REFERENCE = new RegExp(
  `(?:request|order|custom|client)[ _-]?${REFERENCE}[^\\p{L}\\p{N}]+((?=[\\w-]*\\d)[\\w-]{10,})`,
  "giu",
);

/** Whether words speak of another's reference by name. */
const namesAnothers = (text: string, reference: string): boolean =>
  [...text.slice(0, WORDS_MAX).matchAll(NAMED_REFERENCE)].some(([, named]) => named !== reference);

/**
 * Whether something in an answer says that our reference was used: a text, one under the reference's own name (the faults of a form),
 * or one beside it (`{"field": "orderId", "message": "already used"}`). `name`: what the reference is called there.
 */
export const saysUsedIn = (body: Fields, name: RegExp, reference: string): boolean =>
  sentencesIn(body, name).some((text) => saysUsed(text) && !namesAnothers(text, reference));

function sentencesIn(body: Fields, name: RegExp): readonly string[] {
  const sentences: string[] = [];
  const rest: unknown[] = [body];
  // It grows on the way: the answer's depth is the vendor's choice, that of our stack is not.
  for (const value of rest) {
    if (Array.isArray(value)) for (const entry of value) rest.push(entry);
    if (!isFields(value)) continue;
    const texts = Object.values(value).flatMap((one) => (typeof one === "string" ? one : []));
    const subject = texts.find((text) => name.test(lastOf(text)));
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === "object") rest.push(member);
      for (const text of [member].flat())
        if (typeof text === "string") sentences.push(text, ...(name.test(lastOf(key)) ? [`${key} ${text}`] : []));
    }
    if (subject !== undefined) sentences.push(...texts.map((text) => `${lastOf(subject)} ${text}`));
  }
  return sentences;
}

/** `data.orderId`: of a path its end. */
const lastOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).trim();

const SAYS_TAKEN = /\b(?:success(?:ful(?:ly)?)?|pending|processing|in progress|queued|delivered|vended|completed?)\b/;

/** What answers to questions are called, whatever was found. */
const OF_A_QUESTION = /^\W*(?:(?:request|query|operation|fetched|retrieved|found) )?success(?:ful(?:ly)?)?\W*$/;

/**
 * Whether a vendor says in words that it has the purchase: “Transaction successful”, “in progress”. `isQuestion`: it answers a question,
 * of which a bare “success” may be said.
 */
export function saysTaken(text: string, isQuestion: boolean): boolean {
  const words = inWords(text);
  return SAYS_TAKEN.test(words) && !DENIES.test(words) && !(isQuestion && OF_A_QUESTION.test(words));
}

/** Whether words say that what they speak of is not there, or not valid: an echo beside them is the question's. */
export const saysNotThere = (text: string): boolean =>
  /\bnot (?:found|exist)|\bno such|\binvalid|\bunknown/.test(inWords(text));

/** What the answer echoes of our reference, or of another's. A sentence under the reference's name is a word on it, and no echo. */
export const echoesIn = (body: Fields, name: RegExp): readonly string[] =>
  membersIn(body)
    .filter((member) => name.test(member.name) && !/\s/.test(member.text) && !/^errors?$/i.test(member.within))
    .map(({ text }) => text);

/** Everything that stands whole in a text that is torn JSON, or says a thing twice: names and single values, without their places. */
const MEMBERS = /"([^"\\]{1,60})"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d[\d.]*|true|false))/g;

/**
 * What can be read of an answer for evidence: its object, what stands whole in a torn one (`torn` has one object for each member), or a
 * text as a `message`. Undefined: nothing, or a page.
 */
export function readEvidence(text: string): Fields | undefined {
  const body = readFields(text);
  if (body) return body;
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.startsWith("<")) return undefined;
  if (!/^[{[]/.test(trimmed)) return { message: trimmed.slice(0, WORDS_MAX) };
  return { torn: [...text.matchAll(MEMBERS)].map(([, name, word, bare]) => ({ [name!]: word ?? bare })) };
}

/** All that stands under one of these names, wherever it is. */
export const textsOf = (body: Fields, name: RegExp): readonly string[] =>
  membersIn(body).flatMap((member) => (name.test(member.name) ? (textOf({ text: member.text }, ["text"]) ?? []) : []));
