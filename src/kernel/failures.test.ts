import assert from "node:assert/strict";
import { test } from "node:test";
import { explainFailure } from "./failures.ts";

const EXPLAINED: readonly (readonly [code: string, vendorWords: string | undefined, told: string])[] = [
  [
    "dnd",
    "command_status 0x0410",
    "The recipient has Do-Not-Disturb on for this kind of message. (command_status 0x0410)",
  ],
  ["absent_subscriber", "", "The phone was switched off or out of reach."],
  ["absent_subscriber", undefined, "The phone was switched off or out of reach."],
  ["a_code_of_later", "stat UNDELIV", "stat UNDELIV"],
  ["toString", undefined, ""],
];
for (const [code, vendorWords, told] of EXPLAINED) {
  test(`${code} with the vendor's ${JSON.stringify(vendorWords)} is told as “${told}”`, () => {
    assert.equal(explainFailure(code, vendorWords), told);
  });
}
