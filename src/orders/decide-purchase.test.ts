import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ANSWERS,
  type AnswerName,
  answerCall,
  answerLate,
  answerQuestion,
  at,
  CALLS,
  order,
  QUESTIONS,
  type Row,
  told,
} from "../testing/purchase-attempts.ts";
import { attemptState } from "./attempt.ts";
import { SUSPENDED } from "./decide-due.ts";
import { hasTakenPiece } from "./pieces.ts";

/**
 * When a purchase is sent anew or repeated: each state of its attempt × each answer, in two tables: the vendor answers the call
 * (`decideOutcome`), or a question about it (`decideRequery`). The call left at 09:00, the answer comes at 09:12, the purchase may be
 * sent until 09:15, and another vendor is left. Waits are those of live mode.
 * What can't occur is left out: `part_refused` (a purchase is one piece), and what each table says.
 */

/** The vendor has it: held, and asked about after this time. */
const held = (seconds: number) => ({
  accepted: `taken: asked in ${seconds} s`,
  "accepted, to be asked about in 20 s": "taken: asked in 20 s",
  "accepted, its token to come": `taken, its token to come: asked in ${seconds} s`,
  "unknown, but the vendor has it": `taken: asked in ${seconds} s`,
  done: "charged",
});

/** Words that decide, besides, a purchase that has not ended. */
const decided = (seconds: number) => ({
  ...held(seconds),
  reversed: "money back",
  "refused for every vendor": "money back",
});

/** A refusal of a call that is not the only one says nothing of the other (`refusalOfRepeat`): the vendor is asked. */
const refusedRepeat = {
  ...held(5),
  reversed: "money back",
  "refused for every vendor": "unanswered: asked in 5 s",
  "refused by this vendor": "unanswered: asked in 5 s",
  "failed at this vendor": "unanswered: asked in 5 s",
  "throttled, as it took one like it": "taken: asked in 5 s",
  unknown: "unanswered: asked in 5 s",
};

/**
 * The vendor answers the call. A call is under way in these states alone. An answer that comes late has a test of its own.
 */
const TO_CALL: Readonly<Record<keyof typeof CALLS, Row>> = {
  begun: {
    ...decided(5),
    "refused by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "sent anew at once",
    "throttled, as it took one like it": "sent anew at once",
    unknown: "unanswered: asked in 5 s",
    not_found: "repeated at once",
  },
  "begun, too late to be sent": {
    ...decided(5),
    "refused by this vendor": "ends as never sent at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "ends as never sent at once",
    "throttled, as it took one like it": "ends as never sent at once",
    unknown: "unanswered: asked in 5 s",
    not_found: "doubted: asked in 300 s",
  },
  repeated: {
    ...refusedRepeat,
    throttled: "repeated at once",
    not_found: "repeated at once",
  },
  "repeated, too late to be sent": {
    ...refusedRepeat,
    throttled: "to_repeat: asked at once",
    not_found: "doubted: asked in 300 s",
  },
  "doubted, as a hint came while it was repeated": {
    ...refusedRepeat,
    throttled: "doubted: asked at once",
    not_found: "doubted: asked in 300 s",
  },
  "taken, as a signed callback came before the answer": {
    ...held(5),
    reversed: "taken: asked in 5 s",
    "refused for every vendor": "taken: asked in 5 s",
    "refused by this vendor": "taken: asked in 5 s",
    "failed at this vendor": "taken: asked in 5 s",
    throttled: "taken: asked at once",
    "throttled, as it took one like it": "taken: asked in 5 s",
    unknown: "taken: asked in 5 s",
    not_found: "taken: asked in 5 s",
  },
};

/** An ended purchase is asked about after a hint, and changes only by a step of its service's table. */
const NOTED = "kept in the timeline alone";
const AGAIN = "settled: asked in 15 s";
const afterTheEnd = {
  accepted: NOTED,
  "accepted, to be asked about in 20 s": NOTED,
  "accepted, its token to come": NOTED,
  "unknown, but the vendor has it": AGAIN,
  done: NOTED,
  "refused for every vendor": NOTED,
  "refused by this vendor": NOTED,
  "failed at this vendor": NOTED,
  throttled: AGAIN,
  unknown: AGAIN,
  not_found: NOTED,
};

/**
 * The vendor answers a question. Nobody asks about a `new` attempt, nor about a `to_repeat` one while it may be sent; a question is
 * never refused for a purchase like it.
 */
const TO_QUESTION: Readonly<Record<keyof typeof QUESTIONS, Row>> = {
  begun: {
    ...decided(5),
    "refused by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "doubted: asked in 5 s",
    unknown: "doubted: asked in 5 s",
    not_found: "repeated at once",
  },
  "begun, too late to be sent": {
    ...decided(5),
    "refused by this vendor": "ends as never sent at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "doubted: asked in 5 s",
    unknown: "doubted: asked in 5 s",
    not_found: "doubted: asked in 300 s",
  },
  "to_repeat, too late to be sent": {
    ...decided(5),
    "refused by this vendor": "ends as never sent at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "doubted: asked in 5 s",
    unknown: "doubted: asked in 5 s",
    not_found: "doubted: asked in 300 s",
  },
  repeated: {
    ...decided(5),
    "refused by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "doubted: asked in 5 s",
    unknown: "doubted: asked in 5 s",
    not_found: "repeated at once",
  },
  "repeated, too late to be sent": {
    ...decided(5),
    "refused by this vendor": "ends as never sent at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "doubted: asked in 5 s",
    unknown: "doubted: asked in 5 s",
    not_found: "doubted: asked in 300 s",
  },
  doubted: {
    ...decided(15),
    "refused by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "doubted: asked in 15 s",
    unknown: "doubted: asked in 15 s",
    not_found: "doubted: asked in 300 s",
  },
  "doubted, not found at 09:06": {
    ...decided(15),
    "refused by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "doubted: asked in 15 s",
    unknown: "doubted: asked in 15 s",
    not_found: "repeated at once",
  },
  "doubted, not found at 09:06, too late to be sent": {
    ...decided(15),
    "refused by this vendor": "ends as never sent at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "doubted: asked in 15 s",
    unknown: "doubted: asked in 15 s",
    not_found: "ends as never sent at once",
  },
  unanswered: {
    ...decided(15),
    "refused by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "unanswered: asked in 15 s",
    unknown: "unanswered: asked in 15 s",
    not_found: "unanswered: asked in 300 s",
  },
  "unanswered, not found at 09:06": {
    ...decided(15),
    "refused by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "unanswered: asked in 15 s",
    unknown: "unanswered: asked in 15 s",
    not_found: "sent anew at once",
  },
  "unanswered, not found at 09:08": {
    ...decided(15),
    "refused by this vendor": "sent anew at once",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "unanswered: asked in 15 s",
    unknown: "unanswered: asked in 15 s",
    not_found: "unanswered: asked in 300 s",
  },
  "unanswered, its call refused as failed at 09:01": {
    ...decided(15),
    "refused by this vendor": "sent anew at once",
    "failed at this vendor": "sent anew at once",
    throttled: "unanswered: asked in 15 s",
    unknown: "unanswered: asked in 15 s",
    not_found: "unanswered: asked in 300 s",
  },
  "unanswered, called failed at 09:11:30": {
    ...decided(15),
    "refused by this vendor": "unanswered: asked in 30 s",
    "failed at this vendor": "unanswered: asked in 30 s",
    throttled: "unanswered: asked in 15 s",
    unknown: "unanswered: asked in 15 s",
    not_found: "unanswered: asked in 300 s",
  },
  "unanswered, not found at 09:06, called failed at 09:11:30": {
    ...decided(15),
    "refused by this vendor": "unanswered: asked in 30 s",
    "failed at this vendor": "unanswered: asked in 30 s",
    throttled: "unanswered: asked in 15 s",
    unknown: "unanswered: asked in 15 s",
    not_found: "sent anew at once",
  },
  "unanswered, called failed at 09:10 after it was taken": {
    ...decided(15),
    "refused by this vendor": "sent anew at once",
    "failed at this vendor": "sent anew at once",
    throttled: "unanswered: asked in 15 s",
    unknown: "unanswered: asked in 15 s",
    not_found: "unanswered: asked in 300 s",
  },
  taken: {
    ...decided(15),
    "refused by this vendor": "unanswered: asked in 60 s",
    "failed at this vendor": "unanswered: asked in 60 s",
    throttled: "taken: asked in 15 s",
    unknown: "taken: asked in 15 s",
    not_found: "taken: asked in 15 s",
  },
  "taken, its token to come": {
    ...decided(15),
    accepted: "taken, its token to come: asked in 15 s",
    "accepted, to be asked about in 20 s": "taken, its token to come: asked in 20 s",
    "unknown, but the vendor has it": "taken, its token to come: asked in 15 s",
    "refused by this vendor": "money back",
    "failed at this vendor": "money back",
    throttled: "taken, its token to come: asked in 15 s",
    unknown: "taken, its token to come: asked in 15 s",
    not_found: "taken, its token to come: asked in 15 s",
  },
  "settled as failed": {
    ...afterTheEnd,
    done: "booked as a loss",
    reversed: "the loss undone",
  },
  "settled as successful": {
    ...afterTheEnd,
    reversed: "refunded",
  },
};

const namesOf = (answers: Row) => Object.keys(answers) as AnswerName[];

for (const [name, before] of Object.entries(CALLS))
  test(`the vendor answers the call of a purchase whose attempt is ${name}`, () => {
    assert.equal(attemptState(before), /^\w+/.exec(name)?.[0]);
    const expected = TO_CALL[name as keyof typeof CALLS];
    const row = namesOf(expected).map((answer) => [answer, told(answerCall(before, ANSWERS[answer]))]);
    assert.deepEqual(Object.fromEntries(row), expected);
  });

for (const [name, before] of Object.entries(QUESTIONS))
  test(`the vendor answers a question about a purchase whose attempt is ${name}`, () => {
    assert.equal(attemptState(before), /^\w+/.exec(name)?.[0]);
    const expected = TO_QUESTION[name as keyof typeof QUESTIONS];
    const row = namesOf(expected).map((answer) => [answer, told(answerQuestion(before, ANSWERS[answer]))]);
    assert.deepEqual(Object.fromEntries(row), expected);
  });

test("of an answer to the call that comes late only the word that the vendor has it counts, whatever is known of the attempt", () => {
  const failed = QUESTIONS["settled as failed"];
  // A call that was refused has had its answer.
  const open = Object.entries(QUESTIONS).filter(([name]) => !/^settled|its call refused/.test(name));
  for (const [name, before] of [["new", order({ pieces: null })] as const, ...open])
    for (const [answer, outcome] of Object.entries(ANSWERS)) {
      const { after, money } = answerLate(before, outcome);
      const isTaken = after.pieces?.[0]?.status === "taken";
      assert.equal(isTaken, answer in held(0) || hasTakenPiece(before.pieces), `${name}: ${answer}`);
      assert.equal(money, answer === "done" ? "post" : undefined, `${name}: ${answer}`);
    }
  for (const [answer, outcome] of Object.entries(ANSWERS))
    assert.equal(answerLate(failed, outcome).money, answer === "done" ? "loss" : undefined, answer);
});

test("when no vendor is left, a purchase that is certainly not done ends with its money back", () => {
  const last = { moreRoutes: false };
  for (const answer of ["refused by this vendor", "failed at this vendor"] as const) {
    assert.equal(told(answerCall(CALLS.begun, ANSWERS[answer], last)), "money back", `call: ${answer}`);
    assert.equal(told(answerQuestion(QUESTIONS.begun, ANSWERS[answer], last)), "money back", `question: ${answer}`);
  }
  const notFound = QUESTIONS["unanswered, not found at 09:06"];
  assert.equal(told(answerQuestion(notFound, ANSWERS.not_found, last)), "money back");
});

test("a call is not repeated within 90 s of its begin", () => {
  const justBegun = { ...QUESTIONS.begun, begunAt: at("09:11") };
  assert.equal(told(answerQuestion(justBegun, ANSWERS.not_found)), "begun: asked in 30 s");
});

test("not found proves nothing within 5 min of the record that the answer was lost", () => {
  const justLost = { ...QUESTIONS.unanswered, ambiguousAt: at("09:10") };
  assert.equal(told(answerQuestion(justLost, ANSWERS.not_found)), "unanswered: asked in 180 s");
});

test("every word by which the vendor has the purchase takes back what it had said against that", () => {
  const denied = QUESTIONS["unanswered, not found at 09:06, called failed at 09:11:30"];
  for (const word of namesOf(held(0))) {
    if (word === "done") continue; // the end
    const { notFoundAt, failedAt } = answerQuestion(denied, ANSWERS[word]).after;
    assert.deepEqual([notFoundAt, failedAt], [null, null], word);
  }
});

test("a purchase of a suspended account is not repeated: once it is proven not done it ends as suspended, with its money back", () => {
  const stop = SUSPENDED;
  for (const name of ["begun", "to_repeat, too late to be sent", "repeated", "doubted"] as const) {
    const first = answerQuestion(QUESTIONS[name], ANSWERS.not_found, { stop });
    assert.equal(told(first), "doubted: asked in 300 s", name);
  }
  const ended = answerQuestion(QUESTIONS["doubted, not found at 09:06"], ANSWERS.not_found, { stop });
  assert.deepEqual([ended.after.state, ended.money], ["failed", "void"]);
  assert.equal((ended.after.facts?.failure as { code: string } | undefined)?.code, "account_suspended");
});
