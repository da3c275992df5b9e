import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { makeSmsSeal } from "./sealed-sms.ts";
import type { StoredSms } from "./sms.definition.ts";

const seal = makeSmsSeal("a secret of the server");
const id = newUuid();
const message: StoredSms = {
  from: "Afara",
  text: "Your token: 1234 5678 9012 3456 7890",
  encoding: "gsm7",
  segments: 1,
  route: "transactional",
  network_guess: "mtn",
  quiet_hours: "schedule",
};

test("a secret text is stored as what may be shown, and leaves as it was written", () => {
  const stored = seal.seal(id, message, "Your token: **** 7890");
  assert.equal(stored.text, "Your token: **** 7890");
  assert.doesNotMatch(JSON.stringify(stored), /1234/);
  assert.deepEqual(seal.open({ id, payload: stored }), message);
});

test("a message that is no secret leaves as it is stored", () => {
  assert.equal(seal.open({ id, payload: message }), message);
});

test("a secret text can't be moved to another message", () => {
  const payload = seal.seal(id, message, "shown");
  assert.throws(() => seal.open({ id: newUuid(), payload }));
});
