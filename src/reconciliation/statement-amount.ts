import { type Kobo, kobo } from "../kernel/kobo.ts";
import { readVendorNaira } from "../kernel/naira.ts";

/** Reads an amount, or returns the reason to print after the faulty text. */
export type AmountReader = (written: string) => Kobo | { readonly why: string };

const WITH_POINT = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d*)?(?:e[+-]?\d{1,2})?$/i;
const WITH_COMMA = /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d*)?$/;

type Mark = "." | ",";

/**
 * What reads the amounts of one statement: naira with or without a sign of the currency, a minus before or behind, brackets for one, and
 * groups of three set off by commas, points, spaces or apostrophes. `1,500` may be one and a half where the columns are not
 * separated by commas: there another amount of the statement has to tell which mark it uses.
 */
export function amountReader(all: readonly string[], delimiter: string): AmountReader {
  const marks = new Set(all.map((written) => markOf(digitsOf(written))).filter((mark) => mark === "." || mark === ","));
  const [only] = marks;
  const mark: Mark | undefined = marks.size === 1 ? only : marks.size === 0 && delimiter === "," ? "." : undefined;
  return (written) => {
    const digits = digitsOf(written);
    const own = markOf(digits);
    if (digits === undefined || own === "none") return { why: "is no amount" };
    const isClear = own === "either" || (own !== "unclear" && marks.size === 1);
    const as = isClear ? own : mark;
    if (as === undefined)
      return marks.size > 1
        ? { why: "is no amount that can be told: the statement's decimals stand behind points and behind commas" }
        : { why: "is no amount that can be told: its comma or point may stand before decimals or before thousands" };
    const amount = readVendorNaira(
      as === "," ? digits.replaceAll(".", "").replace(",", ".") : digits.replaceAll(",", ""),
    );
    return amount === undefined ? { why: "is no amount" } : kobo(amount);
  };
}

/** The decimal mark. `either`: there is no mark. `unclear`: its one mark has three digits behind it. */
function markOf(digits: string | undefined): Mark | "either" | "unclear" | "none" {
  const point = digits !== undefined && WITH_POINT.test(digits);
  const comma = digits !== undefined && WITH_COMMA.test(digits);
  if (point && comma) return /[.,]\d/.test(digits) ? "unclear" : "either";
  return point ? "." : comma ? "," : "none";
}

/** `#` stands where a keyboard has no naira sign. */
const CURRENCY = /^(?:NGN|₦|=?N=?|#|naira)\s*|\s*(?:NGN|₦|N|naira)$/i;

/** The digits without sign, currency and thousands separators. Undefined: it contains other characters. */
function digitsOf(written: string): string | undefined {
  let text = written.replaceAll(/[\u00a0\u2007\u2009\u202f]/g, " ").replaceAll(/[\u2212\u2013]/g, "-");
  const bare = () => {
    const before = text;
    text = text
      .replace(/^[-+]\s*|\s*-$/g, "")
      .replace(/^\((.*)\)$/, "$1")
      .replace(CURRENCY, "")
      .replace(CURRENCY, "")
      .trim();
    return before !== text;
  };
  while (bare());
  const gapless = /^\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d*)?$/.test(text) ? text.replaceAll(/[ '’]/g, "") : text;
  return /^[\d.,]+(?:e[+-]?\d{1,2})?$/i.test(gapless) ? gapless : undefined;
}
