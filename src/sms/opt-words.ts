/** What people's words ask for: to be left alone, or to be written to again. */

const list = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Alone, or with these words around them, they ask for nothing else. Source: CTIA, Twilio, AWS; STOP, DEACTIVATE: the NCC's 2442. */
const STOP_WORDS = list("STOP STOPALL UNSUBSCRIBE UNSUB OPTOUT CANCEL END QUIT REVOKE REMOVE DEACTIVATE ARRET");
/** Of those: what says so whatever is named after it. The others also end an order, a call or a game. */
const STRONG = list("STOP STOPALL UNSUBSCRIBE UNSUB OPTOUT");
const START_WORDS = list("START UNSTOP OPTIN");

const POLITE = list(
  "PLEASE PLS PLZ KINDLY ABEG NOW THANKS THANK DEAR SIR MA MADAM HI HELLO OK OKAY IMMEDIATELY JUST ONCE SMS MESSAGES TEXTS",
);
const BEFORE = list("I WE YOU WANT WANNA WISH WOULD LIKE NEED TO CAN COULD");
const MARKETING = list(
  "PROMOTION PROMOTIONS PROMO PROMOS PROMOTIONAL OFFER OFFERS MARKETING AD ADS ADVERT ADVERTS ADVERTISEMENT ADVERTISEMENTS ADVERTISING NEWSLETTER NEWSLETTERS CAMPAIGN CAMPAIGNS",
);
const THINGS = list(
  "SMS MESSAGE MESSAGES MSG MSGS TEXT TEXTS TXT TXTS MAIL MAILS ALERT ALERTS NOTIFICATION NOTIFICATIONS UPDATES BROADCAST BROADCASTS SUBSCRIPTION SUBSCRIPTIONS SERVICE SERVICES COMMUNICATION COMMUNICATIONS",
);
/** What is between the word and the thing. */
const BETWEEN = list(
  "ALL ME US MY OUR YOUR YOU THE THIS THESE THOSE ANY SUCH MORE FURTHER UNWANTED FROM TO OF OFF OUT IN ON WITH SENDING RECEIVING GETTING TEXTING MESSAGING CONTACTING DISTURBING SPAMMING BOTHERING LIST LISTS MAILING NUMBER PHONE LINE DATABASE AGAIN ANYMORE FOREVER PERMANENTLY",
);
const SENDING = list("SEND TEXT MESSAGE CONTACT DISTURB SPAM BOTHER");
const REMOVING = list("REMOVE DELETE TAKE");
const SELF = list("ME US NUMBER LINE");

/** Longer than any signature. */
const LOOKED_AT_MAX = 1_000;
/** A request has few words; what has many is a letter. */
const WORDS_MAX = 16;
/** A short code or a phone: “STOP 2442”. “STOP 1” is a choice of a menu. */
const isNumber = (word: string): boolean => /^\d{4,14}$/.test(word);

const isMarketing = (word: string): boolean => MARKETING.has(word);
const isThing = (word: string): boolean => THINGS.has(word) || MARKETING.has(word);
const isAround = (word: string): boolean => isThing(word) || BETWEEN.has(word) || POLITE.has(word) || isNumber(word);

/**
 * The words of the first line that says something; what follows on further lines is a phone's signature. How they are written makes no
 * difference: case, accents, quotes, emoji, full-width or drawn letters, invisible characters.
 */
function wordsOf(text: string): readonly string[] {
  const plain = text
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .trim()
    .slice(0, LOOKED_AT_MAX)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "");
  const line = plain.trim().split(/[\n\r\u2028\u2029]/u, 1)[0]!;
  const words =
    line
      .toUpperCase()
      .replaceAll(/['’‘`´]/gu, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .join(" ")
    .replace(/\bOPT(?: ME)? OUT\b/, "OPTOUT")
    .replace(/\bDO NOT\b/, "DONT")
    .split(" ");
}

/** The word that the whole text is: once, several times, or with spaces between its letters. */
function onlyWord(words: readonly string[]): string {
  const said = words.filter((word) => !POLITE.has(word));
  const [first = ""] = said;
  return said.every((word) => word === first || (STOP_WORDS.has(word) && STOP_WORDS.has(first)))
    ? first
    : said.join("");
}

/** Whether it begins with an opt-out and goes on with nothing that makes something else of it. */
function asksToStop(words: readonly string[]): boolean {
  if (words.length > WORDS_MAX) return false;
  const start = words.findIndex((word) => !POLITE.has(word) && !BEFORE.has(word));
  const [verb = "", ...rest] = start < 0 ? [] : words.slice(start);
  if (!rest.every((word) => isAround(word) || STOP_WORDS.has(word) || SENDING.has(word))) return false;
  if (STRONG.has(verb)) return rest.every((word) => isAround(word) || STOP_WORDS.has(word));
  if (verb === "DONT" || verb === "NEVER")
    return rest.some((word) => SENDING.has(word)) && !STOP_WORDS.has(rest[0] ?? "");
  if (verb === "NO") return rest[0] === "MORE" && rest.some(isThing);
  if (REMOVING.has(verb)) return rest.some((word) => SELF.has(word));
  return STOP_WORDS.has(verb) && rest.some(isThing);
}

/**
 * What a typed text asks for. It must be all that its first line says: “please stop by at noon” and “don't stop” ask for nothing, and to be
 * written to again takes the word alone.
 */
export function optWord(text: string): "stop" | "start" | undefined {
  const words = wordsOf(text);
  const word = onlyWord(words);
  if (START_WORDS.has(word)) return "start";
  return STOP_WORDS.has(word) || asksToStop(words) ? "stop" : undefined;
}

/** A button that was pressed. */
export interface Pressed {
  readonly title: string;
  /** What comes back when it is pressed: the sender's own word. */
  readonly id: string;
  /** `marketing`: under a marketing template. `template`: under any other. `question`: of a message that asks something. */
  readonly under: "marketing" | "template" | "question";
}

/** “Stop promotions” as Meta labels its own button for templates in other languages. */
const STOP_PROMOTIONS =
  /^(?:PARAR|INTERROMPER|DETENER|ARRETER|STOPPER)(?: (?:AS|LAS|LES))? PROMO(?:TIONS|CIONES|COES|S)?$/;

/**
 * Whether a button says to send no more marketing. Buttons are labelled by whoever sends them, for any purpose: “Cancel” under a question
 * answers the question, and no button says to begin again.
 */
export function stopsMarketing({ title, id, under }: Pressed): boolean {
  const words = wordsOf(title);
  if (STOP_PROMOTIONS.test(words.join(" "))) return true;
  if (asksToStop(words) && words.some(isMarketing)) return true;
  if (under === "question") return false;
  const says = [words, wordsOf(id)].filter((said) => STRONG.has(onlyWord(said)) || isPhrase(said));
  if (under === "marketing") return says.length > 0;
  return says.some((said) => said.includes("UNSUBSCRIBE") || said.includes("OPTOUT"));
}

/** More than the bare word, which under an offer may as well end the offer. */
const isPhrase = (words: readonly string[]): boolean => words.length > 1 && asksToStop(words);
