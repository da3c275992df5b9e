import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { startRig } from "./rig.ts";

const rig = await startRig();

let phones = 0;
const nextPhone = (): string => `+23480315${String(++phones).padStart(5, "0")}`;

const delivered = (phone: string) => rig.smsc.messages(phone.slice(1));

/** Sends so many messages at once, and gives them with their phones once each has come to its end. */
async function sendAll(count: number, body: object) {
  const sent = await Promise.all(
    Array.from({ length: count }, async () => {
      const to = nextPhone();
      return { to, id: (await rig.local.send({ to, message: "Your order is ready.", ...body })).id };
    }),
  );
  return Promise.all(sent.map(async ({ to, id }) => ({ to, message: await rig.local.ended(id, 120_000) })));
}

for (const on_ambiguous of ["retry", "fail"] as const) {
  test(`messages that meet a forgotten bind are delivered once and charged once, with ${on_ambiguous}`, async () => {
    await sendAll(1, { on_ambiguous });
    const before = await rig.local.wallet();
    await rig.smsc.forgetBinds();
    const ended = await sendAll(20, { on_ambiguous });
    for (const { to, message } of ended) {
      assert.equal(message.status, "delivered");
      assert.equal((await delivered(to)).length, 1);
    }
    const price = ended.reduce((sum, { message }) => sum + parseKobo(message.price.amount), 0n);
    const after = await waitFor("nothing is held", async () => {
      const wallet = await rig.local.wallet();
      return wallet.held === 0n && wallet;
    });
    assert.equal(before.balance - after.balance, price);
  });
}

for (const optionalParameters of ["unsaid", "refused"] as const) {
  test(`an SMSC whose optional parameters are ${optionalParameters} delivers, short texts and long ones`, async (t) => {
    await rig.smsc.setFaults({ optionalParameters });
    t.after(() => rig.smsc.setFaults({ optionalParameters: "taken" }));
    await rig.smsc.hangUp();
    for (const message of ["Your order is ready.", "Your order is ready. ".repeat(12)])
      for (const { to, message: ended } of await sendAll(5, { message })) {
        assert.equal(ended.status, "delivered");
        const shown = await delivered(to);
        assert.deepEqual(
          shown.map(({ text }) => text.trim()),
          [message.trim()],
        );
      }
  });
}

rig.provesItsLedger();
