import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../../kernel/ids.ts";
import { RecordingSink } from "../../testing/purchase-task.ts";
import { takeCallback } from "./callback.ts";
import { makeReference } from "./reference.ts";
import { signatureOf } from "./wire/signature.ts";

const SECRET = "reloadly_webhook_secret_example";
const REFERENCE = makeReference({ orderId: newUuid(), attempt: 1 });
const EVENT = {
  type: "airtime_transaction.status",
  data: { transactionId: 1, customIdentifier: REFERENCE, status: "SUCCESSFUL" },
};

async function call(body: string | Buffer, options: { secret?: string; signedBy?: string; signature?: string } = {}) {
  const { secret = SECRET, signedBy = SECRET } = options;
  const sink = new RecordingSink();
  const timestamp = "1790000000000";
  const signature = options.signature ?? signatureOf(signedBy, body, timestamp, "body:timestamp");
  const answer = await takeCallback(
    {
      method: "POST",
      path: "/",
      headers: { "x-reloadly-signature": signature, "x-reloadly-request-timestamp": timestamp },
      body: Buffer.from(body),
    },
    { webhookSecret: secret, webhookSignature: "body:timestamp" },
    sink,
  );
  return { status: answer.status, hints: sink.hints, known: sink.known };
}

test("a webhook that is rightly signed shows that the vendor has its purchase, and has it asked about, and no more", async () => {
  assert.deepEqual(await call(JSON.stringify(EVENT)), { status: 200, hints: [REFERENCE], known: [REFERENCE] });
});

test("spaces that a parser would lose count for the signature", async () => {
  assert.deepEqual(await call(JSON.stringify(EVENT, null, 2)), { status: 200, hints: [REFERENCE], known: [REFERENCE] });
  const signature = signatureOf(SECRET, JSON.stringify(EVENT), "1790000000000", "body:timestamp");
  assert.deepEqual(await call(JSON.stringify(EVENT, null, 2), { signature }), { status: 401, hints: [], known: [] });
});

test("one that is signed with another secret, or not at all, is refused", async () => {
  assert.deepEqual(await call(JSON.stringify(EVENT), { signedBy: "other" }), { status: 401, hints: [], known: [] });
  assert.deepEqual(await call(JSON.stringify(EVENT), { signature: "" }), { status: 401, hints: [], known: [] });
});

test("without a secret of ours nothing can be checked, and a hint does no harm", async () => {
  assert.deepEqual(await call(JSON.stringify(EVENT), { secret: "", signature: "" }), {
    status: 200,
    hints: [REFERENCE],
    known: [],
  });
});

const NONE_OF_OURS: readonly (readonly [name: string, body: string])[] = [
  ["another event", JSON.stringify({ ...EVENT, type: "giftcard_transaction.status" })],
  ["a top-up that somebody made without us", JSON.stringify({ ...EVENT, data: { customIdentifier: "topup-441" } })],
  ["no JSON", "<html>"],
  ["nothing", ""],
];
for (const [name, body] of NONE_OF_OURS)
  test(`${name}: taken, so that it is not repeated, and without effect`, async () =>
    assert.deepEqual(await call(body), { status: 200, hints: [], known: [] }));

test("a body that is too long is not read", async () =>
  assert.deepEqual(await call(Buffer.alloc(65_537, " ")), { status: 413, hints: [], known: [] }));
