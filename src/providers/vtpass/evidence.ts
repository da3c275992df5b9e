import { echoesIn, readEvidence, saysNotThere, saysTaken, saysUsedIn, textsOf } from "../../vendor-text/evidence.ts";
import { type Fields, membersIn, textOf } from "../../vendor-text/fields.ts";
import type { Answered } from "./answered.ts";
import { REQUEST_ID_NAME } from "./attempt-match.ts";
import { showsTransaction } from "./contradictions.ts";
import { soldOf } from "./products.ts";
import { type Meaning, STATUSES } from "./statuses.ts";

const CODE_NAME = /^code$/i;
const WORDS_NAME = /^(?:code|message|status|response_?(?:description|message))$/i;

/** What an answer shows beside what it decides. */
export interface Evidence {
  /** The vendor has the attempt, whatever becomes of it. */
  readonly isKnown: boolean;
  /** It has a token, which must not be lost. */
  readonly hasToken: boolean;
}

/**
 * What an answer that decides nothing shows all the same: that the vendor has the attempt, by its code, its words, a transaction, a
 * number of one or a token, or because it refuses the request_id as used. Nothing that is another's shows anything.
 */
export function evidenceOf(answered: Answered): Evidence {
  const body = readEvidence(answered.text);
  if (!body || isAboutAnother(body, answered)) return { isKnown: false, hasToken: false };
  const members = membersIn(body);
  const sold = soldOf(answered);
  if (sold.hasToken?.(body)) return { isKnown: true, hasToken: true };
  const isKnown =
    showsTransaction(body, members) ||
    members.some((member) => sold.isUnits?.(member)) ||
    isCalledKnown(body, answered) ||
    isUsed(body, answered);
  return { isKnown, hasToken: false };
}

/** Whether an answer refuses our request_id as used, whatever else it says: then it is no refusal of the purchase. */
export function refusesAsUsed(answered: Answered): boolean {
  const body = readEvidence(answered.text);
  return body !== undefined && !isAboutAnother(body, answered) && isUsed(body, answered);
}

const isUsed = (body: Fields, { reference }: Answered): boolean => saysUsedIn(body, REQUEST_ID_NAME, reference);

function isAboutAnother(body: Fields, answered: Answered): boolean {
  const echoes = echoesIn(body, REQUEST_ID_NAME);
  if (echoes.length > 0) return echoes.some((echo) => echo !== answered.reference);
  // Under our own request_id it is ours, be it for another phone: a person has to look.
  return membersIn(body).some(soldOf(answered).isAnothers);
}

/** By its code, or where it has none that is listed, by its words, or because it has our request_id. */
function isCalledKnown(body: Fields, { call }: Answered): boolean {
  const code = textOf(body, ["code"]);
  const codes = code === undefined ? textsOf(body.torn === undefined ? {} : body, CODE_NAME) : [code];
  const listed = codes.filter((one) => Object.hasOwn(STATUSES, one));
  if (listed.length > 0) return listed.some((one) => isTaken(STATUSES[one]?.[call], call));
  const words = textsOf(body, WORDS_NAME);
  if (words.some((text) => saysTaken(text, call === "requery"))) return true;
  return call === "pay" && echoesIn(body, REQUEST_ID_NAME).length > 0 && !words.some(saysNotThere);
}

function isTaken(meaning: Meaning | undefined, call: Answered["call"]): boolean {
  if (meaning?.kind === "by_status") return call === "pay";
  return meaning?.kind === "pending" || (meaning?.kind === "unknown" && meaning.isKnown === true);
}
