/** The words of opt-outs, and how a text is read as words. */

export const list = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Alone, or with these words around them, they ask for nothing else. Source: CTIA, Twilio, AWS; STOP, DEACTIVATE: the NCC's 2442. */
export const STOP_WORDS = list("STOP STOPALL UNSUBSCRIBE UNSUB OPTOUT CANCEL END QUIT REVOKE REMOVE DEACTIVATE ARRET");
/** Of those: what says so whatever is named after it. The others also end an order, a call or a game. */
export const STRONG = list("STOP STOPALL UNSUBSCRIBE UNSUB OPTOUT");
/** Of those: what nobody says of anything else, asked or wished. */
export const PLAIN = list("STOPALL UNSUBSCRIBE UNSUB OPTOUT");
export const START_WORDS = list("START UNSTOP OPTIN");

export const POLITE = list(
  "PLEASE PLS PLZ KINDLY ABEG NOW THANKS THANK DEAR SIR MA MADAM HI HELLO OK OKAY IMMEDIATELY JUST ONCE SMS MESSAGES TEXTS",
);
/** Before the word: a wish, an order, and how it is quoted and copied from an instruction (“Reply STOP”). */
export const BEFORE = list(
  "I ID IM WE YOU U UNA MAKE WANT WANNA WISH WOULD WILL LIKE NEED TO CAN COULD SAID REPLY REPLYING WITH TEXT SEND RE FW FWD",
);
/** With these alone before it, the bare STOP is a wish: “can you stop” and “you need to stop” may be said of anything. */
export const WISH =
  /^(?:(?:(?:I|WE) (?:SAID|WANNA|(?:WANT|WISH|NEED|(?:WOULD|WILL) LIKE)(?: (?:YOU|U|UNA))? TO)|ID LIKE(?: YOU)? TO|MAKE (?:UNA|YOU|U)|REPLY(?:ING)?(?: WITH)?|TEXT|SEND|RE|FWD?)(?: |$))*$/;
export const MARKETING = list(
  "PROMOTION PROMOTIONS PROMO PROMOS PROMOTIONAL OFFER OFFERS MARKETING AD ADS ADVERT ADVERTS ADVERTISEMENT ADVERTISEMENTS ADVERTISING NEWSLETTER NEWSLETTERS CAMPAIGN CAMPAIGNS",
);
const THINGS = list(
  "SMS MESSAGE MESSAGES MSG MSGS TEXT TEXTS TXT TXTS MAIL MAILS ALERT ALERTS NOTIFICATION NOTIFICATIONS UPDATES BROADCAST BROADCASTS SUBSCRIPTION SUBSCRIPTIONS SERVICE SERVICES COMMUNICATION COMMUNICATIONS SPAM",
);
/** What nobody has ordered: a service, one message and one offer are ended for many reasons. */
export const STREAMS = list(
  "SMS MESSAGES MSGS TEXTS TXTS MAILS ALERTS NOTIFICATIONS UPDATES BROADCASTS SUBSCRIPTION SUBSCRIPTIONS COMMUNICATIONS SPAM PROMOTIONS PROMOS PROMOTIONAL OFFERS MARKETING ADS ADVERTS ADVERTISEMENTS ADVERTISING NEWSLETTER NEWSLETTERS CAMPAIGNS",
);
/** What is between the word and the thing. */
export const BETWEEN = list(
  "ALL ME US MY OUR YOUR YOU THE THIS THESE THOSE ANY SUCH MORE FURTHER UNWANTED FROM TO OF OFF OUT IN ON WITH SENDING RECEIVING GETTING RECEIVE GET TEXTING MESSAGING CONTACTING DISTURBING SPAMMING BOTHERING CALLING LIST LISTS MAILING NUMBER PHONE LINE DATABASE AGAIN ANYMORE FOREVER PERMANENTLY",
);
/** After STOP alone; AM is Pidgin's “it”. */
export const IT = list("IT THIS THAT AM NONSENSE RUBBISH");
export const SENDING = list("SEND TEXT MESSAGE CONTACT DISTURB SPAM BOTHER CALL");
export const WANTING = list("WANT NEED WISH LIKE");
export const REMOVING = list("REMOVE DELETE TAKE");
export const ME = list("ME US");
export const NUMBER = list("NUMBER PHONE LINE");
/** What is stopped besides messages, however it is written: no names of senders. */
export const NO_NAMES = list(
  "A AN THE BY AT FOR AND OR IF IS ARE WAS HERE THERE BACK OVER ONE TWO CAR CARS BUS BIKE TRUCK DRIVER RIDER TRAIN ORDER ORDERS DELIVERY PAYMENT PAYMENTS TRANSFER DEBIT LOAN METER LIGHT LIGHTS POWER MUSIC VIDEO GAME CALL SIGN LOSS WATCH TIME WORK RICE BEANS FOOD SIM CARD DATA PLAN AIRTIME RENEWAL AUTORENEWAL AUTO TRANSACTION TRANSACTIONS CHEQUE TRADE WITHDRAWAL DEBITS GENERATOR PUMP SHIPMENT DISPATCH BOOKING RIDE TRIP TAXI CHARGE CHARGES RECHARGE TOPUP TOKEN TOKENS SUPPLY ELECTRICITY THIEF HIM HER THEM HIS WHAT WHY WHEN WHERE WHO HOW NOT DONT NO YES BUTTON LINK START AFTER BEFORE UNTIL TILL TODAY TOMORROW MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY",
);

/** Longer than any signature. */
const LOOKED_AT_MAX = 1_000;
/** A request has few words; what has many is a letter. */
export const WORDS_MAX = 16;
export const LINE_WORDS_MAX = 30;
export const NAME_WORDS_MAX = 3;
/** A short code or a Nigerian mobile: “STOP 2442”. “STOP 1” is a choice of a menu, “STOP 12345678” an order or a meter. */
export const isNumber = (word: string): boolean => /^(?:\d{4,5}|(?:0|234|00234)?0?[789][01]\d{8})$/.test(word);

export const isMarketing = (word: string): boolean => MARKETING.has(word);
export const isThing = (word: string): boolean => THINGS.has(word) || MARKETING.has(word);
export const isAround = (word: string): boolean =>
  isThing(word) || BETWEEN.has(word) || POLITE.has(word) || isNumber(word);

/**
 * The first line that says something; what follows on further lines is a phone's signature. How it is written makes no difference: accents,
 * full-width or drawn letters, invisible characters.
 */
export function lineOf(text: string): string {
  const plain = text
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .trim()
    .slice(0, LOOKED_AT_MAX)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "");
  return plain.trim().split(/[\n\r\u2028\u2029]/u, 1)[0]!;
}

export const WORD = /[\p{L}\p{N}]+/gu;
/** One word for what is written in several ways, and for its usual misspellings. */
const SAME: readonly (readonly [written: RegExp, meant: string])[] = [
  [/\bOPT(?:ED|ING)?(?: ME| US)? OUT\b/g, "OPTOUT"],
  [/\bUNSU?[SBCRIU]{2,6}B(?:E|ED|ER|RE)?\b/g, "UNSUBSCRIBE"],
  [/\bSTOPP+\b/g, "STOP"],
  [/\bDO NOT\b/g, "DONT"],
  [/\b(?:DONT|NO) (?:DEY |EVER )?(?=(?:SEND|TEXT|DISTURB|CALL|WANT)\b)/g, "DONT "],
  [/\bI BEG\b/g, "ABEG"],
  [/\bGOING TO\b/g, "TO"],
  [/\b(STOP|STOPALL|UNSUBSCRIBE|UNSUB|OPTOUT)(?=\d{4})/g, "$1 "],
  [/(?<=\d) (?=\d)/g, ""],
];

/** In capitals, without quotes and emoji. */
export function wordsOf(line: string): readonly string[] {
  const plain = line.toUpperCase().replaceAll(/['’‘`´]/gu, "");
  const words = SAME.reduce(
    (said, [written, meant]) => said.replaceAll(written, meant),
    (plain.match(WORD) ?? []).join(" "),
  );
  return words.split(" ");
}
