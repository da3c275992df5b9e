import assert from "node:assert/strict";
import { test } from "node:test";
import config from "../../afara.config.ts";
import { makePlans } from "../accounts/plans.ts";
import { newUuid } from "../kernel/ids.ts";
import type { Msisdn } from "../kernel/msisdn.ts";
import type { SmsSubscriber, WantedSms } from "../ports/sms-fallback.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { makeFallbackSms } from "./fallback.ts";
import { makeSenders } from "./senders.service.ts";

const db = (await makeTestDatabase()).open();
const clock = new StandingClock();
const make = makeFallbackSms({
  db,
  clock,
  plans: makePlans(config),
  senders: makeSenders({ db, clock, defaultSender: "Afara", openSenders: [] }),
  defaultSender: "Afara",
});

const FREE = config.services.sms!.plans[0]!;
const owner = (more: Partial<SmsSubscriber> = {}): SmsSubscriber => ({
  accountId: newUuid(),
  mode: "test",
  smsPlan: FREE.id,
  ...more,
});
const WANTED: WantedSms = { to: "2348031234567" as Msisdn, message: "Your code is 4471", route: "transactional" };

const faultsOf = async (whose: SmsSubscriber, wanted: Partial<WantedSms> = {}) => {
  const made = await make(whose, { ...WANTED, ...wanted });
  return made.ok ? [] : made.error.map(({ code, pointer }) => [code, pointer]);
};

test("it is made as an SMS of the account would be, at that price, from its own sender where it has one", async () => {
  const made = await make(owner(), WANTED);
  assert.ok(made.ok);
  const { sms, priceKobo } = made.value;
  assert.deepEqual(sms, {
    from: "Afara",
    text: WANTED.message,
    encoding: "gsm7",
    segments: 1,
    route: "transactional",
    network_guess: "mtn",
  });
  const long = await make(owner({ defaultSender: "Shop" }), { ...WANTED, message: "x".repeat(200) });
  assert.ok(long.ok);
  assert.deepEqual([long.value.sms.from, long.value.priceKobo], ["Shop", priceKobo * 2n]);
});

test("all that is wrong with it is told, each at its place", async () => {
  assert.deepEqual(await faultsOf(owner(), { message: "x".repeat(2_000), from: "!" }), [
    ["message_too_long", "/message"],
    ["sender_form", "/from"],
  ]);
  assert.deepEqual(await faultsOf(owner({ mode: "live" }), { from: "Shop" }), [["sender_not_approved", "/from"]]);
});

test("it needs a plan of SMS, and one with messages left in this month", async () => {
  const { smsPlan: _, ...without } = owner();
  assert.deepEqual(await faultsOf(without), [["not_subscribed", ""]]);
  const whose = owner();
  const counted = (used: number) =>
    db.query(
      `insert into usage_counters (account_id, mode, service, period, used) values ($1, 'test', 'sms', $2, $3)
       on conflict (account_id, mode, service, period) do update set used = excluded.used`,
      [whose.accountId, clock.now().toISOString().slice(0, 7), used],
    );
  await counted(FREE.quota! - 1);
  assert.deepEqual(await faultsOf(whose), []);
  await counted(FREE.quota!);
  assert.deepEqual(await faultsOf(whose), [["quota_exceeded", ""]]);
});
