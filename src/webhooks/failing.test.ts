import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { positionAt } from "../events/position.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import { decodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { writeEvent } from "../testing/events.ts";
import { orderFaults, Receiver } from "../testing/receiver.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeWebhooksRig } from "../testing/webhooks-rig.ts";
import { makeHousekeeping } from "./housekeeping.ts";

/** Live endpoints, whose waits are as long as documented; the tests put the clock forward. */

const nodes: { stop(): Promise<void> }[] = [];
// Before the database's own hook.
after(() => Promise.all(nodes.map((node) => node.stop())));
const db = (await makeTestDatabase()).open();

const rig = await makeWebhooksRig(db, { mode: "live" });
nodes.push(await rig.startNode());
// Each test has the account for itself: its events go to all endpoints.
beforeEach(() => rig.clear());

// First: the feed has the database's time, which is not put forward.
test("where one of two events of each order is refused, a replay brings all others, with few repeats", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  const since = rig.clock.now().toISOString();
  const subjects = Array.from({ length: 250 }, newUuid);
  for (const subject of subjects) await writeEvent(db, rig.owner, { subjectId: subject, at: rig.clock.now() });
  for (const subject of subjects) await rig.write(subject, 1, 2);
  await waitFor("all events", () => receiver.events.length === 500);
  receiver.answer = ({ sequence }) => (sequence === 1 ? 400 : 204);
  await rig.call("POST", `/webhooks/${endpoint.id}/replay`, { since });
  const before = receiver.all.length;
  await rig.passTime("the later ones", SECOND_MS, () => receiver.events.length >= 750);
  assert.equal(new Set(receiver.taken.slice(501).map(({ id }) => id)).size, 250);
  const attempts = receiver.all.length - before;
  assert.ok(attempts < 6 * 250, `${attempts} attempts`);
});

test("an order goes on past an event that fails for half an hour, and the event still comes", async () => {
  const { receiver } = await rig.subscribe();
  const [bad, good] = [newUuid(), newUuid()];
  let isHealed = false;
  receiver.answer = ({ subject, sequence }) => (subject === bad && sequence === 1 && !isHealed ? 500 : 204);
  await rig.write(bad, 2);
  await rig.write(good, 1);
  await waitFor("a first attempt and the good order", () => receiver.all.length === 3);
  const startedMs = rig.clock.now().getTime();
  const has = (sequence: number) =>
    receiver.events.some(({ subject, sequence: its }) => subject === bad && its === sequence);
  await rig.passTime("the second event", 20 * SECOND_MS, () => has(2));
  const passedMs = rig.clock.now().getTime() - startedMs;
  assert.ok(passedMs >= 29 * MINUTE_MS && passedMs < 40 * MINUTE_MS, `${passedMs / MINUTE_MS} minutes`);
  assert.ok(!has(1));
  const before = receiver.all.slice(
    0,
    receiver.all.findIndex(({ subject, sequence }) => subject === bad && sequence === 2),
  );
  assert.equal(before.at(-1)!.sequence, 1, "not without another attempt at the first");
  isHealed = true;
  await rig.passTime("the first event", 10 * MINUTE_MS, () => has(1));
});

test("orders whose first event is refused keep no other order waiting for long", async () => {
  const { receiver } = await rig.subscribe();
  const good = newUuid();
  receiver.answer = ({ subject, type }) => (subject === good || type === "webhook.ping" ? 204 : 400);
  for (let count = 0; count < 250; count++)
    await writeEvent(db, rig.owner, { subjectId: newUuid(), at: rig.clock.now() });
  await rig.write(good);
  const startedMs = rig.clock.now().getTime();
  await rig.passTime("the good order", SECOND_MS, () => receiver.events.length === 1);
  const tookMs = rig.clock.now().getTime() - startedMs;
  assert.ok(tookMs < 10 * MINUTE_MS, `${tookMs / SECOND_MS} s`);
});

test("an endpoint that was down gets everything soon after it is back, in order", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  let isDown = true;
  receiver.answer = (_received, response) => {
    if (!isDown) return 204;
    response.socket?.destroy();
    return undefined;
  };
  const subjects = Array.from({ length: 30 }, newUuid);
  for (const subject of subjects) await rig.write(subject, 3);
  const downFor = rig.clock.now().getTime() + 3 * HOUR_MS;
  await rig.passTime("three hours", 2 * MINUTE_MS, () => rig.clock.now().getTime() > downFor);
  assert.equal(receiver.events.length, 0);
  const tries = receiver.all.length;
  assert.ok(tries < 150, `${tries} tries in three hours: it rests`);
  isDown = false;
  const backMs = rig.clock.now().getTime();
  await rig.passTime("all events", SECOND_MS, () => receiver.events.length >= 90);
  const tookMs = rig.clock.now().getTime() - backMs;
  assert.ok(tookMs < 10 * MINUTE_MS, `${tookMs / MINUTE_MS} minutes after it was back`);
  assert.deepEqual(orderFaults(receiver.events), []);
  assert.equal((await rig.find(endpoint.id)).status, "active");
});

test("410 disables at once; what comes later is delivered once the endpoint is active again", async () => {
  const { receiver, endpoint } = await rig.subscribe({ types: ["parcel.*"] });
  receiver.answer = () => 410;
  const subject = newUuid();
  await rig.write(subject, 1);
  const disabled = await rig.reach(endpoint.id, "disabled");
  assert.equal(disabled.disabled_reason, "gone");
  await rig.write(subject, 2, 2);
  rig.clock.advance(DAY_MS);
  await rig.hear();
  const before = receiver.all.length;
  receiver.answer = () => 204;
  await rig.call("PATCH", `/webhooks/${endpoint.id}`, { status: "active" });
  await rig.passTime("all events", SECOND_MS, () => receiver.events.length === 3);
  assert.deepEqual(orderFaults(receiver.events), []);
  assert.equal(receiver.all[before]!.type, "webhook.ping");
  const { rows } = await db.query<{ action: string; actor_kind: string }>(
    "select action, actor_kind from audit_log where subject = $1 order by number",
    [endpoint.id],
  );
  assert.deepEqual(
    rows.map(({ action, actor_kind }) => `${action} by ${actor_kind}`),
    ["webhook.create by key", "webhook.disable by system", "webhook.change by key"],
  );
});

test("a disabled endpoint is an event, which the account's other endpoints hear", async () => {
  const [gone, other] = [await rig.subscribe(), await rig.subscribe({ types: ["webhook.*"] })];
  gone.receiver.answer = () => 410;
  await rig.write(newUuid());
  await rig.reach(gone.endpoint.id, "disabled");
  await rig.hear();
  const [told] = await waitFor("the event", () => other.receiver.events.length > 0 && other.receiver.events);
  const { type, sequence, data } = JSON.parse(told!.body.toString());
  assert.deepEqual([type, sequence, data.previous_status], ["webhook.disabled", 1, "active"]);
});

test("five days of nothing but 500 disable; four and a half do not, nor do five with one success", async () => {
  const [failing, healed] = [await rig.subscribe(), await rig.subscribe()];
  failing.receiver.answer = () => 500;
  let mayTake = false;
  healed.receiver.answer = () => (mayTake ? 204 : 500);
  const startedMs = rig.clock.now().getTime();
  const days = () => (rig.clock.now().getTime() - startedMs) / DAY_MS;
  const until = (end: number, step: number) =>
    rig.passTime(`${end} days`, step, async () => {
      // Something to deliver at all times.
      if (days() < end) await rig.write(newUuid(), 1);
      return days() >= end;
    });
  await until(4.5, 2 * HOUR_MS);
  assert.equal((await rig.find(failing.endpoint.id)).status, "active");
  mayTake = true;
  await rig.passTime("a success", MINUTE_MS, () => healed.receiver.events.length > 0);
  mayTake = false;
  await until(6, HOUR_MS);
  const disabled = await rig.reach(failing.endpoint.id, "disabled");
  assert.equal(disabled.disabled_reason, "failing");
  assert.equal((await rig.find(healed.endpoint.id)).status, "active");
});

test("Retry-After is obeyed, as seconds and as a date: nothing at all is sent before", async () => {
  for (const asked of [() => "600", (at: Date) => new Date(at.getTime() + 600_000).toUTCString()]) {
    await rig.clear();
    const { receiver } = await rig.subscribe();
    receiver.answer = (_received, response) => {
      receiver.answer = () => 204;
      response.writeHead(429, { "retry-after": asked(rig.clock.now()) }).end();
      return undefined;
    };
    await rig.write(newUuid(), 1);
    await waitFor("the first attempt", () => receiver.all.length === 2);
    const askedMs = rig.clock.now().getTime();
    await rig.write(newUuid(), 1);
    await rig.passTime("both events", 10 * SECOND_MS, () => receiver.events.length === 2);
    const waited = (rig.clock.now().getTime() - askedMs) / SECOND_MS;
    assert.ok(waited >= 595 && waited < 900, `${waited} s`);
  }
});

test("a redirect is a failure of the endpoint's address", async () => {
  const [from, to] = [await rig.subscribe(), await Receiver.start()];
  from.receiver.answer = (_received, response) => {
    response.writeHead(307, { location: to.url }).end();
    return undefined;
  };
  await rig.write(newUuid(), 1);
  const [attempt] = await waitFor("the attempt", async () => {
    const url = `/webhooks/${from.endpoint.id}/deliveries?status=failed`;
    const { body } = await rig.call<{ data: { error: string; response_status: number }[] }>("GET", url);
    return body.data.length > 0 && body.data;
  });
  assert.deepEqual([attempt!.error, attempt!.response_status, to.all.length], ["redirected", 307, 0]);
});

test("after ten attempts an event is given up, and comes when all that failed is sent again", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  const [bad, good] = [newUuid(), newUuid()];
  let isHealed = false;
  receiver.answer = ({ subject }) => (subject === bad && !isHealed ? 500 : 204);
  const startedAt = rig.clock.now().toISOString();
  await rig.write(bad, 1);
  await rig.write(good, 1);
  const triesOf = () => receiver.all.filter(({ subject }) => subject === bad).length;
  const lastAttempt = async () => {
    const { body } = await rig.call<{ data: { attempt: number; next_attempt_at?: string }[] }>(
      "GET",
      `/webhooks/${endpoint.id}/deliveries?status=failed`,
    );
    return body.data[0];
  };
  await rig.passTime("the last attempt", HOUR_MS, async () => (await lastAttempt())?.attempt === 10);
  assert.equal((await lastAttempt())!.next_attempt_at, undefined);
  const tries = triesOf();
  rig.clock.advance(7 * DAY_MS);
  await rig.write(good, 1, 2);
  await waitFor("the good order's second event", () => receiver.events.length === 2);
  assert.equal(triesOf(), tries);
  isHealed = true;
  const replayed = await rig.call<{ count: number }>("POST", `/webhooks/${endpoint.id}/replay`, {
    failed_since: startedAt,
  });
  assert.deepEqual(replayed, { status: 202, body: { object: "webhook_replay", count: 1 } });
  await waitFor("the event", () => receiver.events.some(({ subject }) => subject === bad));
});

test("an endpoint that is not read for a month says what it has missed, and goes on with what is left", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  await rig.call("PATCH", `/webhooks/${endpoint.id}`, { status: "paused" });
  await rig.write(newUuid(), 1);
  const keepHouse = makeHousekeeping({ db, clock: rig.clock, log: SILENT });
  await keepHouse();
  assert.equal((await rig.find(endpoint.id)).missed_before, undefined);
  rig.clock.advance(30 * DAY_MS + HOUR_MS);
  const missedBefore = await waitFor("what was missed, once nobody holds the endpoint", async () => {
    await keepHouse();
    return (await rig.find(endpoint.id)).missed_before;
  });
  const idle = await positionOf(endpoint.id);
  assert.ok(idle >= positionAt(new Date(missedBefore)));
  await rig.call("PATCH", `/webhooks/${endpoint.id}`, { status: "active" });
  await rig.reach(endpoint.id, "active");
  assert.equal(receiver.events.length, 0);
});

async function positionOf(id: string): Promise<bigint> {
  const { rows } = await db.query<{ position: bigint }>("select position from webhook_endpoints where id = $1", [
    decodeId("whe", id) as Uuid,
  ]);
  return rows[0]!.position;
}
