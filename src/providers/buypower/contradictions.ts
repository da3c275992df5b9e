import { type Fields, fieldsOf, type Member, membersIn } from "../../vendor-text/fields.ts";
import { showsToken } from "../../vendor-text/shown-token.ts";
import { quoted } from "../../vendor-text/words.ts";
import { STATEMENT } from "./statement.ts";

const VENDED_CODES: readonly string[] = ["100", "200"];

/** Members that tell what became of a sale, in whichever object or list of the answer they stand. */
const END_NAME = /status$|^success(?:ful)?$/i;
const CODE_NAME = /^response_?code$/i;
const ERROR_NAME = /^error$/i;
/** Energy, and the seconds from one requery to the next: not nothing, it was sold, or is under way. */
const ENERGY_NAME = /units$|^amount_?generated$/i;
const DELAY_NAME = /^delays?$/i;
const isSome = ({ text }: Member): boolean => /[1-9]/.test(text);
export const isEnergyOrDelay = (member: Member): boolean =>
  (ENERGY_NAME.test(member.name) || DELAY_NAME.test(member.name)) && isSome(member);
/** What also stands in an answer that has nothing to tell of a sale. */
const SAYS_NO_MORE = /^(?:message|response_?(?:code|message)|status|error)$/i;

type End = "delivered" | "failed" | "pending" | "reversed";

/** `true` or `false`, or a word of the vendor's receipts. Undefined: another. */
function endOf({ text }: Member): End | undefined {
  const word = text.toLowerCase();
  if (word === "true") return "delivered";
  if (word === "false") return "failed";
  return Object.hasOwn(STATEMENT.statuses, word) ? STATEMENT.statuses[word] : undefined;
}

const inWords = ({ name, text }: Member): string => `${quoted(name)} says ${quoted(text)}`;

/** What in an answer speaks against the sale that its code says; undefined: nothing. */
export function whyNotVended(body: Fields): string | undefined {
  const other = membersIn(body).find((member) => {
    if (CODE_NAME.test(member.name)) return !VENDED_CODES.includes(member.text);
    if (ERROR_NAME.test(member.name)) return member.text === "true";
    if (DELAY_NAME.test(member.name)) return isSome(member);
    const end = END_NAME.test(member.name) ? endOf(member) : undefined;
    return end !== undefined && end !== "delivered";
  });
  return other && `it is said to be vended, and ${inWords(other)}`;
}

/**
 * What in an answer speaks against its being refused, failed or not there, as `code` says; undefined: nothing. A word that the vendor
 * does not list does too: after these it may be bought again, here or elsewhere, or paid back.
 */
export function whyNotRefused(kind: "rejected" | "not_found", code: string | undefined, body: Fields) {
  const says = kind === "rejected" ? "it is said to have failed" : "it is said not to be there";
  const members = membersIn(body);
  const other =
    members.find((member) => END_NAME.test(member.name) && endOf(member) !== "failed") ??
    members.find(({ name, text }) => CODE_NAME.test(name) && text !== code) ??
    members.find(isEnergyOrDelay);
  if (other) return `${says}, and ${inWords(other)}`;
  if (hasToken(body)) return `${says}, and has a token`;
  const shown = [body.data, fieldsOf(body.result).data].flatMap(membersIn).find(({ name }) => !SAYS_NO_MORE.test(name));
  return kind === "not_found" && shown ? `${says}, and is shown: ${inWords(shown)}` : undefined;
}

/** Whether a token stands anywhere in it. */
export const hasToken = (body: Fields): boolean => showsToken(body, REFERENCES);

/** Where the vendor has numbers of its own, and ours: with twenty digits they are no token. */
const REFERENCES = new Set(["orderId", "id", "vendRef", "receiptNo", "vendTime", "reference", "exchangeReference"]);
