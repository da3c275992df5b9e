import assert from "node:assert/strict";
import { test } from "node:test";
import config from "../../afara.config.ts";
import { type CapsByMode, makeDestinationCaps } from "../counters/destination-caps.ts";
import { MemoryCounters } from "../counters/memory-counters.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import { makeErasedName } from "../kernel/erased-name.ts";
import { newUuid } from "../kernel/ids.ts";
import { findOrder } from "../orders/orders.repo.ts";
import { makeOrders } from "../orders/orders.ts";
import type { RequestKeys } from "../orders/repeats.ts";
import { makeTestAccount } from "../testing/account.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { makeBulks } from "./bulk.service.ts";
import { makeSmsSeal } from "./sealed-sms.ts";
import { makeSenders } from "./senders.service.ts";
import { SMS } from "./sms.definition.ts";
import { SMS_REFUSALS } from "./sms.refusals.ts";
import { makeSms } from "./sms.service.ts";
import { makeSuppressions } from "./suppressions.service.ts";
import type { SmsCaller, SmsOptions } from "./terms.ts";

/** The service on a real database, with a clock that stands; nothing is dispatched. */
const db = (await makeTestDatabase()).open();

/** `hour` by the clock in Lagos, on 27 November 2026. */
async function makeRig(hour: number, { routed = true, caps = {} }: { routed?: boolean; caps?: CapsByMode } = {}) {
  const clock = new StandingClock(); // 10:00 in Lagos
  clock.advance((hour - 10) * HOUR_MS);
  const orders = makeOrders({
    db,
    node: newUuid(),
    role: "api",
    clock,
    log: SILENT,
    services: [SMS],
    routes: routed
      ? [
          {
            provider: new ScriptedProvider("v"),
            settings: { name: "v", queues: ["sms:test"], weight: 1, window: 1, ratePerSecond: 1 },
          },
        ]
      : [],
    isSuspended: async () => false,
    leaseSeconds: 30,
    inboxMax: 10,
    waitingMax: 100,
    answerMs: 1_000,
  });
  orders.attach([{ definition: SMS, refusals: SMS_REFUSALS }]);
  const options = {
    db,
    orders,
    clock,
    defaultSender: "Afara",
    vatBasisPoints: config.vatBasisPoints,
    plans: config.services.sms?.plans ?? [],
    senders: makeSenders({ db, clock, defaultSender: "Afara", openSenders: [] }),
    suppressions: makeSuppressions({ db, clock, erasedName: makeErasedName("a secret") }),
    destinationCaps: makeDestinationCaps(new MemoryCounters(clock), caps),
    seal: makeSmsSeal("a secret of the server"),
  };
  const sms = { ...makeSms(options), ...makeBulks(options) };
  const { accountId } = await makeTestAccount(db, { secret: "pepper", plan: "scale", balance: "100.00" });
  const plan = config.services.sms!.plans.at(-1)!;
  const caller: SmsCaller = { accountId, mode: "test", plan };
  const send = (options: SmsOptions, keys: Partial<RequestKeys> = {}, message = "Sale") =>
    sms.send(caller, { to: "08031234567", message }, options, {
      idempotencyKey: undefined,
      fingerprint: Buffer.from(message.padEnd(32).slice(0, 32)),
      ...keys,
    });
  /** The order as it was stored. */
  const sent = async (options: SmsOptions) => {
    const result = await send(options);
    assert.ok(result.ok, "it is accepted");
    const order = await findOrder(db, accountId, result.value.order.id);
    assert.ok(order);
    return order;
  };
  return { clock, sms, caller, plan, send, sent };
}

const pointerTo = (index: number) => `/to/${index}`;
const lagos = (day: number, time: string) => new Date(`2026-11-${day}T${time}+01:00`);

const PROMOTIONS: readonly (readonly [hour: number, state: string, leavesAt: Date])[] = [
  [7, "scheduled", lagos(27, "08:00:00.000")],
  [8, "queued", lagos(27, "08:00:00.000")],
  [19, "queued", lagos(27, "19:00:00.000")],
  [20, "scheduled", lagos(28, "08:00:00.000")],
  [23, "scheduled", lagos(28, "08:00:00.000")],
];
for (const [hour, state, leavesAt] of PROMOTIONS) {
  test(`a promotional message accepted at ${hour}:00 in Lagos is ${state}, due ${leavesAt.toISOString()}`, async () => {
    const { send, sent } = await makeRig(hour);
    assert.equal((await sent({ route: "promotional" })).state, state);
    const result = await send({ route: "promotional" });
    assert.ok(result.ok && "dueAt" in result.value.order);
    assert.deepEqual(result.value.order.dueAt, leavesAt);
    assert.equal(result.value.order.sendAt, null);
  });

  test(`a promotional message that may not wait is ${state === "queued" ? "taken" : "refused"} at ${hour}:00 in Lagos`, async () => {
    const result = await (await makeRig(hour)).send({ route: "promotional", quiet_hours: "fail" });
    assert.equal(result.ok, state === "queued");
    if (!result.ok) {
      assert.equal(result.error.code, "outside_quiet_hours");
      assert.deepEqual(
        result.error.errors?.map(({ pointer }) => pointer),
        ["/quiet_hours"],
      );
    }
  });
}

test("a transactional message is queued at once at any hour", async () => {
  for (const hour of [3, 12, 22]) assert.equal((await (await makeRig(hour)).sent({})).state, "queued");
});

test("validity runs from the acceptance, or from send_at; a day unless told", async () => {
  const { clock, sent } = await makeRig(12);
  const now = clock.now().getTime();
  const expires = async (options: SmsOptions) => (await sent(options)).expiresAt?.getTime();
  assert.equal(await expires({}), now + 24 * HOUR_MS);
  assert.equal(await expires({ validity_minutes: 1 }), now + 60_000);
  const sendAt = new Date(now + 2 * HOUR_MS).toISOString();
  assert.equal(await expires({ send_at: sendAt, validity_minutes: 60 }), now + 3 * HOUR_MS);
});

test("a lost answer is retried for a single transactional message; promotional ones and bulks are sent at most once", async () => {
  const { sms, caller, sent } = await makeRig(12);
  assert.equal((await sent({})).ambiguity, "retry");
  assert.equal((await sent({ on_ambiguous: "fail" })).ambiguity, "fail");
  assert.equal((await sent({ route: "promotional" })).ambiguity, "fail");
  assert.equal((await sent({ route: "promotional", on_ambiguous: "retry" })).ambiguity, "retry");
  const bulk = await sms.prepareBulk(caller, [{ to: "08031234567", message: "x" }], {}, pointerTo);
  assert.ok(bulk.ok);
  assert.equal(bulk.value.orders[0]?.order.ambiguity, "fail");
});

test("single messages go before bulks, and transactional ones before promotional ones", async () => {
  const { sms, caller, sent } = await makeRig(12);
  const inBulk = async (options: SmsOptions) => {
    const bulk = await sms.prepareBulk(caller, [{ to: "08031234567", message: "x" }], options, pointerTo);
    assert.ok(bulk.ok);
    return bulk.value.orders[0]!.order.priority;
  };
  const single = (await sent({})).priority;
  const promotional = (await sent({ route: "promotional" })).priority;
  const order = [single, promotional, await inBulk({}), await inBulk({ route: "promotional" })];
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(order).size, 4);
});

test("a key is kept for 72 hours after its message's end, and may then name another one", async () => {
  const { clock, caller, send } = await makeRig(12);
  const keys = { idempotencyKey: "4471" };
  const first = await send({}, keys, "One");
  assert.ok(first.ok && !first.value.replayed);
  const endedAt = clock.now();
  await db.query("update orders set state = 'delivered', ended_at = $3 where account_id = $1 and id = $2", [
    caller.accountId,
    first.value.order.id,
    endedAt,
  ]);
  clock.advance(72 * HOUR_MS);
  const kept = await send({}, keys, "Two");
  assert.ok(!kept.ok);
  assert.equal(kept.error.code, "idempotency_key_reused");
  clock.advance(1);
  const another = await send({}, keys, "Two");
  assert.ok(another.ok && !another.value.replayed);
  assert.notEqual(another.value.order.id, first.value.order.id);
});

test("a bulk whose reference is also an item's refuses that item alone, and the number may come again", async () => {
  const { sms, caller } = await makeRig(10);
  const options = { reference: "R" };
  const items = [
    { to: "08031234567", message: "a", reference: "R" },
    { to: "08031234568", message: "b", reference: "S" },
    { to: "08031234569", message: "c", reference: "S" },
    { to: "08031234567", message: "d", reference: "T" },
  ];
  const prepared = await sms.prepareBulk(caller, items, options, (index, field) => `/messages/${index}/${field}`);
  assert.ok(prepared.ok);
  const keys = { idempotencyKey: undefined, fingerprint: Buffer.alloc(32, "R") };
  const sent = await sms.sendBulk(caller, prepared.value, options, keys);
  assert.ok(sent.ok);
  assert.deepEqual(
    sent.value.rejected.map(({ index, code, detail }) => [index, code, detail]),
    [
      [0, "reference_already_used", "The reference is the bulk's own. Give each message one of its own."],
      [2, "reference_already_used", "The reference is used at index 1. Give each message one of its own."],
    ],
  );
  assert.deepEqual(
    sent.value.messages.map(({ to }) => to),
    ["2348031234568", "2348031234567"],
  );
});

test("a bulk of one item with the bulk's own reference is refused with the place of the reference", async () => {
  const { sms, caller } = await makeRig(10);
  const items = [{ to: "08031234567", message: "a", reference: "R" }];
  const place = (index: number, field: string) => `/messages/${index}/${field}`;
  const prepared = await sms.prepareBulk(caller, items, { reference: "R" }, place);
  assert.ok(!prepared.ok);
  assert.equal(prepared.error.code, "no_acceptable_recipient");
  assert.deepEqual(
    prepared.error.errors?.map(({ pointer }) => pointer),
    ["/messages/0/reference"],
  );
});

test("a sender or a time that can't be refuses the request as malformed, each with a code of its own", async () => {
  const { send, clock } = await makeRig(10);
  const past = new Date(clock.now().getTime() - 1_000).toISOString();
  const result = await send({ from: "x ", send_at: past, quiet_hours: "fail", route: "promotional" });
  assert.ok(!result.ok);
  assert.equal(result.error.code, "validation_failed");
  assert.deepEqual(
    result.error.errors?.map(({ pointer, code }) => [pointer, code]),
    [
      ["/from", "sender_form"],
      ["/send_at", "out_of_range"],
    ],
  );
});

test("without a vendor for the mode nothing is accepted and nothing is held", async () => {
  const { sms, caller, send } = await makeRig(10, { routed: false });
  const single = await send({});
  assert.equal(!single.ok && single.error.code, "provider_unavailable");
  const bulk = await sms.prepareBulk(
    caller,
    [{ to: "08031234567", message: "x" }],
    {},
    (index, field) => `/${index}/${field}`,
  );
  assert.equal(!bulk.ok && bulk.error.code, "provider_unavailable");
});
