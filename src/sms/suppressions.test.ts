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
  "Please stop": undefined,
  "STOP 1": undefined,
  "!STOP": undefined,
  STOPPED: undefined,
  RESTART: undefined,
};
for (const [text, wanted] of Object.entries(ASKS)) {
  test(`${JSON.stringify(text)} asks ${wanted === undefined ? "for nothing" : `to ${wanted}`}`, () => {
    assert.equal(optWord(text), wanted);
  });
}

test("spaces don't matter, however many; a long text asks for nothing", () => {
  assert.equal(optWord(`STOP${" ".repeat(500)}`), "stop");
  assert.equal(optWord(`STOP${"!".repeat(500)}`), undefined);
});
