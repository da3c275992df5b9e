/** What people's typed words ask for: to be left alone, or to be written to again. */

import {
  BEFORE,
  BETWEEN,
  IT,
  isAround,
  isNumber,
  isThing,
  LINE_WORDS_MAX,
  lineOf,
  ME,
  NAME_WORDS_MAX,
  NO_NAMES,
  NUMBER,
  PLAIN,
  POLITE,
  REMOVING,
  SENDING,
  START_WORDS,
  STOP_WORDS,
  STREAMS,
  STRONG,
  WANTING,
  WISH,
  WORD,
  WORDS_MAX,
  wordsOf,
} from "./opt-vocabulary.ts";

/** The word that the whole text is: once, several times, or with spaces between its letters. */
export function onlyWord(words: readonly string[]): string {
  const said = words.filter((word) => !POLITE.has(word));
  const [first = ""] = said;
  return said.every((word) => word === first || (STOP_WORDS.has(word) && STOP_WORDS.has(first)))
    ? first
    : said.join("");
}

/** Whether it begins with an opt-out and goes on with nothing that makes something else of it. */
export function asksToStop(words: readonly string[]): boolean {
  if (words.length > WORDS_MAX) return false;
  if (/^(?:LEAVE|LET) (?:ME|US) (?:ALONE|BE)$/.test(words.filter((word) => !POLITE.has(word)).join(" "))) return true;
  const start = words.findIndex((word) => !POLITE.has(word) && !BEFORE.has(word));
  const [verb = "", ...rest] = start < 0 ? [] : words.slice(start);
  const before = words.slice(0, start).filter((word) => !POLITE.has(word));
  if (STRONG.has(verb)) {
    const isBare = rest.every((word) => POLITE.has(word) || STOP_WORDS.has(word) || IT.has(word) || isNumber(word));
    if (isBare) return PLAIN.has(verb) || WISH.test(before.join(" "));
    return rest.every((word) => isAround(word) || STOP_WORDS.has(word) || IT.has(word));
  }
  const isKnown = (word: string) => isAround(word) || SENDING.has(word) || WANTING.has(word);
  if (!rest.every(isKnown)) return false;
  if (verb === "DONT" || verb === "NEVER") return refuses(rest);
  if (verb === "NO") return rest[0] === "MORE" && rest.some(isThing);
  if (REMOVING.has(verb) && rest.some((word) => ME.has(word) || NUMBER.has(word))) return removes(verb, rest);
  return STOP_WORDS.has(verb) && rest[0] !== "OF" && rest.some((word) => STREAMS.has(word)) && !rest.some(isNumber);
}

/** After DONT: “send me messages”, “text me”, “want your messages”. With where or how it is no more than that. */
function refuses(rest: readonly string[]): boolean {
  const [first = ""] = rest;
  if (rest.some((word) => ["ON", "IN", "WITH"].includes(word))) return false;
  if (WANTING.has(first)) return rest.some((word) => STREAMS.has(word));
  // Not to be called is asked of a rider, too.
  if (first === "CALL") return rest.includes("AGAIN") || rest.includes("ANYMORE");
  return first === "SEND" ? rest.some(isThing) : SENDING.has(first);
}

/** “Remove me”, “remove my number”, “take me off your list”. To take a number, or to remove a line, is business. */
function removes(verb: string, rest: readonly string[]): boolean {
  if (rest.some((word) => word === "FROM" || word === "OFF") || / ?OUT OF /.test(rest.join(" "))) return true;
  return verb !== "TAKE" && (rest.some((word) => ME.has(word)) || rest.join(" ").startsWith("MY NUMBER"));
}

/**
 * Whether a sender is named after an opt-out: “STOP MTN”, “stop offers from Ikoyi Foods”, “unsubscribe from your shop”. Names are not known
 * here. After FROM all is one; right after the word, what is written with capitals and is no thing that people stop.
 */
function stopsSender(line: string): boolean {
  const written = (line.match(WORD) ?? []).filter(
    (word) => isThing(word.toUpperCase()) || !POLITE.has(word.toUpperCase()),
  );
  const words = wordsOf(written.join(" "));
  const start = words.findIndex((word) => !BEFORE.has(word));
  const [verb = "", ...rest] = start < 0 ? [] : words.slice(start);
  if (!STRONG.has(verb)) return false;
  const from = rest.indexOf("FROM");
  const name = rest.slice(from + 1);
  if (name.length === 0 || name.length > NAME_WORDS_MAX || name.some((word) => NO_NAMES.has(word) && word !== "THE"))
    return false;
  const what = rest.slice(0, Math.max(0, from));
  if (from >= 0) return what.every(isAround) && (PLAIN.has(verb) || what.some(isThing));
  if (name.some((word) => NO_NAMES.has(word) || IT.has(word) || BETWEEN.has(word) || /ING$|^\d+$/.test(word)))
    return false;
  return PLAIN.has(verb) || written.slice(-name.length).every((word) => /^\p{Lu}/u.test(word));
}

/** Whether one sentence, alone among others, is an opt-out. The words that also end an order need to name messages there. */
function isSentence(sentence: string): boolean {
  const words = wordsOf(sentence);
  const isAsked = sentence.includes("?");
  if (STRONG.has(onlyWord(words))) return !isAsked;
  return asksToStop(words) || stopsSender(sentence);
}

/**
 * What a typed text asks for. It must be all that its first line says, or that the line's first or last sentence says: “please stop by at
 * noon” and “don't stop” ask for nothing, and to be written to again takes the word alone.
 */
export function optWord(text: string): "stop" | "start" | undefined {
  const line = lineOf(text);
  const words = wordsOf(line);
  const word = onlyWord(words);
  if (START_WORDS.has(word)) return "start";
  if (STOP_WORDS.has(word) || asksToStop(words) || stopsSender(line)) return "stop";
  const sentences = (line.match(/[^.!?;,…]+[.!?;,…]*/g) ?? []).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  if (sentences.length < 2 || words.length > LINE_WORDS_MAX) return undefined;
  return [sentences[0]!, sentences.at(-1)!].some(isSentence) ? "stop" : undefined;
}
