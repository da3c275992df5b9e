import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { storedMsisdn } from "../kernel/msisdn.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { type CapsByMode, DEFAULT_CAPS, makeDestinationCaps, type Sender } from "./destination-caps.ts";
import { MemoryCounters } from "./memory-counters.ts";

const NUMBER = storedMsisdn("2348031234567");
const OTHER = storedMsisdn("2348031234568");

function makeRig(caps: CapsByMode) {
  const clock = new StandingClock();
  const destinations = makeDestinationCaps(new MemoryCounters(clock), caps);
  const refusal = async (sender: Sender, number = NUMBER) =>
    (await destinations.count(sender, [number])).refused.get(0);
  return { clock, destinations, refusal };
}
const account = (mode: Sender["mode"] = "live"): Sender => ({ accountId: newUuid(), mode });

test("a number takes so many messages an hour from one account, and waiting as told is enough", async () => {
  const { clock, refusal } = makeRig({ live: { perAccount: 2, overall: 10 } });
  clock.advance(1_234_567);
  const sender = account();
  for (const _ of [1, 2]) assert.equal(await refusal(sender), undefined);
  const refused = await refusal(sender);
  assert.equal(refused?.code, "destination_rate_limited");
  assert.match(refused.detail, /at most 2 messages an hour from your account/);
  assert.partialDeepStrictEqual(refused.members, { limit: 2, window_seconds: 3_600 });
  assert.equal(await refusal(sender, OTHER), undefined, "another number has room");
  assert.equal(await refusal(account()), undefined, "another account has room");
  clock.advance((refused.retryAfterSeconds! - 1) * 1_000);
  assert.notEqual(await refusal(sender), undefined);
  clock.advance(1_000);
  assert.equal(await refusal(sender), undefined);
});

test("all accounts together have a cap, of which none is told what the others send", async () => {
  const { clock, refusal } = makeRig({ live: { perAccount: 2, overall: 3 } });
  const [first, second] = [account(), account()];
  for (const sender of [first, first, second]) assert.equal(await refusal(sender), undefined);
  const refused = await refusal(second);
  assert.equal(refused?.code, "destination_rate_limited");
  assert.ok(!("limit" in refused.members!));
  clock.advance(refused.retryAfterSeconds! * 1_000);
  assert.equal(await refusal(second), undefined);
});

test("what is given back can be sent", async () => {
  const { destinations } = makeRig({ live: { perAccount: 1, overall: 5 } });
  const sender = account();
  const counted = await destinations.count(sender, [NUMBER, OTHER]);
  await counted.giveBack([1]);
  const again = await destinations.count(sender, [NUMBER, OTHER]);
  assert.deepEqual([...again.refused.keys()], [0]);
  await again.giveAllBack();
  const third = await destinations.count(sender, [NUMBER, OTHER]);
  assert.deepEqual([...third.refused.keys()], [0], "what was refused has nothing to give back");
});

test("by default live mode has a cap of thirty and sixty, test mode none", async () => {
  const { refusal } = makeRig(DEFAULT_CAPS);
  const passing = async (sender: Sender) => {
    let passed = 0;
    for (let count = 0; count < 100; count += 1) if ((await refusal(sender)) === undefined) passed += 1;
    return passed;
  };
  assert.deepEqual(
    [await passing(account()), await passing(account()), await passing(account()), await passing(account("test"))],
    [30, 30, 0, 100],
  );
});
