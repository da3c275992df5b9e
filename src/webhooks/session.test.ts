import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { waitFor } from "../testing/wait-for.ts";
import { type Claimed, type Message, type Tries, UNTRIED } from "./delivery.ts";
import type { DueMessage } from "./due-messages.ts";
import { HEALTHY, type Health } from "./health.ts";
import { Session } from "./session.ts";
import type { Settled, Settlement } from "./settlement.ts";

/** A session on rows that stay as they were until their settlement is committed, as those of the database do. */

const [id, subjectId] = [newUuid(), newUuid()];
const rowAt = (position: bigint, tries: Tries = UNTRIED, subject = subjectId): DueMessage => ({
  ...tries,
  position,
  message: { eventId: newUuid(), type: "parcel.sent", subjectId: subject, body: Buffer.from("{}") },
});
const endpointWith = (waiting: number, health: Health): Claimed => ({
  id,
  accountId: newUuid(),
  mode: "test",
  url: "http://127.0.0.1/hook",
  types: ["*"],
  description: null,
  mayVend: false,
  status: "active",
  disabledReason: null,
  missedBefore: null,
  createdAt: new Date(),
  updatedAt: new Date(),
  epoch: 1,
  position: 9n,
  done: [],
  health,
  keys: [],
  waiting: new Map([[subjectId, waiting]]),
});

/** A session with these rows; nothing is committed until `commit` is resolved. */
function start(rows: DueMessage[], failing: ReadonlySet<Message>, health: Health = HEALTHY, durationMs = 1) {
  const posted: Message[] = [];
  const waiting: number[] = [];
  const commit = Promise.withResolvers<void>();
  let looks = 0;
  const settle = async (settlement: Settlement): Promise<Settled> => {
    await commit.promise;
    waiting.push(settlement.waiting);
    for (const gone of settlement.removed)
      rows.splice(
        rows.findIndex(({ message }) => message.eventId === gone),
        1,
      );
    // Not due any more, and with it what it holds up.
    for (const { eventId, dueAt, holds } of settlement.kept)
      if (dueAt === null || dueAt > new Date()) {
        const place = rows.findIndex(({ message }) => message.eventId === eventId);
        rows.splice(place, holds ? rows.length : 1);
      }
    return { hasChanged: false };
  };
  const session = new Session(
    endpointWith(rows.length, health),
    {
      clock: { now: () => new Date(), monotonicMs: () => performance.now() },
      chance: () => 0.5,
      readFeed: async (_endpoint, after) => ({ messages: [], reached: after, hasMore: false }),
      readDue: async () => {
        looks += 1;
        return [...rows];
      },
      post: async (_endpoint, message) => {
        posted.push(message);
        return failing.has(message) ? { error: "http_error", status: 500, durationMs } : { durationMs };
      },
      settle,
      disable: async () => undefined,
      takeSlot: () => true,
      giveSlot: () => undefined,
      failed: (_endpoint, error) => assert.fail(String(error)),
    },
    { claimedMs: performance.now() },
  );
  return { session, ended: session.run(), posted, waiting, commit, looks: () => looks };
}

async function play(rows: DueMessage[], failing: ReadonlySet<Message>) {
  const { session, ended, posted, waiting, commit, looks } = start(rows, failing);
  await waitFor("the first attempt", () => posted.length > 0);
  for (let ticks = 0; ticks < 5; ticks++) {
    const before = looks();
    session.tick();
    await waitFor("a look at the rows", () => looks() > before);
  }
  commit.resolve();
  await ended;
  return { posted, waiting };
}

test("a delivered row is not delivered again while its removal awaits the commit, nor counted twice", async () => {
  const row = rowAt(5n);
  const { posted, waiting } = await play([row], new Set());
  assert.deepEqual(posted, [row.message]);
  assert.deepEqual(new Set(waiting), new Set([0]));
});

test("rows behind one that failed are not sent before it while its failure awaits the commit", async () => {
  const [first, second] = [rowAt(5n), rowAt(6n)];
  const { posted, waiting } = await play([first, second], new Set([first.message]));
  assert.deepEqual(posted, [first.message]);
  assert.deepEqual(new Set(waiting), new Set([2]));
});

/** It rests after each further failure. */
const TIRED: Health = { failures: 30, failingSince: new Date(), rests: 9, restUntil: null };
const tried = (more: Partial<Tries>): Tries => ({ ...UNTRIED, attempts: 30, step: 2, firstAt: new Date(0), ...more });

test("what is behind an event that is passed over has its turn, also where the endpoint rests after each failure", async () => {
  const [first, second] = [rowAt(5n, tried({ holds: false })), rowAt(6n)];
  const { ended, posted, commit } = start([first, second], new Set([first.message]), TIRED);
  commit.resolve();
  await ended;
  assert.deepEqual(posted, [first.message, second.message]);
});

test("with more rows than have room, each subject's come together: none is tried for nothing", async () => {
  const subjects = Array.from({ length: 300 }, () => newUuid());
  const firsts = subjects.map((subject, index) => rowAt(BigInt(index + 1), tried({ holds: false }), subject));
  const seconds = subjects.map((subject, index) => rowAt(BigInt(index + 1_001), { ...UNTRIED, holds: false }, subject));
  const failing = new Set(firsts.map(({ message }) => message));
  const rows = [...firsts, ...seconds];
  const { session, ended, posted, commit } = start(rows, failing);
  commit.resolve();
  await waitFor("all seconds", () => seconds.every(({ message }) => posted.includes(message)));
  session.stop();
  await ended;
  assert.ok(posted.length <= 2.1 * subjects.length, `${posted.length} attempts`);
});

test("an event that fails always does not take the turn of other orders, also where the endpoint rests after each failure", async () => {
  const [bad, other, untried] = [
    rowAt(5n, tried({})),
    rowAt(6n, tried({ attempts: 1 }), newUuid()),
    rowAt(7n, UNTRIED, newUuid()),
  ];
  const failing = new Set([bad.message, other.message]);
  const { ended, posted, commit } = start([bad, other, untried], failing, TIRED);
  commit.resolve();
  await ended;
  assert.deepEqual(posted, [untried.message, other.message, bad.message]);
});

test("an endpoint whose answers are slow counts among those that may take long, though it takes everything", async () => {
  for (const [durationMs, expected] of [
    [14_000, true],
    [10, false],
  ] as const) {
    const { session, ended, commit } = start([rowAt(5n)], new Set(), HEALTHY, durationMs);
    commit.resolve();
    await ended;
    assert.deepEqual([session.mayTakeLong, session.isSuspect], [expected, false]);
  }
});
