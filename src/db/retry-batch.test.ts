import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { AnswerLost, DatabaseAway } from "./database.ts";
import { mayHeal, runBatchOrSingly, wasRolledBack } from "./retry-batch.ts";

function answeredBy(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError(`SQLSTATE ${code}`, 0, "error");
  error.code = code;
  return error;
}

for (const [code, rolledBack] of [
  ["40P01", true], // deadlock
  ["40001", true], // serialization
  ["22P02", true], // bad data
  ["23505", true], // unique
  ["57P01", false], // the server ended the session: what became of the commit is not known
  ["54000", true], // larger than an index row
  ["AF402", true], // the functions' own
] as const) {
  test(`after SQLSTATE ${code} a repeat is ${rolledBack ? "" : "not "}known to be safe`, () => {
    assert.equal(wasRolledBack(answeredBy(code)), rolledBack);
  });
}

test("a batch that a deadlock rolled back is repeated whole once, and nobody notices", async () => {
  const calls: (readonly string[])[] = [];
  const answers = await runBatchOrSingly(["a", "b"], async (items) => {
    calls.push(items);
    if (calls.length === 1) throw answeredBy("40P01");
    return items.map((item) => item.toUpperCase());
  });
  assert.deepEqual(answers, ["A", "B"]);
  assert.deepEqual(calls, [
    ["a", "b"],
    ["a", "b"],
  ]);
});

test("one bad item does not fail the others, and has its own error", async () => {
  const answers = await runBatchOrSingly(["a", "bad", "c"], async (items) => {
    if (items.includes("bad")) throw answeredBy("22P02");
    return items.map((item) => item.toUpperCase());
  });
  assert.deepEqual([answers[0], answers[2]], ["A", "C"]);
  assert.ok(wasRolledBack(answers[1]));
});

test("a lone bad item is tried twice and gets its error", async () => {
  let calls = 0;
  const answers = await runBatchOrSingly(["bad"], async () => {
    calls += 1;
    throw answeredBy("23514");
  });
  assert.ok(wasRolledBack(answers[0]));
  assert.equal(calls, 2);
});

test("a batch whose fate is not known is not repeated here", async () => {
  let calls = 0;
  await assert.rejects(
    runBatchOrSingly(["a", "b"], async () => {
      calls += 1;
      throw new Error("the connection broke");
    }),
    /connection broke/,
  );
  assert.equal(calls, 1);
});

for (const [what, error, heals] of [
  ["a deadlock", answeredBy("40P01"), true],
  ["a full disk", answeredBy("53100"), true],
  ["a lost answer", new AnswerLost("gone"), true],
  ["a database that is away", new DatabaseAway("gone"), true],
  ["U+0000 in a text", answeredBy("22021"), false],
  ["a broken rule", answeredBy("23514"), false],
  ["a value larger than an index row", answeredBy("54000"), false],
  ["a mistake of ours", new TypeError("undefined is not a function"), false],
] as const) {
  test(`waiting ${heals ? "may mend" : "does not mend"} ${what}`, () => {
    assert.equal(mayHeal(error), heals);
  });
}
