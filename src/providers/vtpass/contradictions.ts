import { type Fields, fieldsOf, type Member, membersIn, textOf } from "../../vendor-text/fields.ts";
import { quoted } from "../../vendor-text/words.ts";
import type { Sold } from "./products/sold.ts";
import { INNER_STATUSES, type Meaning, STATUSES } from "./statuses.ts";

/** What becomes of a transaction. */
type End = "delivered" | "pending" | "failed" | "reversed";

/** Members that tell the end, whatever object or list of the answer they stand in. */
const END_NAMES = /status$|^(?:success(?:ful)?|delivered)$/i;
const CODE_NAME = /^code$/i;
/** A disco's own code. */
const DISCO_CODE_NAME = /^response_?code$/i;
const DISCO_SUCCESS = /^(?:0|00|000|100|200)$/;
const TRANSACTION_ID_NAME = /^transaction_?id$/i;

/** In any case of letters, and as yes or no. Undefined: a word that the vendor does not list. */
function endOf({ text }: Member): End | undefined {
  const word = text.toLowerCase();
  if (word === "true") return "delivered";
  if (word === "false") return "failed";
  const inner = Object.hasOwn(INNER_STATUSES, word) ? INNER_STATUSES[word] : undefined;
  if (inner === undefined || inner === "delivered") return inner;
  return inner.kind === "pending" || inner.kind === "failed" || inner.kind === "reversed" ? inner.kind : undefined;
}

/** What may stand beside the end that an answer has by its code. */
const AGREED: Partial<Record<Meaning["kind"], readonly (End | undefined)[]>> = {
  failed: ["failed"],
  rejected: ["failed"],
  // The failed purchase is the one that was refunded.
  reversed: ["reversed", "failed"],
  // A missing transaction has no state.
  not_found: [],
  duplicate: [],
};

/**
 * What in an answer speaks against its being refused, failed, not there or taken back; undefined: nothing. A word that the vendor
 * does not list does too: after these it may be bought again, here or elsewhere, or paid back.
 */
export function whyNotRefused({ kind }: Meaning, body: Fields, sold: Pick<Sold, "hasToken" | "isUnits">) {
  const agreed = AGREED[kind];
  if (!agreed) return undefined;
  const members = membersIn(body);
  const code = textOf(body, ["code"]);
  const other =
    members.find((member) => END_NAMES.test(member.name) && !agreed.includes(endOf(member)) && !isDiscosOwn(member)) ??
    members.find(({ name, text }) => CODE_NAME.test(name) && text !== code) ??
    members.find(({ name, text }) => DISCO_CODE_NAME.test(name) && DISCO_SUCCESS.test(text) && kind !== "reversed");
  if (other) return `${SAYS[kind]}, and ${shown(other)}`;
  if (agreed.length === 0 && showsTransaction(body, members)) return `${SAYS[kind]}, and is shown`;
  if (kind === "reversed") return undefined;
  if (sold.hasToken?.(body)) return `${SAYS[kind]}, and has a token`;
  const units = members.find((member) => sold.isUnits?.(member));
  return units && `${SAYS[kind]}, and ${shown(units)}`;

  /** A sale that was taken back may still show its token, and what the disco said of it: that stands at the top. */
  function isDiscosOwn(member: Member): boolean {
    return kind === "reversed" && endOf(member) === undefined && body[member.name] === member.text;
  }
}

/** Whether it shows a transaction, or the number of one. */
export const showsTransaction = (body: Fields, members: readonly Member[]): boolean =>
  membersIn(fieldsOf(body.content).transactions).length > 0 ||
  members.some(({ name }) => TRANSACTION_ID_NAME.test(name));

/** What in an answer speaks against the delivery that its transaction tells. Words of a disco's own don't. */
export function whyNotDelivered(body: Fields): string | undefined {
  const other = membersIn(body).find((member) => {
    if (CODE_NAME.test(member.name))
      return Object.hasOwn(STATUSES, member.text) && !DELIVERED_CODES.includes(member.text);
    const end = END_NAMES.test(member.name) ? endOf(member) : undefined;
    return end !== undefined && end !== "delivered";
  });
  return other && `it is said to be delivered, and ${shown(other)}`;
}

const DELIVERED_CODES = ["000", "001"];

const shown = ({ name, text }: Member): string => `${quoted(name)} says ${quoted(text)}`;

const SAYS: Partial<Record<Meaning["kind"], string>> = {
  failed: "it is said to have failed",
  rejected: "it is said to be refused",
  duplicate: "it is said not to have been taken",
  not_found: "it is said not to be there",
  reversed: "it is said to be taken back",
};
