import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { chat, chatRefused } from "./chats.ts";
import { assertProblem, type Bulk, type Message, type Problem, phone, startRig } from "./rig.ts";

const rig = await startRig((config) => ({ ...config, destinationCaps: { test: { perAccount: 3, overall: 5 } } }));
await waitFor("the next hour, when this one is at its end", () => Date.now() % 3_600_000 < 3_540_000, 61_000);

const key = (text: string) => ({ "idempotency-key": text });

test("the message after the last that a number may get is 429 with the time to wait", async () => {
  const subscriber = await rig.subscriber();
  const to = phone(1);
  for (let count = 0; count < 3; count += 1) await subscriber.send({ to, message: "Your code" });
  const answer = await subscriber.post<Problem>("/sms/send", { to: "08031000001", message: "Your code" });
  assertProblem(answer);
  assert.equal(answer.status, 429);
  assert.partialDeepStrictEqual(answer.body, {
    code: "destination_rate_limited",
    retryable: true,
    limit: 3,
    window_seconds: 3_600,
    retry_after_seconds: Number(answer.headers.get("retry-after")),
  });
  const leftSeconds = Math.ceil((3_600_000 - (Date.now() % 3_600_000)) / 1_000);
  assert.ok(Math.abs(Number(answer.headers.get("retry-after")) - leftSeconds) <= 2, "until the hour's end");
  await subscriber.send({ to: phone(2), message: "Your code" });
});

test("all accounts together fill a number", async () => {
  const [first, second] = [await rig.subscriber(), await rig.subscriber()];
  const to = phone(3);
  for (const subscriber of [first, first, first, second, second]) await subscriber.send({ to, message: "Code" });
  assert.equal((await second.refused({ to, message: "Code" })).code, "destination_rate_limited");
});

test("an SMS that stands in for a chat message counts like any other", async () => {
  const subscriber = await rig.subscriber({ also: { chat: "scale" } });
  const to = phone(20);
  const body = { to, message: "Your code", fallback: { sms: { message: "Your code" } } };
  for (let count = 0; count < 3; count += 1) await chat(subscriber, "text", body);
  const refused = await chatRefused(subscriber, "text", body);
  assert.deepEqual([refused.status, refused.code], [429, "destination_rate_limited"]);
  assert.equal((await subscriber.refused({ to, message: "Your code" })).code, "destination_rate_limited");
});

test("a repeat counts nothing, and is answered when its number is full", async () => {
  const subscriber = await rig.subscriber();
  const body = { to: phone(4), message: "Code" };
  const first = await subscriber.send(body, key("first"));
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await subscriber.send(body, key("first"))).id, first.id);
  }
  for (const name of ["second", "third"]) await subscriber.send(body, key(name));
  assert.equal((await subscriber.refused(body, key("fourth"))).code, "destination_rate_limited");
  const repeat = await subscriber.post<Message>("/sms/send", body, key("first"));
  assert.deepEqual([repeat.status, repeat.body.id, repeat.headers.get("idempotent-replayed")], [202, first.id, "true"]);
});

test("a refused message does not count for its number", async () => {
  const subscriber = await rig.subscriber({ balance: "4.00" });
  const body = { to: phone(5), message: "Code" };
  await subscriber.send(body);
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await subscriber.refused(body)).code, "insufficient_balance");
  }
});

test("a bulk that is refused whole, or was accepted before, does not count for its numbers", async () => {
  const subscriber = await rig.subscriber({ balance: "16.00" });
  const body = { to: [phone(10), phone(11)], message: "Code" };
  const first = await subscriber.post<Bulk>("/sms/bulk", body, key("bulk"));
  assert.equal(first.status, 202);
  for (let count = 0; count < 3; count += 1) {
    const repeat = await subscriber.post<Bulk>("/sms/bulk", body, key("bulk"));
    assert.equal(repeat.body.id, first.body.id);
    const dear = await subscriber.post<Problem>("/sms/bulk", { ...body, message: "x".repeat(1_000) });
    assert.equal(dear.body.code, "insufficient_balance");
  }
  for (const to of body.to) await subscriber.send({ to, message: "Code" });
});

test("a bulk goes without the full number, says so again when repeated, and counts each of its own once", async () => {
  const subscriber = await rig.subscriber();
  const [full, free] = [phone(6), phone(7)];
  for (let count = 0; count < 3; count += 1) await subscriber.send({ to: full, message: "Code" });
  const body = { to: [full, free], message: "Code" };
  const bulk = await subscriber.post<Bulk>("/sms/bulk", body, key("bulk"));
  assert.equal(bulk.status, 202, JSON.stringify(bulk.body));
  assert.equal(bulk.body.accepted, 1);
  assert.deepEqual(
    bulk.body.rejected.map(({ index, to, code }) => [index, to, code]),
    [[0, full, "destination_rate_limited"]],
  );
  const repeat = await subscriber.post<Bulk>("/sms/bulk", body, key("bulk"));
  assert.deepEqual([repeat.body.id, repeat.body.rejected], [bulk.body.id, bulk.body.rejected]);
  for (let count = 0; count < 2; count += 1) await subscriber.send({ to: free, message: "Code" });
  assert.equal((await subscriber.refused({ to: free, message: "Code" })).code, "destination_rate_limited");

  const afterwards = await subscriber.post<Bulk>("/sms/bulk", body, key("bulk"));
  assert.deepEqual([afterwards.status, afterwards.body.id], [202, bulk.body.id], "a repeat when all are full");
  const none = await subscriber.post<Problem>("/sms/bulk", body, key("another"));
  assertProblem(none);
  assert.equal(none.body.code, "no_acceptable_recipient");
  assert.deepEqual(
    none.body.errors?.map(({ pointer, code }) => [pointer, code]),
    [
      ["/to/0", "destination_rate_limited"],
      ["/to/1", "destination_rate_limited"],
    ],
  );
});

test("an item that is refused for its reference does not count for its number", async () => {
  const subscriber = await rig.subscriber();
  const [to, other] = [phone(8), phone(9)];
  await subscriber.send({ to: other, message: "Code", reference: "taken" });
  for (let count = 0; count < 4; count += 1) {
    const messages = [
      { to, message: "Code", reference: "taken" },
      { to: phone(20 + count), message: "Code" },
    ];
    const { status, body } = await subscriber.post<Bulk>("/sms/bulk", { messages });
    assert.equal(status, 202);
    assert.deepEqual(
      body.rejected.map(({ code }) => code),
      ["reference_already_used"],
    );
  }
  await subscriber.send({ to, message: "Code" });
});

rig.provesItsLedger();
