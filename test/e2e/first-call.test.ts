import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { needs } from "../../src/testing/needs.ts";
import { type Message, startRig, statesOf } from "./rig.ts";

const { gateway, local, provesItsLedger } = await startRig();
const run = promisify(execFile);

test("the printed curl line sends a message that is delivered within three seconds, shown, and charged once", {
  skip: needs("curl"),
}, async () => {
  const line = gateway
    .output()
    .split("\n")
    .find((text) => text.startsWith("curl "));
  assert.ok(line, "a curl line is printed");
  const before = await local.wallet();
  const { stdout } = await run("sh", ["-c", line]);
  const accepted = JSON.parse(stdout) as Message;
  assert.equal(accepted.status, "queued");
  assert.equal(accepted.to, "+2348031234567");
  assert.equal(accepted.message, "Hello from Afara");

  const message = await local.reached(accepted.id, "delivered");
  assert.deepEqual(statesOf(message), ["queued", "sending", "sent", "delivered"]);
  const times = message.timeline.map((entry) => Date.parse(entry.at));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.equal(message.timeline[0]?.at, accepted.created_at);

  const [shown, ...more] = await local.handset("08031234567");
  assert.deepEqual(more, []);
  assert.equal(shown?.text, "Hello from Afara");
  assert.equal(shown?.message_id, accepted.id);
  assert.equal(shown?.from, accepted.from);

  const wallet = await local.wallet();
  assert.equal(before.balance - wallet.balance, parseKobo(accepted.price.amount));
  assert.equal(wallet.held, 0n);
  assert.equal(wallet.available, wallet.balance);
});

test("while a message is not yet sent its price is held: available is less, the balance is not", async () => {
  const before = await local.wallet();
  const { id, price } = await local.send({
    to: "08031234567",
    message: "later",
    send_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const wallet = await local.wallet();
  assert.equal(wallet.balance, before.balance);
  assert.equal(wallet.held, parseKobo(price.amount));
  assert.equal(wallet.available, before.available - parseKobo(price.amount));
  assert.equal((await local.status(id)).status, "scheduled");
});

provesItsLedger();
