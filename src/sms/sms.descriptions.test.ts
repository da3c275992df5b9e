import assert from "node:assert/strict";
import { test } from "node:test";
import { STATUS_MEANINGS } from "./sms.descriptions.ts";
import { SMS_STEPS } from "./sms.steps.ts";

test("the reference explains every status, and no other", () => {
  assert.deepEqual(Object.keys(STATUS_MEANINGS).sort(), Object.keys(SMS_STEPS.states).sort());
});
