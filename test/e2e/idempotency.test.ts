import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { parseKobo } from "../../src/kernel/kobo.ts";
import {
  assertProblem,
  type Bulk,
  type Message,
  type Page,
  type Problem,
  phone,
  type Subscriber,
  startRig,
} from "./rig.ts";

const rig = await startRig();
const { local } = rig;

const AT_ONCE = 50;

/** Messages of the subscriber to a number. */
const messagesTo = async (subscriber: Subscriber, to: string) =>
  (await subscriber.get<Page>(`/sms/messages?to=${encodeURIComponent(to)}`)).body.data;

const isReplayed = (answer: { readonly headers: Headers }) => answer.headers.get("idempotent-replayed") === "true";

const NAMES: readonly (readonly [what: string, body: object, headers: Record<string, string>])[] = [
  ["Idempotency-Key", {}, { "idempotency-key": randomUUID() }],
  ["reference", { reference: "invoice-4471" }, {}],
  ["key and reference", { reference: "invoice-4472" }, { "idempotency-key": randomUUID() }],
];
for (const [index, [what, more, headers]] of NAMES.entries()) {
  test(`${AT_ONCE} identical requests at once with one ${what} make one order, one hold and one message`, async () => {
    const subscriber = await rig.subscriber({ balance: "100.00" });
    const to = phone(index);
    const body = { to, message: "Only once", ...more };
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => subscriber.post<Message>("/sms/send", body, headers)),
    );
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([202]));
    const ids = new Set(answers.map((answer) => answer.body.id));
    assert.equal(ids.size, 1);
    assert.equal(answers.filter(isReplayed).length, AT_ONCE - 1);
    const first = answers.find((answer) => !isReplayed(answer));
    for (const answer of answers) assert.deepEqual(answer.body, first?.body);

    const [id = ""] = ids;
    await subscriber.reached(id, "delivered");
    assert.equal((await messagesTo(subscriber, to)).length, 1);
    assert.equal((await rig.submits([id])).length, 1);
    assert.equal((await subscriber.wallet()).balance, parseKobo("100.00") - parseKobo("3.20"));
  });
}

test("a repeat after the end is answered as the first was: with the 202 of the acceptance", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const body = { to: phone(10), message: "Once" };
  const first = await local.post<Message>("/sms/send", body, headers);
  await local.reached(first.body.id, "delivered");
  const repeat = await local.post<Message>("/sms/send", body, headers);
  assert.equal(repeat.status, 202);
  assert.ok(isReplayed(repeat) && !isReplayed(first));
  assert.deepEqual(repeat.body, first.body);
});

test("a repeat may write its fields in another order", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const first = await local.post<Message>("/sms/send", { to: phone(11), message: "Order" }, headers);
  const repeat = await local.post<Message>("/sms/send", { message: "Order", to: phone(11) }, headers);
  assert.deepEqual([repeat.status, repeat.body.id, isReplayed(repeat)], [202, first.body.id, true]);
});

test("a key is the same key quoted and bare", async () => {
  const key = randomUUID();
  const body = { to: phone(12), message: "Quoted" };
  const bare = await local.post<Message>("/sms/send", body, { "idempotency-key": key });
  const quoted = await local.post<Message>("/sms/send", body, { "idempotency-key": `"${key}"` });
  assert.deepEqual([quoted.status, quoted.body.id, isReplayed(quoted)], [202, bare.body.id, true]);
});

test("a key used for another body is refused with 422 and names the order that has it", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const { id } = await local.send({ to: phone(13), message: "One" }, headers);
  const answer = await local.post<Problem>("/sms/send", { to: phone(13), message: "Another" }, headers);
  assertProblem(answer);
  assert.deepEqual([answer.status, answer.body.code, answer.body.order_id], [422, "idempotency_key_reused", id]);
  assert.equal((await messagesTo(local, phone(13))).length, 1);
});

test("a reference used with another body is refused with 409 and names the order that has it", async () => {
  const { id } = await local.send({ to: phone(14), message: "One", reference: "r-14" });
  const answer = await local.post<Problem>("/sms/send", { to: phone(14), message: "Another", reference: "r-14" });
  assertProblem(answer);
  assert.deepEqual([answer.status, answer.body.code, answer.body.order_id], [409, "reference_already_used", id]);
  assert.equal((await messagesTo(local, phone(14))).length, 1);
});

test("a key and a reference that point to different orders are refused with 422", async () => {
  const headers = { "idempotency-key": randomUUID() };
  await local.send({ to: phone(15), message: "By key" }, headers);
  await local.send({ to: phone(15), message: "By reference", reference: "r-15" });
  const refused = await local.refused({ to: phone(15), message: "By reference", reference: "r-15" }, headers);
  assert.equal(refused.code, "idempotency_key_reused");
  assert.equal((await messagesTo(local, phone(15))).length, 2);
});

test("a new key with a reference that the same request has used is answered from that order", async () => {
  const body = { to: phone(16), message: "By reference", reference: "r-16" };
  const first = await local.send(body, { "idempotency-key": randomUUID() });
  const repeat = await local.post<Message>("/sms/send", body, { "idempotency-key": randomUUID() });
  assert.deepEqual([repeat.status, repeat.body.id, isReplayed(repeat)], [202, first.id, true]);
});

test("a key on a refused request is not spent, whether the body or the money was wrong", async () => {
  const subscriber = await rig.subscriber({ balance: "3.20" });
  const headers = { "idempotency-key": randomUUID() };
  const invalid = await subscriber.refused({ to: "0803", message: "x" }, headers);
  assert.equal(invalid.code, "invalid_phone_number");
  const poor = await subscriber.refused({ to: phone(17), message: "a".repeat(161) }, headers);
  assert.equal(poor.code, "insufficient_balance");
  const accepted = await subscriber.post<Message>("/sms/send", { to: phone(17), message: "x" }, headers);
  assert.deepEqual([accepted.status, isReplayed(accepted)], [202, false]);
});

test("accounts, and messages and bulks of one account, do not share an order through a key", async () => {
  const headers = { "idempotency-key": "4471" };
  const [one, other] = [await rig.subscriber(), await rig.subscriber()];
  const body = { to: phone(18), message: "Mine" };
  const mine = await one.post<Message>("/sms/send", body, headers);
  const theirs = await other.post<Message>("/sms/send", body, headers);
  assert.ok(!isReplayed(mine) && !isReplayed(theirs));
  assert.notEqual(mine.body.id, theirs.body.id);
  const bulk = await one.post<Problem>("/sms/bulk", { to: [phone(18)], message: "Mine" }, headers);
  assertProblem(bulk);
  assert.equal(bulk.body.code, "idempotency_key_reused");
});

test("a repeat of a scheduled message is answered from its order even after its time has come", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const body = { to: phone(19), message: "Soon", send_at: new Date(Date.now() + 4_000).toISOString() };
  const first = await local.send(body, headers);
  assert.equal(first.status, "scheduled");
  await local.reached(first.id, "delivered");
  const repeat = await local.post<Message>("/sms/send", body, headers);
  assert.equal(repeat.status, 202, JSON.stringify(repeat.body));
  assert.deepEqual(repeat.body, first);
});

test("a key of the wrong form is refused with 400", async () => {
  for (const key of ["", '"', `"open`, "ọkan", "x".repeat(256)]) {
    const answer = await local
      .post<Problem>("/sms/send", { to: phone(20), message: "x" }, { "idempotency-key": key })
      .catch(() => undefined); // not even a header that a client may send
    if (answer) assert.deepEqual([answer.status, answer.body.code], [400, "invalid_idempotency_key"], key);
  }
});

test("a bulk repeated with its key is answered as the first was, with what was rejected", async () => {
  const taken = await local.send({ to: phone(30), message: "Has r-30", reference: "r-30" });
  const headers = { "idempotency-key": randomUUID() };
  const body = {
    messages: [
      { to: phone(31), message: "Good", reference: "r-31" },
      { to: phone(32), message: "Reference of another message", reference: "r-30" },
      { to: phone(33), message: "Reference of an item before", reference: "r-31" },
      { to: "0803", message: "No number" },
      { to: phone(31), message: "Repeated number" },
      { to: phone(34), message: "a".repeat(1531) },
      { to: phone(35), message: "Good" },
    ],
  };
  const first = await local.post<Bulk>("/sms/bulk", body, headers);
  assert.equal(first.status, 202, JSON.stringify(first.body));
  assert.deepEqual(
    first.body.rejected.map(({ index, code }) => [index, code]),
    [
      [1, "reference_already_used"],
      [2, "reference_already_used"],
      [3, "invalid_phone_number"],
      [4, "repeated_recipient"],
      [5, "message_too_long"],
    ],
  );
  assert.deepEqual(
    first.body.messages.map(({ to }) => to),
    [phone(31), phone(35)],
  );
  for (const { id } of first.body.messages) await local.reached(id, "delivered");
  const repeat = await local.post<Bulk>("/sms/bulk", body, headers);
  assert.ok(isReplayed(repeat));
  assert.deepEqual(repeat.body, first.body);
  await local.reached(taken.id, "delivered");
  assert.equal((await rig.submits(first.body.messages.map(({ id }) => id))).length, 2);
});

test("a bulk for later, repeated after its time has come, is answered from its orders", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const body = { to: [phone(36), "0803"], message: "Soon", send_at: new Date(Date.now() + 4_000).toISOString() };
  const first = await local.post<Bulk>("/sms/bulk", body, headers);
  assert.equal(first.body.leaves_at, body.send_at);
  for (const { id } of first.body.messages) await local.reached(id, "delivered");
  const repeat = await local.post<Bulk>("/sms/bulk", body, headers);
  assert.deepEqual([repeat.status, isReplayed(repeat)], [202, true]);
  assert.deepEqual(repeat.body, first.body);
  const another = await local.post<Problem>("/sms/bulk", { ...body, message: "Another" }, headers);
  assert.deepEqual([another.status, another.body.code], [400, "validation_failed"]);
});

test("a bulk whose every reference belongs to other messages is refused with 422, and its key is not spent", async () => {
  await local.send({ to: phone(37), message: "Has r-37", reference: "r-37" });
  const headers = { "idempotency-key": randomUUID() };
  const messages = [{ to: phone(38), message: "x", reference: "r-37" }];
  const refused = await local.post<Problem>("/sms/bulk", { messages }, headers);
  assertProblem(refused);
  assert.deepEqual([refused.status, refused.body.code], [422, "no_acceptable_recipient"]);
  assert.deepEqual(
    refused.body.errors?.map(({ pointer, code }) => [pointer, code]),
    [["/messages/0/reference", "reference_already_used"]],
  );
  const good = await local.post<Bulk>("/sms/bulk", { messages: [{ to: phone(38), message: "x" }] }, headers);
  assert.deepEqual([good.status, isReplayed(good)], [202, false]);
});

test("20 identical bulks at once make one bulk", async () => {
  const subscriber = await rig.subscriber({ balance: "100.00" });
  const headers = { "idempotency-key": randomUUID() };
  const body = { to: [phone(40), phone(41), phone(42)], message: "All of you" };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => subscriber.post<Bulk>("/sms/bulk", body, headers)),
  );
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([202]));
  assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
  assert.equal(answers.filter(isReplayed).length, 19);
  const { held, balance } = await subscriber.wallet();
  assert.ok(balance - held >= parseKobo("100.00") - 3n * parseKobo("3.20"));
  const { messages } = answers[0]!.body;
  for (const { id } of messages) await subscriber.reached(id, "delivered");
  assert.equal((await subscriber.wallet()).balance, parseKobo("100.00") - 3n * parseKobo("3.20"));
});

test("a bulk's key used for another bulk is refused, and its reference too", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const bulk = await local.post<Bulk>("/sms/bulk", { to: [phone(50)], message: "One", reference: "b-50" }, headers);
  assert.equal(bulk.status, 202);
  const byKey = await local.post<Problem>("/sms/bulk", { to: [phone(51)], message: "Two" }, headers);
  assert.deepEqual([byKey.status, byKey.body.code, byKey.body.order_id], [422, "idempotency_key_reused", bulk.body.id]);
  const byReference = await local.post<Problem>("/sms/bulk", { to: [phone(51)], message: "Two", reference: "b-50" });
  assert.deepEqual(
    [byReference.status, byReference.body.code, byReference.body.order_id],
    [409, "reference_already_used", bulk.body.id],
  );
});

rig.provesItsLedger();
