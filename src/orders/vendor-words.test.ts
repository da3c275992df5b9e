import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Outcome, ProviderReport } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { findOrder } from "./orders.repo.ts";
import { cleanInbound, cleanOutcome, cleanReport } from "./vendor-words.ts";

const database = await makeTestDatabase();
const db = database.open();

/** What breaks storage: NUL, other controls, half a surrogate pair, more than an index row holds. */
const nasty = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("a\0b", "\ud800", "\u0001\u001f\u007f", "x".repeat(60_000), "\0".repeat(70_000), "€".repeat(3_000)),
);

test("whatever a vendor says can be stored as text, as JSON and as an indexed reference", async () => {
  await db.query("create table words (reference text primary key, body text, facts jsonb)");
  await fc.assert(
    fc.asyncProperty(nasty, nasty, async (reference, text) => {
      const report = cleanReport({
        providerReference: reference,
        status: text,
        at: new Date(),
        detail: text,
        facts: { [text.slice(0, 5)]: text, list: [text], deep: { text } },
        recipient: text,
        sender: text,
      });
      const said = cleanOutcome({ kind: "accepted", providerReference: reference, facts: { text } }, {});
      const inbound = cleanInbound({ providerReference: reference, from: text, to: text, text, at: new Date() });
      assert.equal((said as { providerReference: string }).providerReference, report.providerReference);
      await db.query("insert into words values ($1, $2, $3) on conflict do nothing", [
        report.providerReference,
        `${report.detail}${report.recipient}${inbound.text}${inbound.from}`,
        JSON.stringify([report, said, inbound]),
      ]);
    }),
    { numRuns: 300 },
  );
});

test("a reference is the same by its digest in the answer and in the report", () => {
  const long = "f".repeat(60_000);
  const { providerReference } = cleanReport({ providerReference: long, status: "sent", at: new Date() });
  assert.match(providerReference ?? "", /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(cleanOutcome({ kind: "done", providerReference: long }, {}), { kind: "done", providerReference });
});

const ORDINARY = "9f3c";
for (const [what, outcome] of [
  ["an id of 60,000 characters", { kind: "accepted", providerReference: "e".repeat(60_000) }],
  ["an id with U+0000", { kind: "accepted", providerReference: "ab\0cd" }],
  ["facts with U+0000", { kind: "accepted", providerReference: ORDINARY, facts: { text: "a\0b" } }],
  [
    "a refusal in control characters",
    { kind: "rejected", scope: "order", code: "invalid_number", detail: "no\0\u0001" },
  ],
] satisfies [string, Outcome][]) {
  test(`a vendor that answers with ${what} ends the order like any other, and its reports are acknowledged`, async (t) => {
    const vendor = new ScriptedProvider("a");
    vendor.answersOnce(outcome);
    const engine = await startEngine(t, db, [vendor]);
    const order = await accept(engine, newOrder(await makeCustomer(db)));
    if (outcome.kind === "accepted") {
      const nastyReport: Omit<ProviderReport, "at"> = {
        providerReference: outcome.providerReference,
        status: "delivered",
        detail: "stat\0DELIVRD",
        facts: { err: "\0" },
      };
      await waitForState(db, order, "sent");
      // A poisoned one of nobody's in the same batch keeps nobody back.
      await Promise.all([vendor.report(nastyReport), vendor.report({ ...nastyReport, providerReference: "\0x" })]);
      assert.equal((await findOrder(db, order.accountId, order.id))?.state, "delivered");
    } else await waitForState(db, order, "rejected");
    assert.deepEqual(await engineFindings(database.connection), []);
  });
}

test("a token among a vendor's words is shown to nobody", () => {
  const said = (detail: string) => cleanOutcome({ kind: "unknown", detail }, {});
  const hidden = { kind: "unknown", detail: "sold: **** **** **** **** 7890." };
  assert.deepEqual(said("sold: 12345678901234567890."), hidden);
  assert.deepEqual(said("sold: 1234-5678-9012-3456-7890."), hidden);
  assert.deepEqual(said("sold: 1234 5678 9012 3456 7890."), hidden);
  assert.deepEqual(said("sold: 1234\t5678\t9012\t3456\t7890."), hidden);
  const phone = "202610031407a1b2c3 of 08031234567";
  assert.deepEqual(said(phone), { kind: "unknown", detail: phone }, "shorter numbers stay");
});

test("an answer in doubt is kept whole but for its length, and why it is has no token", () => {
  const answer = JSON.stringify({ token: "12345678901234567890", more: "x".repeat(5_000) });
  const said = cleanOutcome({ kind: "unknown", detail: "x", doubt: { why: "token 12345678901234567890", answer } }, {});
  assert.deepEqual(said, {
    kind: "unknown",
    detail: "x",
    doubt: { why: "token **** **** **** **** 7890", answer },
  });
  const long = cleanOutcome({ kind: "done", doubt: { why: "x", answer: "x".repeat(100_000) } }, {});
  assert.equal("doubt" in long && long.doubt?.answer.length, 64_000);
});
