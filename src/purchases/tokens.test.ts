import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { makeTokenSeal, maskedCode } from "./tokens.ts";

const seal = makeTokenSeal("a secret of the server");
const TOKENS = [{ kind: "credit", value: "12345678901234567890", units_kwh: "12.8" }] as const;

test("a token is unreadable where it is stored, and shown again as it came", () => {
  const id = newUuid();
  const facts = seal.seal(id, { tokens: TOKENS, receipt_number: "R1" });
  assert.ok(!JSON.stringify(facts).includes("7890"));
  assert.equal(facts.receipt_number, "R1");
  assert.deepEqual(seal.open({ id, facts }), TOKENS);
});

test("facts without tokens stay as they are", () => {
  const facts = { network: "mtn" };
  assert.equal(seal.seal(newUuid(), facts), facts);
  assert.deepEqual(seal.open({ id: newUuid(), facts }), []);
  assert.deepEqual(seal.open({ id: newUuid(), facts: null }), []);
});

test("a sealed token opens for its own order and under its own secret only", () => {
  const id = newUuid();
  const facts = seal.seal(id, { tokens: TOKENS });
  assert.throws(() => seal.open({ id: newUuid(), facts }));
  assert.throws(() => makeTokenSeal("another secret").open({ id, facts }));
});

test("of a code of any form the last four characters are shown, and nothing of a short one", () => {
  assert.equal(maskedCode("SHMVHXQ9L3RX"), "**** L3RX");
  assert.equal(maskedCode("SHMVHXQ9L3R"), "****");
});
