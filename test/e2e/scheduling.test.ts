import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { assertProblem, type Message, type Problem, phone, startRig, statesOf } from "./rig.ts";

const rig = await startRig((config) => ({
  ...config,
  routes: config.routes.map((route) => ({ ...route, only: { network: ["mtn"] } })),
}));
const { local } = rig;

/** A number that no route takes: it waits in the queue until its validity ends. */
const UNROUTED = "+2348021234567";
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

test("a message for later is scheduled with its price held, leaves when its time has come, and is delivered", async () => {
  const sendAt = inMs(4_000);
  const accepted = await local.send({ to: phone(1), message: "Later", send_at: sendAt });
  assert.deepEqual([accepted.status, accepted.send_at, accepted.leaves_at], ["scheduled", sendAt, sendAt]);
  const message = await local.reached(accepted.id, "delivered");
  assert.deepEqual(statesOf(message), ["scheduled", "queued", "sending", "sent", "delivered"]);
  const sending = message.timeline.find((entry) => entry.status === "sending");
  assert.ok(Date.parse(sending?.at ?? "") >= Date.parse(sendAt), "it does not leave early");
});

test("send_at is read with any offset and shown in UTC", async () => {
  const at = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000);
  const lagos = `${new Date(at.getTime() + 3_600_000).toISOString().slice(0, 19)}+01:00`;
  const accepted = await local.send({ to: phone(2), message: "Zone", send_at: lagos });
  assert.equal(accepted.send_at, at.toISOString());
});

const WRONG_TIMES: readonly (readonly [what: string, sendAt: () => string])[] = [
  ["in the past", () => inMs(-1_000)],
  ["less than a second ahead", () => inMs(500)],
  ["more than 30 days ahead", () => inMs(30 * 86_400_000 + 60_000)],
  ["without a zone", () => "2026-12-01T09:00:00"],
  ["on a day that does not exist", () => "2026-02-30T09:00:00Z"],
  ["that is no time", () => "tomorrow"],
];
for (const [what, sendAt] of WRONG_TIMES) {
  test(`a send_at ${what} is refused with 400 that names the field`, async () => {
    const refused = await local.refused({ to: phone(3), message: "x", send_at: sendAt() });
    assert.deepEqual([refused.code, refused.errors?.[0]?.pointer], ["validation_failed", "/send_at"]);
  });
}

test("a scheduled message that is cancelled gives its price back and never leaves", async () => {
  const before = await local.wallet();
  const accepted = await local.send({ to: phone(4), message: "Never", send_at: inMs(3_600_000) });
  const { status, body } = await local.post<Message>(`/sms/cancel/${accepted.id}`);
  assert.deepEqual([status, body.status, body.charge, body.leaves_at], [200, "cancelled", "returned", undefined]);
  assert.deepEqual(await local.wallet(), before);
  assert.deepEqual(statesOf(await local.status(accepted.id)), ["scheduled", "cancelled"]);
  const again = await local.post<Problem>(`/sms/cancel/${accepted.id}`);
  assertProblem(again);
  assert.deepEqual([again.status, again.body.code], [409, "invalid_state"]);
  assert.deepEqual(await rig.submits([accepted.id]), []);
});

test("a queued message that nobody is sending can be cancelled: its price comes back and it never leaves", async () => {
  const before = await local.wallet();
  const { id, status } = await local.send({ to: UNROUTED, message: "Never" });
  assert.equal(status, "queued");
  // The node that took it along at its acceptance gives it back once it has seen that no route takes it.
  const cancelled = await waitFor("the cancel succeeds", async () => {
    const answer = await local.post<Message>(`/sms/cancel/${id}`);
    return answer.status === 200 ? answer.body : undefined;
  });
  assert.equal(cancelled.status, "cancelled");
  assert.deepEqual(await local.wallet(), before);
  assert.deepEqual(await rig.submits([id]), []);
});

test("of 20 cancels at once of one message exactly one succeeds", async () => {
  const before = await local.wallet();
  const { id } = await local.send({ to: phone(5), message: "Never", send_at: inMs(3_600_000) });
  const answers = await Promise.all(Array.from({ length: 20 }, () => local.post<Message>(`/sms/cancel/${id}`)));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, ...Array(19).fill(409)]);
  assert.deepEqual(await local.wallet(), before);
});

test("a message that was sent can't be cancelled: 409 with its state, and it stays charged", async () => {
  const { id } = await local.send({ to: phone(6), message: "Gone" });
  await local.reached(id, "delivered");
  const before = await local.wallet();
  const answer = await local.post<Problem>(`/sms/cancel/${id}`);
  assertProblem(answer);
  assert.deepEqual([answer.status, answer.body.code, answer.body.order_status], [409, "invalid_state", "delivered"]);
  assert.deepEqual(await local.wallet(), before);
});

test("an account that is suspended when the time comes sends nothing: failed, money returned", async () => {
  const subscriber = await rig.subscriber({ balance: "10.00" });
  const { id } = await subscriber.send({ to: phone(8), message: "Suspended", send_at: inMs(6_000) });
  await rig.db.query("update accounts set suspended_at = now() where id = $1", [subscriber.accountId]);
  const ended = async () => {
    const { rows } = await rig.db.query<{ state: string; failure: string; held: bigint; taken: bigint }>(
      `select o.state, o.facts->'failure'->>'code' as failure, l.debits_pending as held, l.debits_posted as taken
         from orders o join ledger_accounts l on l.account_id = o.account_id and l.kind = 'wallet' and l.mode = 'test'
        where o.account_id = $1 and o.ended_at is not null`,
      [subscriber.accountId],
    );
    return rows[0];
  };
  const row = await waitFor("the scheduled message has ended", ended);
  assert.deepEqual(row, { state: "failed", failure: "account_suspended", held: 0n, taken: 0n });
  assert.deepEqual(await rig.submits([id]), []);
});

test("a promotional message for later than 20:00 in Lagos waits for 08:00, or is refused when it may not wait", async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const body = { to: phone(10), message: "Sale", route: "promotional", send_at: `${tomorrow}T22:00:00+01:00` };
  const accepted = await local.send(body);
  const dayAfter = new Date(Date.parse(body.send_at) + 10 * 3_600_000).toISOString();
  assert.deepEqual([accepted.status, accepted.leaves_at], ["scheduled", dayAfter]);
  assert.equal((await local.status(accepted.id)).leaves_at, dayAfter);
  const refused = await local.refused({ ...body, quiet_hours: "fail" });
  assert.equal(refused.code, "outside_quiet_hours");
  const byDay = await local.send({ ...body, quiet_hours: "fail", send_at: `${tomorrow}T12:00:00+01:00` });
  assert.equal(byDay.status, "scheduled");
});

for (const minutes of [0, 4_321, 1.5, "60", null]) {
  test(`a validity of ${JSON.stringify(minutes)} minutes is refused`, async () => {
    const refused = await local.refused({ to: phone(11), message: "x", validity_minutes: minutes });
    assert.deepEqual([refused.code, refused.errors?.[0]?.pointer], ["validation_failed", "/validity_minutes"]);
  });
}

for (const minutes of [1, 4_320]) {
  test(`a validity of ${minutes} minute(s) is kept with the order, from its acceptance`, async () => {
    const { id, created_at: createdAt } = await local.send({ to: phone(12), message: "x", validity_minutes: minutes });
    const { rows } = await rig.db.query<{ expires_at: Date }>(
      "select expires_at from orders where created_at = $1 and recipient = $2",
      [createdAt, phone(12).slice(1)],
    );
    assert.equal(rows[0]?.expires_at.getTime(), Date.parse(createdAt) + minutes * 60_000);
    await local.reached(id, "delivered");
  });
}

test("a message whose validity runs out in our own queue expires: nothing is sent, the money comes back", async () => {
  const before = await local.wallet();
  const { id } = await local.send({ to: UNROUTED, message: "Too late" });
  assert.equal((await local.wallet()).held - before.held, 320n);
  // A minute is the shortest validity there is, so the clock of this order is put forward instead.
  await rig.db.query("update orders set expires_at = now() where recipient = $1 and ended_at is null", [
    UNROUTED.slice(1),
  ]);
  const message = await local.ended(id, 120_000);
  assert.deepEqual(
    [message.status, message.failure?.code, message.charge],
    ["expired", "validity_expired", "returned"],
  );
  assert.equal(message.timeline.at(-1)?.detail, message.failure?.detail);
  assert.deepEqual(await local.wallet(), before);
  assert.deepEqual(await rig.submits([id]), []);
});

rig.provesItsLedger();
