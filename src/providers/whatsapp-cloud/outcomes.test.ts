import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inAWord } from "../../testing/purchase-task.ts";
import { errorOf } from "./errors.ts";
import { outcomeOf } from "./outcomes.ts";

const TAKEN = { messaging_product: "whatsapp", contacts: [], messages: [{ id: "wamid.A==" }] };
const refused = (code: unknown, more: object = {}) => ({ error: { message: `(#${code}) no`, code, ...more } });
const judge = (body: unknown, status = 200, waitMsMax = 3_600_000) =>
  outcomeOf(status, typeof body === "string" ? body : JSON.stringify(body), waitMsMax);

const JUDGED: readonly (readonly [name: string, body: unknown, status: number, outcome: string])[] = [
  ["taken", TAKEN, 200, "accepted"],
  ["taken, with 201", TAKEN, 201, "accepted"],
  ["200 without messages", { messages: [] }, 200, "unknown"],
  ["200 with an id that is none", { messages: [{ id: null }] }, 200, "unknown"],
  ["200 with a page", "<html>", 200, "unknown"],
  ["a redirect", "", 302, "unknown"],
  ["401 without a code", "", 401, "unknown"],
  ["a message's id, but HTTP 500", TAKEN, 500, "unknown"],
  ["a code with another HTTP status than documented", refused(131026), 500, "rejected order invalid_number"],
  ["a code as a text", refused("131026"), 400, "rejected order invalid_number"],
  ["a code of the range 200 to 299", refused(230), 403, "throttled"],
  ["a code with a fraction", refused(131026.5), 400, "unknown"],
  ["a code that is a name of Object.prototype", refused("constructor"), 400, "unknown"],
];
for (const [name, body, status, outcome] of JUDGED)
  test(`an answer that is ${name} is ${outcome}`, () => assert.equal(inAWord(judge(body, status)), outcome));

test("a template that is held for its quality is taken, and says so", () => {
  const outcome = judge({ messages: [{ id: "wamid.A", message_status: "held_for_quality_assessment" }] });
  assert.deepEqual(outcome.kind === "accepted" && outcome.facts, { message_status: "held_for_quality_assessment" });
});

test("a code that is not listed decides nothing, whatever else the answer says", () => {
  const unlisted = fc.integer().filter((code) => errorOf(String(code)) === undefined);
  fc.assert(
    fc.property(unlisted, fc.integer({ min: 300, max: 599 }), fc.string(), (code, status, message) => {
      assert.equal(judge(refused(code, { message }), status).kind, "unknown");
    }),
  );
});

test("no answer makes the reading throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), fc.integer({ min: 200, max: 599 }), (text, status) => {
      judge(text, status);
    }),
  );
});

test("of an access token that Meta repeats nothing comes to anybody", () => {
  const outcome = judge(refused(190, { message: "Malformed access token EAAG-secret" }), 401);
  assert.ok(!JSON.stringify(outcome).includes("EAAG"));
});

test("a wait is no longer than the operator allows", () => {
  const outcome = judge(refused(131048), 400, 2_000);
  assert.equal(outcome.kind === "throttled" && outcome.retryAfterMs, 2_000);
});

test("what the subscriber is told has Meta's details, short", () => {
  const outcome = judge(refused(132000, { error_data: { details: `body: ${"x".repeat(500)}` } }), 400);
  assert.ok(
    outcome.kind === "rejected" && outcome.detail.startsWith("#132000 body: x") && outcome.detail.length === 200,
  );
});
