import { isMarketing, lineOf, list, PLAIN, STRONG, wordsOf } from "./opt-vocabulary.ts";
import { asksToStop, onlyWord } from "./opt-words.ts";

/** A button that was pressed. */
export interface Pressed {
  readonly title: string;
  /** What comes back when it is pressed: the sender's own word. */
  readonly id: string;
  /** `marketing`: under a marketing template. `template`: under any other. `question`: of a message that asks something. */
  readonly under: "marketing" | "template" | "question";
}

/** “Stop promotions” in other words, and as Meta labels its own button for templates in other languages. */
const STOP_PROMOTIONS = [
  /^(?:PARAR|INTERROMPER|INTERROMPI|BLOCCA|DETENER|ARRETER|STOPPER)(?: (?:DE|AS|LAS|LES|LE))? PROMO(?:TIONS|CIONES|COES|ZIONI|S)?$/,
  /^(?:WERBUNG|WERBEAKTIONEN|WERBENACHRICHTEN|ANGEBOTE|AKTIONEN|PROMO(?:TIONS|TIONEN|TIES|S)?) (?:STOPPEN|BEENDEN|ABBESTELLEN|STOPZETTEN)$/,
  /^(?:TURN OFF|SWITCH OFF|OPTOUT OF|MUTE|BLOCK|DISABLE|SILENCE|HIDE|REJECT) (?:ALL |THE |THESE |YOUR )?(?:PROMO|PROMOS|PROMOTIONS?|OFFERS|MARKETING|ADS|ADVERTS|NEWSLETTERS?)(?: MESSAGES)?$/,
];
/** What answers an offer so that nothing more is wanted. “No thanks” and “Not now” answer this one. */
const DECLINES =
  /^(?:IM |I AM )?(?:NOT INTERESTED(?: ANYMORE)?|NO LONGER INTERESTED|BLOCK|MUTE|SPAM|REPORT SPAM|DONT SHOW AGAIN)$/;
/** In the sender's own word, these make something else of it. */
const NEGATES = list("NO NOT DONT NEVER UNDO KEEP CANCEL");

/**
 * Whether a button says to send no more marketing. Buttons are labelled by whoever sends them, for any purpose: “Cancel” under a question
 * answers the question, and no button says to begin again.
 */
export function stopsMarketing({ title, id, under }: Pressed): boolean {
  const words = wordsOf(lineOf(title));
  const label = words.join(" ");
  if (STOP_PROMOTIONS.some((stop) => stop.test(label))) return true;
  if (asksToStop(words) && words.some(isMarketing)) return true;
  if (under === "question") return false;
  const own = wordsOf(lineOf(id));
  const says = [words, own].filter((said) => STRONG.has(onlyWord(said)) || isPhrase(said));
  // `optout:campaign-12`
  if (!own.some((word) => NEGATES.has(word)) && (STRONG.has(own[0]!) || own.some((word) => PLAIN.has(word))))
    says.push(own);
  if (under === "marketing") return says.length > 0 || DECLINES.test(label);
  return says.some((said) => said.includes("UNSUBSCRIBE") || said.includes("OPTOUT"));
}

/** More than the bare word, which under an offer may as well end the offer. */
const isPhrase = (words: readonly string[]): boolean => words.length > 1 && asksToStop(words);
