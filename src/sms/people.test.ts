import assert from "node:assert/strict";
import { test } from "node:test";
import { makeAccount, P1, P2, STOP, STOP_CHAT, U1, U2 } from "../testing/opt-outs.ts";

/** Whose opt-outs they are. */

test("what was said before, and what a node of the version before records, counts for all channels", async () => {
  const { asBefore, outs, listed, applyOptOut } = makeAccount();
  await asBefore(P1);
  await asBefore(P1);
  assert.deepEqual(await outs(P1), [true, true]);
  assert.deepEqual(
    (await listed()).map(({ phone, userId, channel, source }) => [phone, userId, channel, source]),
    [[P1, null, "all", "recipient"]],
  );
  await applyOptOut(P1, { act: "start", channel: "sms", reason: "stop" });
  assert.deepEqual(await outs(P1), [false, false]);
});

test("STOP by a hidden phone stops the phone, when the pair is told before and when it is told after", async () => {
  for (const first of ["pair", "stop"]) {
    const { applyOptOut, join, outs, listed } = makeAccount();
    if (first === "pair") await join([P1, U1]);
    await applyOptOut(U1, STOP);
    if (first === "stop") await join([P1, U1]);
    assert.deepEqual(
      [await outs(P1), await outs(U1)],
      [
        [true, true],
        [true, true],
      ],
      first,
    );
    const rows = await listed(P1);
    assert.deepEqual(
      rows.map(({ phone, userId }) => [phone, userId]),
      [[P1, U1]],
      first,
    );
    await applyOptOut(P1, { act: "start", channel: "sms", reason: "stop" });
    assert.deepEqual(
      [await outs(P1), await outs(U1)],
      [
        [false, false],
        [false, false],
      ],
      first,
    );
  }
});

test("a person who has told us nothing but an id is on the list without a phone", async () => {
  const { applyOptOut, listed, outs } = makeAccount();
  await applyOptOut(U1, STOP_CHAT);
  assert.deepEqual(
    (await listed()).map(({ phone, userId, channel }) => [phone, userId, channel]),
    [[null, U1, "chat"]],
  );
  assert.deepEqual(await outs(U1), [false, true]);
  assert.deepEqual(await outs(U2), [false, false]);
});

test("who changes number, or id, or both, stays opted out, and the old number is free for the next", async () => {
  const moves: readonly (readonly [now: string[], formerly: string[]])[] = [
    [[P2], [P1]],
    [[P2, U2], [P1]],
    [
      [P2, U2],
      [P1, U1],
    ],
    [[P2, U2], [U1]],
  ];
  for (const [now, formerly] of moves) {
    const { applyOptOut, join, outs, listed, suppress } = makeAccount();
    await join([P1, U1]);
    await applyOptOut(P1, STOP);
    await suppress(P1);
    await join(now, formerly);
    for (const address of now) assert.deepEqual(await outs(address), [true, true], `${formerly} → ${now}: ${address}`);
    assert.deepEqual([...new Set((await listed()).map(({ phone }) => phone))], [P2]);
    assert.equal((await listed(P1)).length, 2, "it is found by the old one, too");
    await join([P1, "NG.55551208655302741919"]);
    assert.deepEqual(await outs(P1), [false, false], "the number's next owner has said nothing");
    assert.deepEqual(await outs(P2), [true, true]);
  }
});

test("an id that changes alone keeps the opt-out, and the new phone finds it", async () => {
  const { applyOptOut, join, outs } = makeAccount();
  await join([P1, U1]);
  await applyOptOut(U1, STOP);
  await join([U2], [U1]);
  assert.deepEqual(await outs(U2), [true, true]);
  await join([P2, U2]);
  assert.deepEqual(
    [await outs(P2), await outs(U1)],
    [
      [true, true],
      [true, true],
    ],
  );
  const other = makeAccount();
  await other.join([P1, U1]);
  await other.applyOptOut(U1, STOP);
  await other.join([U2], [P1, U1]);
  assert.deepEqual(await other.outs(U2), [true, true]);
  await other.join([P1, "NG.55551208655302741919"]);
  assert.deepEqual(await other.outs(P1), [false, false], "the phone was left");
});

test("channels are told apart where the person told them apart", async () => {
  const { applyOptOut, outs, listed } = makeAccount();
  await applyOptOut(P1, STOP_CHAT);
  assert.deepEqual(await outs(P1), [false, true]);
  await applyOptOut(P1, { act: "start", channel: "sms", reason: "stop" });
  assert.deepEqual(await outs(P1), [false, true], "START by SMS says nothing of chat");
  await applyOptOut(P1, STOP);
  assert.deepEqual(await outs(P1), [true, true]);
  await applyOptOut(P1, { act: "resume", channel: "chat", reason: "preference" });
  assert.deepEqual(await outs(P1), [true, false], "what is resumed by chat stays stopped by SMS");
  assert.deepEqual(
    (await listed()).map(({ channel }) => channel),
    ["sms"],
  );
  await applyOptOut(P1, { act: "start", channel: "sms", reason: "stop" });
  assert.deepEqual(await listed(), []);
});

test("two people who exchange their phones stay two people", async () => {
  const next = ["NG.31111208655302741919", "NG.42221208655302741919"] as const;
  const ways: Readonly<Record<string, readonly (readonly [now: string[], formerly: string[]])[]>> = {
    "both had written": [
      [[P1, U1], []],
      [[P2, U2], []],
      [[P2], [P1, U1]],
      [[P1], [P2, U2]],
    ],
    "neither had written": [
      [[P2], [P1, U1]],
      [[P1], [P2, U2]],
    ],
    "with their new ids": [
      [
        [P2, next[0]],
        [P1, U1],
      ],
      [
        [P1, next[1]],
        [P2, U2],
      ],
    ],
    "with their new ids, and both had written": [
      [[P1, U1], []],
      [[P2, U2], []],
      [
        [P2, next[0]],
        [P1, U1],
      ],
      [
        [P1, next[1]],
        [P2, U2],
      ],
    ],
    "with the ids that they had": [
      [[P1, U1], []],
      [[P2, U2], []],
      [[P2, U1], [P1]],
      [[P1, U2], [P2]],
    ],
  };
  for (const [way, told] of Object.entries(ways)) {
    const { applyOptOut, join, outs, listed } = makeAccount();
    await applyOptOut(U1, STOP);
    for (const [now, formerly] of told) await join(now, formerly);
    assert.deepEqual(
      [await outs(P2), await outs(P1)],
      [
        [true, true],
        [false, false],
      ],
      way,
    );
    assert.deepEqual(
      (await listed()).map(({ phone }) => phone),
      [P2],
      way,
    );
    await applyOptOut(P1, { act: "start", channel: "chat", reason: "stop" });
    assert.deepEqual(await outs(P2), [true, true], way);
  }
});

test("a phone that comes with another id is another's; it is the same person where the vendor says so, before or after", async () => {
  const { applyOptOut, join, outs, listed } = makeAccount();
  await join([P1, U1]);
  await applyOptOut(P1, STOP);
  await join([P1, U2]);
  assert.deepEqual(
    [await outs(P1), await outs(U2), await outs(U1)],
    [
      [false, false],
      [false, false],
      [true, true],
    ],
  );
  assert.deepEqual(
    (await listed()).map(({ phone, userId }) => [phone, userId]),
    [[null, U1]],
  );
  await join([P1, U2], [U1]);
  assert.deepEqual(
    [await outs(P1), await outs(U2), await outs(U1)],
    [
      [true, true],
      [true, true],
      [true, true],
    ],
  );
  const other = makeAccount();
  await other.join([P1, U1]);
  await other.applyOptOut(P1, STOP);
  await other.join([U2], [U1]);
  await other.join([P1, U2]);
  assert.deepEqual(await other.outs(P1), [true, true]);
});

test("who changes number and writes with an id that was not told stays opted out", async () => {
  const { applyOptOut, join, outs } = makeAccount();
  await join([P1, U1]);
  await applyOptOut(P1, STOP);
  await join([P2], [P1, U1]);
  await join([P2, U2]);
  assert.deepEqual(
    [await outs(P2), await outs(U2)],
    [
      [true, true],
      [true, true],
    ],
  );
});

test("the id that is shown is the present one", async () => {
  const { applyOptOut, join, listed } = makeAccount();
  await applyOptOut(U1, STOP);
  await join([U2], [U1]);
  assert.deepEqual(
    (await listed()).map(({ userId }) => userId),
    [U2],
  );
});

test("a network's Do-Not-Disturb stays with its line", async () => {
  const { asBefore, join, outs } = makeAccount();
  await asBefore(P1, "network");
  await join([P1, U1]);
  await join([P2, U2], [P1, U1]);
  assert.deepEqual(
    [await outs(P1), await outs(P2)],
    [
      [true, true],
      [false, false],
    ],
  );
});

test("one account's people are not another's", async () => {
  const [one, other] = [makeAccount(), makeAccount()];
  await one.join([P1, U1]);
  await one.applyOptOut(U1, STOP);
  assert.deepEqual(await other.outs(P1), [false, false]);
});

test("a pair and an opt-out that are told at the same moment miss each other never", async () => {
  for (let round = 0; round < 20; round++) {
    const { applyOptOut, join, outs } = makeAccount();
    await Promise.all([join([P1, U1]), applyOptOut(U1, STOP), join([U1, P1]), applyOptOut(P1, STOP_CHAT)]);
    assert.deepEqual(
      [await outs(P1), await outs(U1)],
      [
        [true, true],
        [true, true],
      ],
    );
  }
});
