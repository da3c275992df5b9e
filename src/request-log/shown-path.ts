import { shownText } from "./redaction.ts";

/** What stands in the place of a value that may be personal or secret. */
const MASK = "*";
const CHARACTERS_MAX = 300;
const PARAMETERS_MAX = 20;

const OUR_ID = /^[a-z]{3}_[0-9a-z]{26}$/;
/** Steps of our own paths, and what is misspelt like one. */
const STEP = /^[a-z][a-z_.-]{0,39}\d{0,3}$/;
const NAME = /^[a-z][a-z_.-]{0,39}$/i;
/** Values that name nobody, whatever they are called: our ids, days and times. */
const HARMLESS =
  /^(?:[a-z]{3}_[0-9a-z]{26}|\d{4}-\d{2}-\d{2}(?:[Tt][\d:.]{1,18}(?:[Zz]|[+-][\d:]{1,6})?)?|true|false)$/;
/** Parameters whose values are words of our own. */
const WORDS = new Set(
  "limit status service mode by direction type types network disco product provider method".split(" "),
);
/** Words as ours are: in small letters, and numbers of few digits. Whatever else stands in their place may be a secret. */
const WORD = /^(?:[a-z]{1,24}|\d{1,5}[a-z]{0,4})(?:[._,-](?:[a-z]{1,24}|\d{1,5}[a-z]{0,4})){0,9}$/;
const DIGITS_MAX = 6;

/**
 * Path and query of a request without what its caller put there of others: phone and meter numbers, texts, secrets. Names and ids of our
 * own are shown, anything else is masked, so that an unknown path shows no more than a known one.
 */
export function shownPath(url: string): string {
  const [path = "", query] = url.split("?", 2);
  const steps = path.slice(0, CHARACTERS_MAX).split("/");
  const shown = steps.map((step) => (step === "" || STEP.test(step) || OUR_ID.test(step) ? step : MASK)).join("/");
  return query === undefined ? shown : `${shown}?${shownQuery(query)}`.slice(0, CHARACTERS_MAX);
}

const shownQuery = (query: string): string =>
  query
    .split("&", PARAMETERS_MAX)
    .map((pair) => {
      const [name = "", value = ""] = pair.split("=", 2);
      if (!NAME.test(name)) return MASK;
      return `${name}=${isShown(name, decoded(value)) ? value : MASK}`;
    })
    .join("&");

const isShown = (name: string, value: string): boolean => HARMLESS.test(value) || (WORDS.has(name) && isWord(value));

const isWord = (value: string): boolean =>
  WORD.test(value) && value.replace(/\D/g, "").length <= DIGITS_MAX && shownText(value) === value;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "?"; // not shown
  }
}
