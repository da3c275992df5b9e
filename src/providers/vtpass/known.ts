import { saysUsed, showsNumber } from "../../kernel/vendor-evidence.ts";
import { membersIn, readFields, textOf } from "../../kernel/vendor-fields.ts";
import { showsTransaction } from "./contradictions.ts";
import { isAnothers, REQUEST_ID_NAME } from "./ours.ts";
import type { Answered } from "./outcomes.ts";
import { type Meaning, STATUSES } from "./statuses.ts";

/**
 * Whether an answer that decides nothing shows all the same that the vendor has the attempt: by its code, by a transaction or a number
 * of one, or because it refuses the request_id as used. Nothing that is another's shows anything.
 */
export function isKnown(answered: Answered): boolean {
  const { call, text, reference } = answered;
  const body = readFields(text);
  if (!body) return showsNumber(text, reference, "transactionId");
  const members = membersIn(body);
  const echoes = members.filter(({ name }) => REQUEST_ID_NAME.test(name));
  if (echoes.some((echo) => echo.text !== reference)) return false;
  // Under our own request_id it is ours, be it for another phone: a person has to look.
  if (echoes.length === 0 && members.some((member) => isAnothers(member, answered))) return false;
  const code = textOf(body, ["code"]);
  const meaning = code !== undefined && Object.hasOwn(STATUSES, code) ? STATUSES[code]?.[call] : undefined;
  if (showsTransaction(body, members) || isCalledKnown(meaning)) return true;
  return call === "pay" && (meaning?.kind === "by_status" || members.some(({ text }) => saysUsed(text)));
}

const isCalledKnown = (meaning: Meaning | undefined): boolean =>
  meaning?.kind === "unknown" && meaning.isKnown === true;
