import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "../kernel/clock.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, makeEngine, newOrder, REAL_CLOCK, waitForState } from "../testing/engine.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeClockWatch } from "./clock-watch.ts";
import { findOrder } from "./orders.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

/** The real clock, which can be set forward or back. */
class SettableClock implements Clock {
  setByMs = 0;
  now(): Date {
    return new Date(Date.now() + this.setByMs);
  }
  monotonicMs(): number {
    return REAL_CLOCK.monotonicMs();
  }
}

function makeLog() {
  const lines: string[] = [];
  const write = (level: string) => (_fields: object, message: string) => void lines.push(`${level} ${message}`);
  return { lines, log: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") } };
}

for (const setByMs of [3_600_000, -3_600_000, 6_000, -6_000]) {
  test(`a clock set by ${setByMs / 1000} s is wrong at once, and right again when it is set right`, async () => {
    const clock = new SettableClock();
    const { lines, log } = makeLog();
    const watch = makeClockWatch({ db, clock, log });
    await watch.compare();
    assert.equal(watch.isRight, true);
    clock.setByMs = setByMs;
    assert.equal(watch.isRight, false, "before it is compared");
    await watch.compare();
    await watch.compare();
    assert.equal(watch.isRight, false);
    assert.equal(lines.length, 1, "one warning a minute");
    assert.match(lines[0] ?? "", setByMs > 0 ? /error .*ahead of/ : /error .*behind/);
    clock.setByMs = 0;
    await watch.compare();
    assert.equal(watch.isRight, true);
    assert.match(lines.at(-1) ?? "", /info .*agrees/);
  });
}

test("a clock a little off is no reason to stop", async () => {
  const clock = new SettableClock();
  const { lines, log } = makeLog();
  const watch = makeClockWatch({ db, clock, log });
  clock.setByMs = 3_000;
  await watch.compare();
  assert.deepEqual([watch.isRight, lines], [true, []]);
});

test("while the clock is wrong nothing is accepted, leaves or expires; when it is right all goes on", async () => {
  const accountId = await makeCustomer(db);
  const provider = new ScriptedProvider("one");
  const clock = new SettableClock();
  const engine = makeEngine(db, [provider], { clock });
  await engine.start([]);
  provider.setReady(false);
  const waiting = newOrder(accountId, { expiresAt: new Date(Date.now() + 3_600_000) });
  await engine.accept(waiting);
  clock.setByMs = 40 * 86_400_000;
  provider.setReady(true);
  assert.equal(engine.isClockRight, false);
  const refused = await engine.accept(newOrder(accountId));
  assert.ok(!refused.ok && refused.error.code === "provider_unavailable");
  assert.equal(engine.takes(waiting), false);
  await waitFor("its lease to be given back", async () => {
    const order = await findOrder(db, accountId, waiting.id);
    return order?.leasedUntil === null && order.dueAt !== null;
  });
  assert.deepEqual(provider.sent, []);
  assert.equal((await findOrder(db, accountId, waiting.id))?.state, "queued");
  clock.setByMs = 0;
  await waitForState(db, waiting, "sent");
  assert.equal(provider.sent.length, 1);
  await engine.stop();
  assert.deepEqual(await engineFindings(database.connection), []);
});
