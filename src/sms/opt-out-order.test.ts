import assert from "node:assert/strict";
import { test } from "node:test";
import { makeAccount, NOW, P1, STOP, STOP_CHAT, U1 } from "../testing/opt-outs.ts";
import type { Act } from "./suppressions.repo.ts";

/** What was said last counts. */

test("a START that was written before the STOP takes nothing back, in whichever order they come", async () => {
  const { applyOptOut, outs } = makeAccount();
  await applyOptOut(P1, STOP);
  await applyOptOut(P1, { act: "start", channel: "chat", reason: "stop" }, new Date(NOW.getTime() - 1_000));
  assert.deepEqual(await outs(P1), [true, true]);
});

const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

test("what was said last counts, in whichever order it comes", async () => {
  const START: Act = { act: "start", channel: "sms", reason: "stop" };
  const RESUME: Act = { act: "resume", channel: "chat", reason: "preference" };
  const orders: readonly (readonly [said: readonly (readonly [Act, number])[], sms: boolean, chat: boolean])[] = [
    [
      [
        [STOP, 9],
        [STOP, 3],
        [START, 6],
      ],
      true,
      true,
    ],
    [
      [
        [STOP, 3],
        [STOP, 9],
        [START, 6],
      ],
      true,
      true,
    ],
    [
      [
        [STOP_CHAT, 9],
        [STOP_CHAT, 3],
        [RESUME, 6],
      ],
      false,
      true,
    ],
    [
      [
        [STOP, 9],
        [START, 3],
        [STOP, 6],
      ],
      false,
      false,
    ],
    [
      [
        [START, 3],
        [STOP, 6],
      ],
      false,
      false,
    ],
    [
      [
        [START, 6],
        [STOP, 3],
      ],
      true,
      true,
    ],
    [
      [
        [STOP_CHAT, 9],
        [RESUME, 3],
        [STOP_CHAT, 6],
      ],
      false,
      false,
    ],
    [
      [
        [RESUME, 3],
        [STOP, 6],
      ],
      true,
      false,
    ],
    [
      [
        [STOP, 9],
        [RESUME, 3],
        [STOP, 6],
      ],
      true,
      false,
    ],
    [
      [
        [RESUME, 6],
        [STOP, 3],
      ],
      true,
      true,
    ],
    [
      [
        [START, 3],
        [STOP_CHAT, 6],
      ],
      false,
      true,
    ],
    [
      [
        [START, 5],
        [STOP, 5],
      ],
      true,
      true,
    ],
    [
      [
        [STOP, 5],
        [START, 5],
      ],
      false,
      false,
    ],
  ];
  for (const [said, sms, byChat] of orders) {
    const { applyOptOut, outs } = makeAccount();
    for (const [act, seconds] of said) await applyOptOut(P1, act, secondsAgo(seconds));
    assert.deepEqual(await outs(P1), [sms, byChat], JSON.stringify(said));
  }
});

test("that a START is the last word is known by each of the person's addresses", async () => {
  const { applyOptOut, join, outs } = makeAccount();
  await applyOptOut(U1, { act: "start", channel: "chat", reason: "stop" }, secondsAgo(3));
  await join([P1, U1]);
  await applyOptOut(P1, STOP, secondsAgo(6));
  assert.deepEqual(await outs(P1), [false, false]);
});

test("a recipient's STOP that the account took back does not come again with a repeat; a new one counts", async () => {
  const { applyOptOut, outs, remove } = makeAccount();
  await applyOptOut(P1, STOP, secondsAgo(6));
  assert.equal(await remove(P1, secondsAgo(3)), "done");
  await applyOptOut(P1, STOP, secondsAgo(6));
  assert.deepEqual(await outs(P1), [false, false]);
  await applyOptOut(P1, STOP, secondsAgo(1));
  assert.deepEqual(await outs(P1), [true, true]);
});
