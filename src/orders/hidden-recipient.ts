import { isSubscriber } from "../kernel/address.ts";

/** Numbers that a vendor leaves out of its reports, or of which it shows some digits. */

/** Besides digits: what stands around them, and what stands in the place of those that are hidden. */
const MASKABLE = /^[\d\s+().\-*xX#]*$/;
const MASK = /[*xX#]/;

/** Whether a report's recipient is no whole number, so that it rules out nobody by itself. */
export const isHidden = (recipient: string | undefined): boolean =>
  recipient === undefined || (MASKABLE.test(recipient) && !isSubscriber(recipient));

/** Whether the digits that a hidden recipient shows are those of the number: at its beginning and end, or at one of the two. */
export function mayBe(hidden: string | undefined, number: string): boolean {
  const shown = (hidden ?? "").replace(/[^\d*xX#]/g, "");
  if (!MASK.test(shown)) return number.endsWith(shown) || beginsWith(number, shown);
  const groups = shown.split(/\D+/);
  const [first = "", last = ""] = [groups[0], groups.at(-1)];
  return first.length + last.length <= number.length && beginsWith(number, first) && number.endsWith(last);
}

/** In any form in which networks write a number: as it is, with an exit code, national with and without the trunk 0. */
const beginsWith = (number: string, digits: string): boolean =>
  [digits, digits.replace(/^(009|00)/, ""), `234${digits.replace(/^0/, "")}`].some((form) => number.startsWith(form));
