import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { type Act, areSuppressed, heedRecipient, listSuppressions, suppress } from "./suppressions.repo.ts";

/** Whose opt-outs they are: the functions of migration 0030. */
const db = (await makeTestDatabase()).open();
const NOW = new Date("2026-11-27T09:00:00Z");
const [P1, P2, U1, U2] = ["2348031234567", "2348091234567", "NG.13491208655302741918", "NG.99991208655302741919"];
const STOP: Act = { act: "stop", channel: "all", reason: "stop" };
const STOP_CHAT: Act = { act: "stop", channel: "chat", reason: "preference" };

function makeAccount() {
  const accountId = newUuid();
  const mode = "test" as const;
  const isOut = async (address: string, channel: "sms" | "chat") =>
    (await areSuppressed(db, [{ accountId, mode, address, channel }], NOW))[0]!;
  return {
    heed: (address: string, act: Act, at = NOW) => heedRecipient(db, { accountId, mode, address }, act, at),
    join: (now: readonly string[], formerly: readonly string[] = []) =>
      db.query("select join_people($1, $2, $3, $4)", [accountId, mode, now, formerly]),
    isOut,
    /** For promotional SMS and marketing by chat. */
    outs: async (address: string) => [await isOut(address, "sms"), await isOut(address, "chat")],
    listed: (address?: string) =>
      listSuppressions(
        db,
        { accountId, mode, address: address as never, channel: undefined, beforeId: undefined, limit: 10 },
        NOW,
      ),
    suppress: (address: string) =>
      suppress(db, { accountId, mode, address }, { channel: "all", reason: "by mail" }, NOW),
    asBefore: (phone: string, source = "recipient") =>
      db.query(
        `insert into suppressions (account_id, mode, phone, source, id, reason, created_at) values ($1, $2, $3, $4, $5, 'stop', $6)
         on conflict (account_id, mode, phone, source) do nothing`,
        [accountId, mode, phone, source, newUuid(), NOW],
      ),
  };
}

test("what was said before, and what a node of the version before records, counts for all channels", async () => {
  const { asBefore, outs, listed, heed } = makeAccount();
  await asBefore(P1!);
  await asBefore(P1!);
  assert.deepEqual(await outs(P1!), [true, true]);
  assert.deepEqual(
    (await listed()).map(({ phone, userId, channel, source }) => [phone, userId, channel, source]),
    [[P1, null, "all", "recipient"]],
  );
  await heed(P1!, { act: "start", channel: "sms", reason: "stop" });
  assert.deepEqual(await outs(P1!), [false, false]);
});

test("STOP by a hidden phone stops the phone, when the pair is told before and when it is told after", async () => {
  for (const first of ["pair", "stop"]) {
    const { heed, join, outs, listed } = makeAccount();
    if (first === "pair") await join([P1!, U1!]);
    await heed(U1!, STOP);
    if (first === "stop") await join([P1!, U1!]);
    assert.deepEqual(
      [await outs(P1!), await outs(U1!)],
      [
        [true, true],
        [true, true],
      ],
      first,
    );
    const rows = await listed(P1!);
    assert.deepEqual(
      rows.map(({ phone, userId }) => [phone, userId]),
      [[P1, U1]],
      first,
    );
    await heed(P1!, { act: "start", channel: "sms", reason: "stop" });
    assert.deepEqual(
      [await outs(P1!), await outs(U1!)],
      [
        [false, false],
        [false, false],
      ],
      first,
    );
  }
});

test("a person who has told us nothing but an id is on the list without a phone", async () => {
  const { heed, listed, outs } = makeAccount();
  await heed(U1!, STOP_CHAT);
  assert.deepEqual(
    (await listed()).map(({ phone, userId, channel }) => [phone, userId, channel]),
    [[null, U1, "chat"]],
  );
  assert.deepEqual(await outs(U1!), [false, true]);
  assert.deepEqual(await outs(U2!), [false, false]);
});

test("who changes number, or id, or both, stays opted out, and the old number is free for the next", async () => {
  const moves: readonly (readonly [now: string[], formerly: string[]])[] = [
    [[P2!], [P1!]],
    [[P2!, U2!], [P1!]],
    [
      [P2!, U2!],
      [P1!, U1!],
    ],
    [[P2!, U2!], [U1!]],
  ];
  for (const [now, formerly] of moves) {
    const { heed, join, outs, listed, suppress } = makeAccount();
    await join([P1!, U1!]);
    await heed(P1!, STOP);
    await suppress(P1!);
    await join(now, formerly);
    for (const address of now) assert.deepEqual(await outs(address), [true, true], `${formerly} → ${now}: ${address}`);
    assert.deepEqual([...new Set((await listed()).map(({ phone }) => phone))], [P2]);
    assert.equal((await listed(P1!)).length, 2, "it is found by the old one, too");
    await join([P1!, "NG.55551208655302741919"]);
    assert.deepEqual(await outs(P1!), [false, false], "the number's next owner has said nothing");
    assert.deepEqual(await outs(P2!), [true, true]);
  }
});

test("an id that changes alone keeps the opt-out, and the new phone finds it", async () => {
  const { heed, join, outs } = makeAccount();
  await join([P1!, U1!]);
  await heed(U1!, STOP);
  await join([U2!], [U1!]);
  assert.deepEqual(await outs(U2!), [true, true]);
  await join([P2!, U2!]);
  assert.deepEqual(
    [await outs(P2!), await outs(U1!)],
    [
      [true, true],
      [true, true],
    ],
  );
  const other = makeAccount();
  await other.join([P1!, U1!]);
  await other.heed(U1!, STOP);
  await other.join([U2!], [P1!, U1!]);
  assert.deepEqual(await other.outs(U2!), [true, true]);
  await other.join([P1!, "NG.55551208655302741919"]);
  assert.deepEqual(await other.outs(P1!), [false, false], "the phone was left");
});

test("channels are told apart where the person told them apart", async () => {
  const { heed, outs, listed } = makeAccount();
  await heed(P1!, STOP_CHAT);
  assert.deepEqual(await outs(P1!), [false, true]);
  await heed(P1!, { act: "start", channel: "sms", reason: "stop" });
  assert.deepEqual(await outs(P1!), [false, true], "START by SMS says nothing of chat");
  await heed(P1!, STOP);
  assert.deepEqual(await outs(P1!), [true, true]);
  await heed(P1!, { act: "resume", channel: "chat", reason: "preference" });
  assert.deepEqual(await outs(P1!), [true, false], "what is resumed by chat stays stopped by SMS");
  assert.deepEqual(
    (await listed()).map(({ channel }) => channel),
    ["sms"],
  );
  await heed(P1!, { act: "start", channel: "sms", reason: "stop" });
  assert.deepEqual(await listed(), []);
});

test("a START that was written before the STOP takes nothing back, in whichever order they come", async () => {
  const { heed, outs } = makeAccount();
  await heed(P1!, STOP);
  await heed(P1!, { act: "start", channel: "chat", reason: "stop" }, new Date(NOW.getTime() - 1_000));
  assert.deepEqual(await outs(P1!), [true, true]);
});

test("a network's Do-Not-Disturb stays with its line", async () => {
  const { asBefore, join, outs } = makeAccount();
  await asBefore(P1!, "network");
  await join([P1!, U1!]);
  await join([P2!, U2!], [P1!, U1!]);
  assert.deepEqual(
    [await outs(P1!), await outs(P2!)],
    [
      [true, true],
      [false, false],
    ],
  );
});

test("one account's people are not another's", async () => {
  const [one, other] = [makeAccount(), makeAccount()];
  await one.join([P1!, U1!]);
  await one.heed(U1!, STOP);
  assert.deepEqual(await other.outs(P1!), [false, false]);
});

test("a pair and an opt-out that are told at the same moment miss each other never", async () => {
  for (let round = 0; round < 20; round++) {
    const { heed, join, outs } = makeAccount();
    await Promise.all([join([P1!, U1!]), heed(U1!, STOP), join([U1!, P1!]), heed(P1!, STOP_CHAT)]);
    assert.deepEqual(
      [await outs(P1!), await outs(U1!)],
      [
        [true, true],
        [true, true],
      ],
    );
  }
});
