import { saysUsed, showsNumber } from "../../kernel/vendor-evidence.ts";
import { fieldsOf, isFields, membersIn, readFields } from "../../kernel/vendor-fields.ts";
import { ORDER_ID_NAME, whyAnothers } from "./ours.ts";
import type { Answered } from "./outcomes.ts";
import { codeOf, type Meaning, STATUSES } from "./statuses.ts";

/** The vendor's own numbers of a sale. */
const NUMBER_NAME = /^(?:id|vend_?ref|receipt_?no)$/i;
const CONFLICT = 409;

/**
 * Whether an answer that decides nothing shows all the same that the vendor has the attempt: by its code, by a number of a sale, or
 * because it refuses the orderId as used. Nothing that is another's shows anything.
 */
export function isKnown(answered: Answered): boolean {
  const { call, status, text, reference } = answered;
  const body = readFields(text);
  if (!body) return showsNumber(text, reference, "(?:id|vendRef)");
  const members = membersIn(body);
  const echoes = members.filter(({ name }) => ORDER_ID_NAME.test(name));
  if (echoes.some((echo) => echo.text !== reference)) return false;
  // Under our own orderId it is ours, be it for another meter: a person has to look.
  if (echoes.length === 0 && members.some((member) => whyAnothers(member, answered) !== undefined)) return false;
  const envelope = isFields(body.result) ? body.result : body;
  const key = `${status}/${codeOf(envelope)}`;
  const isNumbered = [body.data, fieldsOf(body.result).data]
    .flatMap(membersIn)
    .some(({ name, text }) => NUMBER_NAME.test(name) && /\d/.test(text));
  if (isNumbered || isCalledKnown(Object.hasOwn(STATUSES, key) ? STATUSES[key]?.[call] : undefined)) return true;
  return call === "vend" && (status === CONFLICT || members.some(({ text }) => saysUsed(text)));
}

const isCalledKnown = (meaning: Meaning | undefined): boolean =>
  meaning?.kind === "delivered" || (meaning?.kind === "unknown" && meaning.isKnown === true);
