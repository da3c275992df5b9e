import assert from "node:assert/strict";
import { test } from "node:test";
import { optWord, type Pressed, stopsMarketing } from "./opt-words.ts";

const ASKS: Readonly<Record<string, "stop" | "start" | undefined>> = {
  STOP: "stop",
  stop: "stop",
  " Stop! ": "stop",
  "STOP ALL.": "stop",
  StopAll: "stop",
  Unsubscribe: "stop",
  "cancel…": "stop",
  "END\n": "stop",
  "quit?!": "stop",
  START: "start",
  "un stop.": "start",
  "": undefined,
  "!": undefined,
  "STOP IT": undefined,
  "Please stop": "stop",
  "Stop please": "stop",
  "stop now": "stop",
  "Stop STOP stop": "stop",
  "STOP UNSUBSCRIBE": "stop",
  "STOP\u200b": "stop",
  "\ufeffSTOP": "stop",
  "S\u00adT\u2060OP": "stop",
  ＳＴＯＰ: "stop",
  "Ⓢⓣⓞⓟ": "stop",
  stóp: "stop",
  S̶T̶O̶P̶: "stop",
  '"STOP"': "stop",
  "“Stop”": "stop",
  "*STOP*": "stop",
  "stop-all": "stop",
  "S T O P": "stop",
  "STOP 🙏": "stop",
  "STOP ✋🏾": "stop",
  "OPT-OUT": "stop",
  "Opt out": "stop",
  "opt me out": "stop",
  "STOP\n\nSent from my phone": "stop",
  "!STOP": "stop",
  ARRÊT: "stop",
  // Phrases
  "UNSUBSCRIBE ME": "stop",
  "Unsubscribe me from your list": "stop",
  "STOP 2442": "stop",
  "stop 08031234567": "stop",
  "STOP ALL MESSAGES": "stop",
  "STOP SMS": "stop",
  "stop sending me messages": "stop",
  "Please stop texting me": "stop",
  "I want to unsubscribe": "stop",
  "I want to stop receiving these messages": "stop",
  "Stop this service": "stop",
  "Stop promotions": "stop",
  "CANCEL SUBSCRIPTION": "stop",
  "Cancel my subscription please": "stop",
  "end all messages": "stop",
  "REMOVE ME": "stop",
  "Remove my number from your list": "stop",
  "Take me off your mailing list": "stop",
  "Don't send me messages again": "stop",
  "do not text me": "stop",
  "Do not disturb": "stop",
  "No more messages": "stop",
  DEACTIVATE: "stop",
  // What only has the word in it
  "please stop by at noon": undefined,
  "The bus stop": undefined,
  "bus stop is where?": undefined,
  "my stop": undefined,
  "this is the end": undefined,
  "the end": undefined,
  "STOP 1": undefined,
  STOPPED: undefined,
  RESTART: undefined,
  "Don't stop": undefined,
  "Please don't stop sending me messages": undefined,
  "never stop": undefined,
  "Can't stop": undefined,
  "stop the car": undefined,
  "stop sending rice, send beans": undefined,
  "Cancel my order": undefined,
  "cancel it": undefined,
  "Cancel the delivery please": undefined,
  "End of story": undefined,
  "remove the onions": undefined,
  "take my order": undefined,
  "No more rice": undefined,
  "no messages came": undefined,
  "When does it stop": undefined,
  "I want to start": undefined,
  "START again please stop": undefined,
  "start my order": undefined,
  "don't send it": undefined,
};
for (const [text, wanted] of Object.entries(ASKS)) {
  test(`${JSON.stringify(text)} asks ${wanted === undefined ? "for nothing" : `to ${wanted}`}`, () => {
    assert.equal(optWord(text), wanted);
  });
}

test("what is put around the word does not matter, however much; a long text that only begins with it asks for nothing", () => {
  assert.equal(optWord(`STOP${" ".repeat(500)}`), "stop");
  assert.equal(optWord(`STOP${"!".repeat(500)}`), "stop");
  assert.equal(optWord(`${"\u200b".repeat(5_000)}STOP`), "stop");
  assert.equal(optWord(`STOP ${"a ".repeat(5_000)}`), undefined);
  assert.equal(optWord(`STOP ${"me ".repeat(5_000)}`), undefined);
});

const PRESSES: readonly (readonly [title: string, under: Pressed["under"], stops: boolean, id?: string])[] = [
  ["Stop promotions", "marketing", true],
  ["Stop promotions", "template", true],
  ["Stop promotions", "question", true],
  ["Parar promoções", "template", true],
  ["Stop offers", "marketing", true],
  ["Stop", "marketing", true],
  ["Unsubscribe", "marketing", true],
  ["Unsubscribe me", "marketing", true],
  ["No more messages", "marketing", true],
  ["Not for me", "marketing", true, "STOP"],
  ["Unsubscribe", "template", true],
  ["Opt out", "template", true],
  ["Cancel", "marketing", false],
  ["Show me", "marketing", false],
  ["Cancel", "template", false],
  ["Stop", "template", false],
  ["Cancel", "question", false],
  ["Stop", "question", false],
  ["End", "question", false, "STOP"],
  ["Start", "marketing", false],
  ["Start", "question", false],
];
for (const [title, under, stops, id = title] of PRESSES)
  test(`the button “${title}” (${id}) of a ${under} ${stops ? "stops" : "does not stop"} marketing`, () => {
    assert.equal(stopsMarketing({ title, id, under }), stops);
  });
