import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { after, beforeEach, test } from "node:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { verifyAudit } from "../accounts/audit.repo.ts";
import { HOUR_MS, SECOND_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { orderFaults, type Received, Receiver } from "../testing/receiver.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeWebhooksRig } from "../testing/webhooks-rig.ts";

const nodes: { stop(): Promise<void> }[] = [];
// Before the database's own hook.
after(() => Promise.all(nodes.map((node) => node.stop())));
const db = (await makeTestDatabase()).open();
const rig = await makeWebhooksRig(db);
nodes.push(await rig.startNode());
// Each test has the account for itself: its events go to all endpoints.
beforeEach(() => rig.clear());

const took = (receiver: Receiver, count: number) =>
  waitFor(`${count} events`, () => receiver.events.length >= count && receiver.events);
const isVerified = (secret: string, { headers, body }: Received): boolean => {
  try {
    new StandardWebhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};
const sentAt = ({ headers }: Received) => Number(headers["webhook-timestamp"]);

test("one event, a range, and what failed can be sent again", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  const replay = (body: object) => rig.call<{ count: number }>("POST", `/webhooks/${endpoint.id}/replay`, body);
  const subject = newUuid();
  const ids = await rig.write(subject, 3);
  await took(receiver, 3);

  assert.deepEqual(await replay({ event_id: ids[1] }), { status: 202, body: { object: "webhook_replay", count: 1 } });
  assert.equal((await took(receiver, 4)).at(-1)!.id, ids[1]);

  rig.clock.advance(1);
  const since = rig.clock.now().toISOString();
  await rig.write(subject, 3, 4);
  await took(receiver, 7);
  assert.equal((await replay({ since })).body.count, 3);
  const range = (await took(receiver, 10)).slice(7).map(({ sequence }) => sequence);
  assert.deepEqual(range, [4, 5, 6]);
  assert.equal((await replay({ failed_since: since })).body.count, 0);

  const absent = await replay({ event_id: "evt_01kb3v9q4ze1xb8m6t2r5y7w0n" });
  assert.equal(absent.status, 404);
  for (const body of [{}, { since, failed_since: since }, { until: since }])
    assert.equal((await replay(body)).status, 400, JSON.stringify(body));
});

test("times and ids far outside of all that is kept are no fault of the gateway's", async () => {
  const { endpoint } = await rig.subscribe();
  const replay = (body: object) => rig.call("POST", `/webhooks/${endpoint.id}/replay`, body);
  for (const year of ["0000", "0001", "1969", "2249", "9999"]) {
    const since = `${year}-06-01T00:00:00Z`;
    for (const body of [{ since }, { since, until: since }, { failed_since: since }])
      assert.equal((await replay(body)).status, 202, JSON.stringify(body));
  }
  assert.equal((await replay({ event_id: "evt_7zzzzzzzzzzzzzzzzzzzzzzzzz" })).status, 404);
  assert.equal((await replay({ event_id: "evt_00000000000000000000000000" })).status, 404);
  assert.equal((await replay({ since: new Date().toISOString(), after: "made up" })).status, 400);
});

test("a ping that is asked for comes at once, also while the endpoint rests, and ends the rest", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  receiver.answer = (_received, response) => {
    response.writeHead(429, { "retry-after": "3600" }).end();
    return undefined;
  };
  await rig.write(newUuid());
  await waitFor("the refusal", async () => receiver.all.length === 2 && (await rig.find(endpoint.id)).waiting === 1);
  receiver.answer = () => 204;
  assert.equal((await rig.call("POST", `/webhooks/${endpoint.id}/test`)).status, 202);
  await took(receiver, 1);
  assert.equal(receiver.all[2]!.type, "webhook.ping");
});

test("an endpoint is active once it has answered a ping that its secret verifies", async () => {
  const receiver = await Receiver.start();
  let status = 500;
  receiver.answer = () => status;
  const { id, secret } = await rig.create(receiver.url);
  const failed = await waitFor("the first ping", () => receiver.all[0]);
  assert.equal((await rig.find(id)).status, "unverified");
  status = 204;
  await rig.passTime("the next ping", SECOND_MS / 10, async () => (await rig.find(id)).status === "active");
  const [ping] = receiver.taken;
  assert.deepEqual([ping!.id, ping!.type], [failed.id, "webhook.ping"]);
  assert.ok(isVerified(secret, ping!));
});

test("events come in order for each subject, once each, from the making of the endpoint on", async () => {
  await rig.write(newUuid());
  const { receiver } = await rig.subscribe();
  const subjects = Array.from({ length: 20 }, newUuid);
  for (let sequence = 1; sequence <= 5; sequence++)
    await Promise.all(subjects.map((subject) => rig.write(subject, 1, sequence)));
  await took(receiver, 100);
  assert.deepEqual(orderFaults(receiver.events), []);
  assert.equal(new Set(receiver.events.map(({ id }) => id)).size, 100);
  assert.equal(receiver.all.length, 101);
});

test("an endpoint gets the types that it has chosen", async () => {
  const { receiver } = await rig.subscribe({ types: ["wallet.*", "parcel.delivered"] });
  const subject = newUuid();
  await rig.write(subject, 3);
  await rig.write(subject, 1, 4, "parcel.delivered");
  await rig.write(newUuid(), 1, 1, "wallet.low");
  const events = await took(receiver, 2);
  assert.deepEqual(events.map(({ type }) => type).sort(), ["parcel.delivered", "wallet.low"]);
});

test("a failed event comes again under its id, its order waits for it, and others do not", async () => {
  const { receiver } = await rig.subscribe();
  const [bad, good] = [newUuid(), newUuid()];
  let failures = 0;
  receiver.answer = ({ subject, sequence }) => (subject === bad && sequence === 1 && failures++ < 3 ? 500 : 204);
  await rig.write(bad, 3);
  await rig.write(good, 3);
  const of = (subject: string) => receiver.all.filter((received) => received.subject === subject);
  await waitFor("the good order", () => of(good).length === 3);
  assert.deepEqual(
    of(bad).map(({ sequence }) => sequence),
    [1],
  );
  await rig.passTime("all of the bad one", SECOND_MS / 10, () => receiver.events.length === 6);
  assert.deepEqual(
    of(bad).map(({ sequence }) => sequence),
    [1, 1, 1, 1, 2, 3],
  );
  assert.deepEqual(orderFaults(receiver.events), []);
  const [first, ...again] = of(bad).filter(({ sequence }) => sequence === 1);
  for (const one of again) assert.deepEqual([one.id, one.body.equals(first!.body)], [first!.id, true]);
  assert.ok(sentAt(again.at(-1)!) > sentAt(first!), "the timestamp is the attempt's");
});

test("an endpoint that hangs delays no other", async () => {
  const hanging = await rig.subscribe();
  hanging.receiver.answer = () => undefined;
  const { receiver } = await rig.subscribe();
  await Promise.all(Array.from({ length: 100 }, () => rig.write(newUuid(), 1)));
  await took(receiver, 100);
  assert.equal(hanging.receiver.events.length, 0);
  await rig.call("DELETE", `/webhooks/${hanging.endpoint.id}`);
});

test("a paused endpoint gets nothing, and what it has missed once it is active again", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  const paused = await rig.call("PATCH", `/webhooks/${endpoint.id}`, { status: "paused" });
  assert.deepEqual([paused.status, paused.body.status], [200, "paused"]);
  const subject = newUuid();
  const other = await rig.subscribe();
  await rig.write(subject, 3);
  await took(other.receiver, 3);
  assert.equal(receiver.events.length, 0);
  await rig.call("PATCH", `/webhooks/${endpoint.id}`, { status: "active" });
  assert.deepEqual(
    (await took(receiver, 3)).map(({ sequence }) => sequence),
    [1, 2, 3],
  );
});

test("another address must answer a ping before it gets events", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  const next = await Receiver.start();
  next.answer = () => 500;
  const moved = await rig.call("PATCH", `/webhooks/${endpoint.id}`, { url: next.url });
  assert.equal(moved.body.status, "unverified");
  await waitFor("the ping", () => next.all.length > 0);
  await rig.write(newUuid(), 2);
  next.answer = () => 204;
  await rig.passTime("the events", SECOND_MS / 10, () => next.events.length === 2);
  assert.equal(next.taken[0]!.type, "webhook.ping");
  assert.equal(receiver.events.length, 0);
});

test("an overlap of 0 hours ends all earlier keys at once, and more than five don't sign", async () => {
  const { endpoint } = await rig.subscribe();
  const rotate = (hours: number) => rig.call("POST", `/webhooks/${endpoint.id}/rotate`, { overlap_hours: hours });
  for (let turn = 0; turn < 4; turn++) assert.equal((await rotate(1)).status, 200);
  assert.equal((await publicKeys(endpoint.id)).length, 5);
  assert.equal((await rotate(1)).status, 409);
  assert.equal((await rotate(0)).status, 200);
  assert.equal((await publicKeys(endpoint.id)).length, 1);
});

const verifies = (publicKey: string, { headers, body }: Received): boolean => {
  const x = Buffer.from(publicKey.replace("whpk_", ""), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), body]);
  return String(headers["webhook-signature"])
    .split(" ")
    .filter((one) => one.startsWith("v1a,"))
    .some((one) => verify(null, signed, key, Buffer.from(one.slice(4), "base64")));
};

async function publicKeys(id: string) {
  const answer = await rig.http.app.inject({
    url: `/.well-known/webhook-keys/${id}.json`,
    headers: { host: "localhost" },
  });
  return answer.json<{ keys: { public_key: string; expires_at?: string }[] }>().keys;
}

test("a ping can be sent at any time, also to a paused endpoint, which stays paused", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  await rig.call("PATCH", `/webhooks/${endpoint.id}`, { status: "paused" });
  const { status, body } = await rig.call<{ event_id: string }>("POST", `/webhooks/${endpoint.id}/test`);
  assert.equal(status, 202);
  await waitFor("the ping", () => receiver.taken.some(({ id }) => id === body.event_id));
  assert.equal((await rig.find(endpoint.id)).status, "paused");
});

test("each attempt is logged, with the start of the answer, which is sealed", async () => {
  const { receiver, endpoint } = await rig.subscribe({ types: ["wallet.low"] });
  receiver.answer = (_received, response) => {
    receiver.answer = () => 200;
    response.writeHead(503, { "content-type": "text/plain", "retry-after": "1" }).end("the token is 1234-5678");
    return undefined;
  };
  const [id] = await rig.write(newUuid(), 1, 1, "wallet.low");
  await rig.passTime("the event", SECOND_MS / 10, () => receiver.events.length === 1);
  const listed = await waitFor("both attempts", async () => {
    const { body } = await rig.call<{ data: Record<string, unknown>[] }>("GET", `/webhooks/${endpoint.id}/deliveries`);
    return body.data.length === 3 && body.data;
  });
  const [second, first, ping] = listed;
  assert.deepEqual(
    [second, first, ping].map((one) => [one!.attempt, one!.status, one!.response_status, one!.error]),
    [
      [2, "succeeded", 200, undefined],
      [1, "failed", 503, "http_error"],
      [1, "succeeded", 204, undefined],
    ],
  );
  assert.deepEqual(
    [first!.event_id, first!.response_start, first!.address],
    [id, "the token is 1234-5678", "127.0.0.1"],
  );
  assert.ok(first!.next_attempt_at);
  const { rows } = await db.query(
    "select row_to_json(a)::text as text from webhook_attempts a where answer is not null",
  );
  assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes("1234-5678")));
  const failed = await rig.call<{ data: object[] }>("GET", `/webhooks/${endpoint.id}/deliveries?status=failed`);
  assert.equal(failed.body.data.length, 1);
});

test("secrets are in no row as they are, and each act is in the audit log", async () => {
  const { endpoint } = await rig.subscribe();
  await rig.call("DELETE", `/webhooks/${endpoint.id}`);
  const again = await rig.subscribe();
  const { rows } = await db.query("select row_to_json(k)::text as text from webhook_keys k");
  assert.ok(rows.length > 0);
  const bare = again.endpoint.secret.replace("whsec_", "");
  assert.ok(rows.every(({ text }) => !text.includes(bare)));
  const audit = await db.query<{ action: string; details: object }>(
    "select action, details from audit_log where subject = $1 order by number",
    [endpoint.id],
  );
  assert.deepEqual(
    audit.rows.map(({ action }) => action),
    ["webhook.create", "webhook.delete"],
  );
  assert.equal((await verifyAudit(db)).broken, undefined);
});

test("after a rotation both secrets and both key pairs sign, and only the new ones after the overlap", async () => {
  const { receiver, endpoint } = await rig.subscribe();
  const rotated = await rig.call("POST", `/webhooks/${endpoint.id}/rotate`, { overlap_hours: 48 });
  const { secret = "", public_key: publicKey } = rotated.body;
  assert.notEqual(secret, endpoint.secret);
  await rig.write(newUuid());
  const [both] = await took(receiver, 1);
  assert.deepEqual([isVerified(secret, both!), isVerified(endpoint.secret, both!)], [true, true]);
  assert.deepEqual([verifies(publicKey, both!), verifies(endpoint.public_key, both!)], [true, true]);
  const keys = await publicKeys(endpoint.id);
  assert.deepEqual(
    keys.map(({ public_key }) => public_key),
    [publicKey, endpoint.public_key],
  );
  assert.ok(keys[1]!.expires_at);

  rig.clock.advance(48 * HOUR_MS);
  await rig.write(newUuid());
  const [, one] = await took(receiver, 2);
  assert.deepEqual([verifies(publicKey, one!), verifies(endpoint.public_key, one!)], [true, false]);
  assert.equal(String(one!.headers["webhook-signature"]).split(" ").length, 2);
  assert.equal((await publicKeys(endpoint.id)).length, 1);
});
