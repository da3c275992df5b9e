import { echoesIn, readEvidence, saysNotThere, saysTaken, saysUsedIn, textsOf } from "../../vendor-text/evidence.ts";
import { type Fields, fieldsOf, isFields, membersIn } from "../../vendor-text/fields.ts";
import type { Answered } from "./answered.ts";
import { ORDER_ID_NAME, whyAnothers } from "./attempt-match.ts";
import { hasToken, isEnergyOrDelay } from "./contradictions.ts";
import { codeOf, type Meaning, STATUSES } from "./statuses.ts";

/** The vendor's own numbers of a sale. */
const NUMBER_NAME = /^(?:id|vend_?ref|receipt_?(?:no|number))$/i;
const WORDS_NAME = /^(?:response_?)?message$/i;
const ACCEPTED = 202;
const CONFLICT = 409;

/** What an answer shows beside what it decides. */
export interface Evidence {
  /** The vendor has the attempt, whatever becomes of it. */
  readonly isKnown: boolean;
  /** It has a token, which must not be lost. */
  readonly hasToken: boolean;
}

const NONE: Evidence = { isKnown: false, hasToken: false };

/**
 * What an answer that decides nothing shows all the same: that the vendor has the attempt, by its code, its words, our orderId, a
 * number of a sale or a token, or because it refuses the orderId as used. Nothing that is another's shows anything.
 */
export function evidenceOf(answered: Answered): Evidence {
  const { call, status, text } = answered;
  const body = readEvidence(text);
  // HTTP 202 is “in progress”, with or without a body.
  if (!body) return { ...NONE, isKnown: call === "vend" && status === ACCEPTED };
  if (isAnothers(body, answered)) return NONE;
  if (hasToken(body)) return { isKnown: true, hasToken: true };
  const isKnown =
    isShown(body) ||
    isEchoed(body, answered) ||
    isCalledKnown(body, answered) ||
    isUsed(body, answered) ||
    textsOf(body, WORDS_NAME).some((words) => saysTaken(words, call === "requery")) ||
    (call === "vend" && (status === ACCEPTED || status === CONFLICT || isAgreed(body, status)));
  return { ...NONE, isKnown };
}

/** Whether an answer refuses our orderId as used, whatever else it says: then it is no refusal of the purchase. */
export function refusesAsUsed(answered: Answered): boolean {
  const body = readEvidence(answered.text);
  return body !== undefined && !isAnothers(body, answered) && isUsed(body, answered);
}

const isUsed = (body: Fields, { reference }: Answered): boolean => saysUsedIn(body, ORDER_ID_NAME, reference);

function isAnothers(body: Fields, answered: Answered): boolean {
  const echoes = echoesIn(body, ORDER_ID_NAME);
  if (echoes.length > 0) return echoes.some((echo) => echo !== answered.reference);
  // Under our own orderId it is ours, be it for another meter: a person has to look.
  return membersIn(body).some(
    (member) => !ORDER_ID_NAME.test(member.name) && whyAnothers(member, answered) !== undefined,
  );
}

/** Whether something of a sale is shown: a number, energy, or when to ask for it. */
const isShown = (body: Fields): boolean =>
  [body.data, fieldsOf(body.result).data, body.torn]
    .flatMap(membersIn)
    .some((member) => (NUMBER_NAME.test(member.name) && /\d/.test(member.text)) || isEnergyOrDelay(member)) ||
  membersIn(body).some((member) => isEnergyOrDelay(member));

/** A request that is not valid may be answered with the orderId that stood in it; all else that has it is about what was taken. */
const isEchoed = (body: Fields, { call, status }: Answered): boolean =>
  echoesIn(body, ORDER_ID_NAME).length > 0 &&
  (status < 300 || (status >= 500 && call === "vend")) &&
  !textsOf(body, WORDS_NAME).some(saysNotThere);

function isCalledKnown(body: Fields, { call, status }: Answered): boolean {
  const envelope = isFields(body.result) ? body.result : body;
  const torn = membersIn(body.torn).find(({ name }) => name === "responseCode")?.text;
  const key = `${status}/${codeOf(envelope) ?? torn}`;
  const meaning: Meaning | undefined = Object.hasOwn(STATUSES, key) ? STATUSES[key]?.[call] : undefined;
  if (meaning?.kind === "unknown") return meaning.isKnown === true;
  return meaning?.kind === "delivered" || meaning?.kind === "pending";
}

const isAgreed = (body: Fields, status: number): boolean =>
  status < 300 && (isFields(body.result) ? body.result : body).status === true;
