import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bulk, type Problem, phone, startRig } from "./rig.ts";

const rig = await startRig();
const { local } = rig;

/** Strings that are no recipient, whatever else they are. */
const NO_RECIPIENTS: readonly (readonly [what: string, to: string])[] = [
  ["nothing", ""],
  ["white space", " "],
  ["a NUL", "\0"],
  ["a number with a NUL in it", "0803\0" + "1234567"],
  ["half of a surrogate pair", "\ud800"],
  ["a number with half a pair behind it", "+2348031234567\udc00"],
  ["an emoji", "😀"],
  ["a name", "Ada"],
  ["41 characters", "1".repeat(41)],
  ["100,000 characters", "9".repeat(100_000)],
  ["the name of a member", "__proto__"],
  ["a line", "08031234567\n08031234568"],
];

for (const [what, to] of NO_RECIPIENTS) {
  test(`${what} among a bulk's recipients is rejected alone, in both forms`, async () => {
    const good = [phone(1), phone(2)];
    for (const body of [
      { to: [good[0], to, good[1]], message: "We open at nine" },
      { messages: [good[0]!, to, good[1]!].map((one) => ({ to: one, message: "We open at nine" })) },
    ]) {
      const { status, body: bulk } = await local.post<Bulk>("/sms/bulk", body);
      assert.equal(status, 202, JSON.stringify(bulk));
      assert.deepEqual(
        bulk.messages.map((one) => one.to),
        good,
      );
      assert.deepEqual(
        bulk.rejected.map(({ index, code }) => [index, code]),
        [[1, "invalid_phone_number"]],
      );
      assert.ok(bulk.rejected[0]!.to.length <= 41 && bulk.rejected[0]!.to.isWellFormed());
    }
  });
}

const WRONG_TEXTS: readonly (readonly [what: string, item: object, code: string])[] = [
  ["no text", { message: "" }, "too_short"],
  ["a text of 100,000 characters", { message: "x".repeat(100_000) }, "message_too_long"],
  ["a NUL in its text", { message: "a\0b" }, "invalid_character"],
  ["half a pair in its text", { message: "a\ud800" }, "invalid_character"],
  ["an empty reference", { reference: "" }, "too_short"],
  ["a reference of 101 characters", { reference: "r".repeat(101) }, "too_long"],
  ["a NUL in its reference", { reference: "a\0" }, "invalid_character"],
  ["half a pair in its reference", { reference: "\udc00" }, "invalid_character"],
];

for (const [what, wrong, code] of WRONG_TEXTS) {
  test(`an item with ${what} is rejected alone, with its index`, async () => {
    const messages = [
      { to: phone(10), message: "Good" },
      { to: phone(11), message: "Bad", ...wrong },
      { to: phone(12), message: "Good" },
    ];
    const { status, body } = await local.post<Bulk>("/sms/bulk", { messages });
    assert.equal(status, 202, JSON.stringify(body));
    assert.equal(body.accepted, 2);
    assert.deepEqual(
      body.rejected.map((one) => [one.index, one.to, one.code]),
      [[1, phone(11), code]],
    );
  });
}

test("a bulk with rejected items is told the same when it is repeated", async () => {
  const headers = { "idempotency-key": "bad items" };
  const body = { to: [phone(20), "", "\0", "\ud800"], message: "Once" };
  const first = await local.post<Bulk>("/sms/bulk", body, headers);
  const again = await local.post<Bulk>("/sms/bulk", body, headers);
  assert.deepEqual([first.status, again.status], [202, 202]);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.deepEqual(again.body, first.body);
  assert.equal(first.body.rejected.length, 3);
});

const WRONG_BODIES: readonly (readonly [what: string, body: object, code: string])[] = [
  ["a number for a recipient", { to: [phone(30), 8031234567], message: "x" }, "validation_failed"],
  ["an item without a text", { messages: [{ to: phone(30) }] }, "validation_failed"],
  ["an item with an unknown field", { messages: [{ to: phone(30), message: "x", text: "y" }] }, "validation_failed"],
  ["a NUL in the text that all share", { to: [phone(30)], message: "a\0" }, "invalid_character"],
  [
    "half a pair in the bulk's own reference",
    { to: [phone(30)], message: "a", reference: "\ud800" },
    "invalid_character",
  ],
];

for (const [what, body, code] of WRONG_BODIES) {
  test(`${what} is the body's fault: 400, nothing is accepted`, async () => {
    const answer = await local.post<Problem>("/sms/bulk", body);
    assert.deepEqual([answer.status, answer.body.code], [400, code]);
  });
}

test("a bulk of nothing but bad recipients is refused with the place of each", async () => {
  const answer = await local.post<Problem>("/sms/bulk", { to: ["", "\0"], message: "x" });
  assert.deepEqual([answer.status, answer.body.code], [422, "no_acceptable_recipient"]);
  assert.deepEqual(
    answer.body.errors?.map(({ pointer }) => pointer),
    ["/to/0", "/to/1"],
  );
});

rig.provesItsLedger();
