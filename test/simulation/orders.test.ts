import assert from "node:assert/strict";
import { test } from "node:test";
import { SMS_STEPS } from "../../src/sms/sms.steps.ts";
import { runsOf } from "../../src/testing/test-length.ts";
import { type History, type Played, play, shrink } from "./history.ts";
import { FAULTS } from "./random.ts";
import { TOP_UP_STEPS } from "./top-up.definition.ts";

/**
 * Random histories of orders against the engine's decisions, beside a plain model of vendors and money; the promises are in
 * promises.ts. `AFARA_SEED=n` replays one history and tells it.
 */
const HISTORIES = runsOf({ short: 15_000, long: 500_000 });
const BUDGET_MAX = 12;
/** Another part of the endless space on each day, the same for everybody on that day. */
const FIRST_SEED = Math.floor(Date.now() / 86_400_000) * HISTORIES;

const historyOf = (seed: number): History => ({ seed, budget: seed % (BUDGET_MAX + 1) });

function tellBroken(history: History): string {
  const smallest = shrink(history);
  const { lines, broken } = play(smallest, { tells: true });
  return [
    `AFARA_SEED=${history.seed} replays it; with ${smallest.budget} faults:`,
    ...lines.slice(0, 200),
    broken?.message ?? "",
  ].join("\n");
}

const replayed = process.env.AFARA_SEED;

test("whatever goes wrong, an order ends, its money is settled once, and no vendor serves it twice", (t) => {
  const first = replayed === undefined ? FIRST_SEED : Number(replayed);
  t.diagnostic(`seed ${first}`);
  if (replayed !== undefined) for (const line of play(historyOf(first), { tells: true }).lines) t.diagnostic(line);
  const played: Played[] = [];
  for (let seed = first; seed < first + (replayed === undefined ? HISTORIES : 1); seed++) {
    const one = play(historyOf(seed), { tells: false });
    if (one.broken) assert.fail(tellBroken(historyOf(seed)));
    played.push(one);
  }
  if (replayed === undefined) assertFarEnough(played);
});

test("the same seed plays the same history", () => {
  for (const seed of [1, 2, 3]) {
    const [one, other] = [play(historyOf(seed), { tells: true }), play(historyOf(seed), { tells: true })];
    assert.deepEqual(one.lines, other.lines);
  }
});

/** Histories that never reach an end or a fault prove nothing about it. */
function assertFarEnough(played: readonly Played[]): void {
  const ends = new Set(played.map(({ order }) => order.state));
  for (const { states } of [SMS_STEPS, TOP_UP_STEPS])
    for (const [state, { final }] of Object.entries(states))
      assert.ok(!final || ends.has(state), `no history ended ${state}`);
  for (const fault of FAULTS)
    assert.ok(
      played.some(({ faults }) => faults.has(fault)),
      `never happened: ${fault}`,
    );
  const repeated = played.filter(({ order, takes }) => order.ambiguity === "retry" && takes > 1);
  assert.ok(repeated.length > 100, "few histories in which a message was repeated");
}
