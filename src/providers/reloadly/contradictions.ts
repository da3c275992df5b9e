import { readVendorNaira } from "../../kernel/naira.ts";
import { type Member, membersIn } from "../../vendor-text/fields.ts";
import { quoted } from "../../vendor-text/words.ts";
import type { Answer, Fields } from "./answer.ts";
import { ERRORS, STATUSES, TOLD_BEFORE } from "./errors.ts";

/** Members that tell what became of a transaction, in whichever object or list of the answer they stand. */
export const STATUS_NAME = /status$/i;
const SUCCESS_NAME = /^success(?:ful)?$/i;
export const ID_NAME = /transaction_?id$/i;
const CODE_NAME = /^(?:error)?code$/i;
const DELIVERED_NAME = /^delivered_?amount$/i;
const PIN_NAME = /^pin_?details?$/i;
/** Of codes that are no listed error. */
const GOOD_CODE = /success|progress|pending/i;

const shown = ({ name, text }: Member): string => `${quoted(name)} says ${quoted(text)}`;

const isFailure = (text: string): boolean => Object.hasOwn(STATUSES, text) && STATUSES[text] === "failed";

/**
 * What in the answer to a top-up speaks against the refusal that its `errorCode` says; undefined: nothing. A status that the vendor
 * does not list does too. Some frameworks put the HTTP status there.
 */
export function whyNotRefused({ status, errorCode = "", body }: Answer): string | undefined {
  if (status >= 500 && !TOLD_BEFORE.has(errorCode)) return `it is said to be refused, under HTTP ${status}`;
  const other = membersIn(body).find(
    ({ name, within, text }) =>
      ID_NAME.test(name) ||
      PIN_NAME.test(within) ||
      (STATUS_NAME.test(name) && !isFailure(text.toUpperCase()) && text !== `${status}`) ||
      (SUCCESS_NAME.test(name) && text !== "false") ||
      (DELIVERED_NAME.test(name) && readVendorNaira(text) !== 0n),
  );
  return other && `it is said to be refused, and ${shown(other)}`;
}

/** What in an answer speaks against the end that its status says of a transaction, beside other statuses; undefined: nothing. */
export function whyNotSo(meaning: "delivered" | "failed" | "reversed", answer: Fields): string | undefined {
  const isGood = meaning === "delivered";
  const other = membersIn(answer).find(({ name, within, text }) => {
    if (SUCCESS_NAME.test(name)) return text !== `${isGood}`;
    if (PIN_NAME.test(within)) return meaning === "failed";
    if (!CODE_NAME.test(name)) return false;
    const isError = Object.hasOwn(ERRORS, text);
    return isGood ? isError : !isError && GOOD_CODE.test(text);
  });
  return other && `it is said to be ${meaning}, and ${shown(other)}`;
}

/** What else a page has; what it is sorted by stands in objects of these names. Source: Spring's `Page`, which the vendor's reports are. */
const OF_A_PAGE = /^(?:size|sort|pageable|content)$/;
const SAYS_NOTHING = /^(?:false|0|ok|success)$/i;

/**
 * Why a report of so many transactions is not all that there are; undefined: nothing in it says so. Pages are counted from 0 or 1.
 * Whatever a page does not have otherwise (faults, a message, that it is partial) may be why something is missing.
 */
export function whyNotWhole(report: Fields, listed: number): string | undefined {
  const other = membersIn({ ...report, content: null }).find(({ name, within, text }) => {
    // What it is sorted by has an `empty` of its own.
    switch (within === "" ? name : "") {
      case "totalElements":
      case "numberOfElements":
        return !(Number(text) <= listed);
      case "totalPages":
      case "number":
        return !(Number(text) <= 1);
      case "first":
      case "last":
        return text !== "true";
      case "empty":
        return text !== `${listed === 0}`;
      default:
        if (STATUS_NAME.test(name) || ID_NAME.test(name)) return true;
        return !OF_A_PAGE.test(name) && !OF_A_PAGE.test(within) && !SAYS_NOTHING.test(text);
    }
  });
  return other && `the report has ${listed} transactions, and ${shown(other)}`;
}
