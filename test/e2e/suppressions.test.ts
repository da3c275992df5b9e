import assert from "node:assert/strict";
import { test } from "node:test";
import { assignInboundNumber } from "../../src/accounts/inbound-numbers.repo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { assertProblem, type Bulk, type Problem, phone, type Subscriber, startRig } from "./rig.ts";

const rig = await startRig();
const { local } = rig;

interface Suppression {
  readonly phone: string;
  readonly source: string;
  readonly reason: string;
  readonly created_at: string;
  readonly expires_at?: string;
}
interface Suppressions {
  readonly data: readonly Suppression[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

const at = (number: string) => encodeURIComponent(number);
const write = async (from: string, message: string, to: Subscriber = local) => {
  const { status } = await to.post(`/test/handsets/${at(from)}/messages`, { channel: "sms", message });
  assert.equal(status, 202);
};
const listed = async (number: string, who: Subscriber = local) =>
  (await who.get<Suppressions>(`/sms/suppressions?phone=${at(number)}`)).body.data;
const isListed = (number: string, wanted: boolean) =>
  waitFor(`${number} is ${wanted ? "on" : "off"} the list`, async () => (await listed(number)).length > 0 === wanted);
const remove = (number: string, who: Subscriber = local) =>
  rig.gateway.call<Problem>("DELETE", `/sms/suppressions/${at(number)}`, undefined, { "x-api-key": who.key });
/** Outside the hours of promotional messages they are accepted for later: at any time a refusal is for the recipient. */
const promotion = (to: string) => ({ to, message: "Sale!", route: "promotional" });

test("after STOP the next promotional message is refused and a transactional one passes; after START both pass", async () => {
  const to = phone(1);
  await local.send(promotion(to));
  await write(to, "STOP");
  await isListed(to, true);
  const refused = await local.refused(promotion(to));
  assert.deepEqual(
    [refused.status, refused.code, refused.retryable, refused.errors?.[0]?.pointer],
    [422, "recipient_opted_out", false, "/to"],
  );
  await local.send({ to, message: "Your code is 4471" });
  const [suppression] = await listed(to);
  assert.deepEqual([suppression?.phone, suppression?.source, suppression?.reason], [to, "recipient", "stop"]);

  await write(to, "start");
  await isListed(to, false);
  await local.send(promotion(to));
});

test("a repeat of what was accepted before STOP is answered from its message", async () => {
  const to = phone(2);
  const headers = { "idempotency-key": "before-opt-out" };
  const first = await local.send(promotion(to), headers);
  await write(to, " Stop all. ");
  await isListed(to, true);
  assert.equal((await local.send(promotion(to), headers)).id, first.id);
  const bulk = { to: [to], message: "Sale!", route: "promotional" };
  const refused = await local.post<Problem>("/sms/bulk", bulk);
  assertProblem(refused);
  assert.deepEqual(
    [refused.body.code, refused.body.errors?.[0]?.code],
    ["no_acceptable_recipient", "recipient_opted_out"],
  );
});

test("a promotional bulk rejects the recipients who opted out alone", async () => {
  const [stopped, other] = [phone(3), phone(4)];
  await local.post("/sms/suppressions", { phone: stopped });
  const bulk = { to: [stopped, other], message: "Sale!" };
  const { body } = await local.post<Bulk>("/sms/bulk", { ...bulk, route: "promotional" });
  assert.deepEqual(
    [body.accepted, body.rejected.map(({ index, code }) => [index, code])],
    [1, [[0, "recipient_opted_out"]]],
  );
  const { body: transactional } = await local.post<Bulk>("/sms/bulk", bulk);
  assert.equal(transactional.accepted, 2);
});

test("a message that only has the word in it asks for nothing", async () => {
  const to = phone(5);
  await write(to, "Please don't stop");
  await write(to, "QUIT");
  await isListed(to, true);
  assert.equal((await listed(to)).length, 1);
});

test("the account's own word outlasts the recipient's START, and DELETE takes all of it back", async () => {
  const to = phone(6);
  const made = await local.post<Suppression>("/sms/suppressions", { phone: "0803 100 0006", reason: "asked by mail" });
  assert.deepEqual(
    [made.status, made.body.phone, made.body.source, made.body.reason],
    [201, to, "account", "asked by mail"],
  );
  await write(to, "STOP");
  await waitFor("both are listed", async () => (await listed(to)).length === 2);
  await write(to, "UNSTOP");
  await waitFor("one is left", async () => (await listed(to)).length === 1);
  assert.equal((await local.refused(promotion(to))).code, "recipient_opted_out");
  assert.equal((await remove(to)).status, 204);
  await local.send(promotion(to));
  const again = await remove(to);
  assertProblem(again);
  assert.equal(again.status, 404);
});

test("the list belongs to one account, and goes page by page, newest first", async () => {
  const subscriber = await rig.subscriber();
  await assignInboundNumber(rig.db, subscriber.accountId, "20077", "test");
  for (const index of [10, 11, 12]) await subscriber.post("/sms/suppressions", { phone: phone(index) });
  const { body: page } = await subscriber.get<Suppressions>("/sms/suppressions?limit=2");
  assert.deepEqual([page.data.map((row) => row.phone), page.has_more], [[phone(12), phone(11)], true]);
  const { body: rest } = await subscriber.get<Suppressions>(`/sms/suppressions?limit=2&after=${page.next_cursor}`);
  assert.deepEqual([rest.data.map((row) => row.phone), rest.has_more], [[phone(10)], false]);
  await local.send(promotion(phone(10)));
  assert.equal((await remove(phone(10))).status, 404);
  await write(phone(13), "STOP", subscriber);
  await waitFor("it is listed", async () => (await listed(phone(13), subscriber)).length === 1);
  assert.deepEqual(await listed(phone(13)), []);
});

test("what is no Nigerian mobile number is refused with its place", async () => {
  for (const [number, code] of [
    ["0803", "invalid_phone_number"],
    ["+442079460000", "destination_not_supported"],
  ] as const) {
    const posted = await local.post<Problem>("/sms/suppressions", { phone: number });
    assertProblem(posted);
    assert.deepEqual([posted.status, posted.body.code, posted.body.errors?.[0]?.pointer], [422, code, "/phone"]);
    const listing = await local.get<Problem>(`/sms/suppressions?phone=${at(number)}`);
    assert.deepEqual([listing.body.code, listing.body.errors?.[0]?.parameter], [code, "phone"]);
    assert.equal((await remove(number)).body.code, code);
  }
});

rig.provesItsLedger();
