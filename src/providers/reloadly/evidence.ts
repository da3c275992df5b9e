import { echoesIn, saysTaken, saysUsedIn, textsOf } from "../../vendor-text/evidence.ts";
import { membersIn } from "../../vendor-text/fields.ts";
import type { Answer } from "./answer.ts";
import { ID_NAME, STATUS_NAME } from "./contradictions.ts";
import { ERRORS, STATUSES } from "./errors.ts";

const IDENTIFIER_NAME = /^custom_?identifier$/i;
/** Of a good answer to a top-up, some frameworks' name of its number. */
const NUMBER_NAME = /^id$/i;
const WORDS_NAME = /^(?:message|description)$/i;

/**
 * Whether the answer to a top-up shows that the vendor has it: its identifier is refused as used, or echoed as that of a transaction,
 * or there is a number or a status of one, whatever else is said. Nothing that is another's shows anything.
 */
export function showsTopup(answer: Answer, reference: string): boolean {
  const { status, errorCode, evidence } = answer;
  if (isAnothers(answer, reference)) return false;
  if (usesIdentifier(answer, reference) || isNumbered(answer) || hasStatus(answer)) return true;
  const isGood = status < 300 && errorCode === undefined;
  return (
    isGood &&
    (echoesIn(evidence, IDENTIFIER_NAME).length > 0 ||
      textsOf(evidence, NUMBER_NAME).some((text) => /^\d+$/.test(text)) ||
      textsOf(evidence, WORDS_NAME).some((words) => saysTaken(words, false)))
  );
}

/** Whether an answer to a top-up refuses our identifier as used, whatever else it says: then it is no refusal of the top-up. */
export const usesIdentifier = (answer: Answer, reference: string): boolean =>
  !isAnothers(answer, reference) &&
  (membersIn(answer.evidence).some(({ text }) => isUsedCode(text)) ||
    saysUsedIn(answer.evidence, IDENTIFIER_NAME, reference));

/** Whether the answer to a question shows a transaction with our identifier. */
export const showsOurs = (answer: Answer, reference: string): boolean =>
  !isAnothers(answer, reference) &&
  echoesIn(answer.evidence, IDENTIFIER_NAME).length > 0 &&
  (isNumbered(answer) || hasStatus(answer));

const isAnothers = ({ evidence }: Answer, reference: string): boolean =>
  echoesIn(evidence, IDENTIFIER_NAME).some((echo) => echo !== reference);

const isNumbered = ({ evidence }: Answer): boolean => textsOf(evidence, ID_NAME).some((text) => /\d/.test(text));

/** A status of a transaction that is more than its failure. */
const hasStatus = ({ evidence }: Answer): boolean =>
  textsOf(evidence, STATUS_NAME).some((text) => {
    const word = text.toUpperCase();
    return Object.hasOwn(STATUSES, word) && STATUSES[word] !== "failed";
  });

function isUsedCode(text: string): boolean {
  const meaning = Object.hasOwn(ERRORS, text) ? ERRORS[text] : undefined;
  return meaning?.kind === "unknown" && meaning.isKnown === true;
}
