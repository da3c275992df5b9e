import assert from "node:assert/strict";
import { test } from "node:test";
import { type Fetched, Renewable } from "./renewable.ts";

function rig(fetches: () => Fetched<string, string> | Promise<Fetched<string, string>>) {
  const clock = { nowMs: 0, now: () => new Date(), monotonicMs: () => clock.nowMs };
  let fetched = 0;
  const renewable = new Renewable(async () => {
    fetched += 1;
    return fetches();
  }, clock);
  return { clock, renewable, fetched: () => fetched };
}
const good = (value: string): Fetched<string, string> => ({ ok: true, value, goodForMs: 100 });
const bad: Fetched<string, string> = { ok: false, failure: "away", againAfterMs: 10 };

test("whoever asks at once gets one and the same fetch", async () => {
  const { renewable, fetched } = rig(() => good("a"));
  assert.deepEqual(await Promise.all([renewable.get(), renewable.get(), renewable.renew()]), ["a", "a", "a"]);
  assert.equal(fetched(), 1);
});

test("it is renewed in the background before it ends, and not used after", async () => {
  let next = 0;
  const { clock, renewable, fetched } = rig(() => good(String(++next)));
  assert.equal(await renewable.get(), "1");
  clock.nowMs = 79;
  assert.equal(await renewable.get(), "1");
  assert.equal(fetched(), 1);
  clock.nowMs = 80;
  assert.equal(await renewable.get(), "1", "nobody waits for the early renewal");
  assert.equal(await renewable.get(), "2");
  clock.nowMs = 180;
  assert.equal(await renewable.get(), "3");
});

test("a renewal that fails leaves the value until it ends, and says why only then", async () => {
  let isAway = false;
  const { clock, renewable, fetched } = rig(() => (isAway ? bad : good("a")));
  await renewable.get();
  isAway = true;
  clock.nowMs = 90;
  assert.equal(await renewable.get(), "a");
  assert.equal(await renewable.get(), "a");
  assert.equal(fetched(), 2, "no second try at once");
  clock.nowMs = 101;
  assert.equal(await renewable.get(), undefined);
  assert.equal(renewable.failure, "away");
});

test("after a failure nothing is fetched for a moment, then again", async () => {
  const { clock, renewable, fetched } = rig(() => bad);
  for (let asked = 0; asked < 5; asked++) assert.equal(await renewable.get(), undefined);
  assert.equal(fetched(), 1);
  clock.nowMs = 10;
  assert.equal(renewable.failure, undefined);
  await renewable.get();
  assert.equal(fetched(), 2);
});

test("dropping a value that was renewed meanwhile changes nothing", async () => {
  let next = 0;
  const { renewable, fetched } = rig(() => good(String(++next)));
  const first = (await renewable.get())!;
  renewable.drop(first);
  assert.equal(await renewable.get(), "2");
  renewable.drop(first);
  assert.equal(await renewable.get(), "2");
  assert.equal(fetched(), 2);
});
