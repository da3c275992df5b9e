import assert from "node:assert/strict";
import { test } from "node:test";
import { optWord } from "./suppressions.ts";

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
  "stop now": "stop",
  "Stop STOP stop": "stop",
  "STOP\u200b": "stop",
  "\ufeffSTOP": "stop",
  ＳＴＯＰ: "stop",
  '"STOP"': "stop",
  "*STOP*": "stop",
  "stop-all": "stop",
  "S T O P": "stop",
  "STOP 🙏": "stop",
  "OPT-OUT": "stop",
  "STOP\n\nSent from my phone": "stop",
  "please stop by at noon": undefined,
  "The bus stop": undefined,
  "STOP 1": undefined,
  "!STOP": "stop",
  STOPPED: undefined,
  RESTART: undefined,
};
for (const [text, wanted] of Object.entries(ASKS)) {
  test(`${JSON.stringify(text)} asks ${wanted === undefined ? "for nothing" : `to ${wanted}`}`, () => {
    assert.equal(optWord(text), wanted);
  });
}

test("what is put around the word does not matter, however much; a long text that only begins with it asks for nothing", () => {
  assert.equal(optWord(`STOP${" ".repeat(500)}`), "stop");
  assert.equal(optWord(`STOP${"!".repeat(500)}`), "stop");
  assert.equal(optWord(`STOP ${"a ".repeat(5_000)}`), undefined);
});
