import { parseExactJson } from "./exact-json.ts";
import { membersIn } from "./fields.ts";
import { showsToken } from "./shown-token.ts";

const NO_REFERENCES: ReadonlySet<string> = new Set();

/** Field names that only appear in an answer about a sale. */
const OF_A_SALE =
  /transaction|token|kct|purchased|units|amount|(?<!para)meter|receipt|vend|deliver|(?:order|request)_?id/i;
const OF_ITS_END = /status$|^success/i;
/** How those who keep the door write that they did. */
const REFUSED = /^(?:false|error|fail|failed|failure|unauthori[sz]ed|unauthenticated|forbidden|denied)$/i;

/**
 * Why an answer with a status that turns a call away (HTTP 401, 403) does not prove that it went no further: it speaks of a sale,
 * or may do so and can't be read. Undefined: it is empty, a page, a few words or JSON, and says nothing of one.
 */
export function whyNotTurnedAway(httpStatus: number, text: string, reference: string): string | undefined {
  if (text.trim() === "") return undefined;
  if (text.includes(reference)) return "it names our reference";
  if (/^\s*</.test(text)) return undefined;
  const said = parseExactJson(text) ?? text;
  if (said === text && JSON_SIGNS.test(text)) return "it can't be read";
  if (showsToken(said, NO_REFERENCES)) return "it has a token";
  const told = membersIn(said).find(
    (member) =>
      OF_A_SALE.test(member.within) ||
      OF_A_SALE.test(member.name) ||
      (OF_ITS_END.test(member.name) && !REFUSED.test(member.text) && member.text !== `${httpStatus}`),
  );
  return told && `it has ${JSON.stringify(told.name.slice(0, 60))}`;
}

/** What has them and can't be read is torn, or says a thing twice. */
const JSON_SIGNS = /["{[\]}]/;
