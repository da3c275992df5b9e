import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { openGuide } from "./guide.ts";
import { type Bought, buy, type Purchase, purchaseBecomes } from "./purchases.ts";
import { phone, startRig } from "./rig.ts";

const rig = await startRig();
const { text, following } = await openGuide("electricity.md", rig);

test("the guide's meter is verified, bought for, told and shown by its own commands", async () => {
  const meter = JSON.parse(await following("/electricity/verify")) as { verification_id: string };
  assert.match(meter.verification_id, /^ver_/);
  const discos = JSON.parse(await following("/electricity/discos")) as { data: readonly unknown[] };
  assert.equal(discos.data.length, 12);
  assert.match(await following("light-0001"), /^HTTP\/1\.1 201 [\s\S]*"status":"successful"/);
  const shown = JSON.parse(await following("/electricity/status/")) as Purchase;
  const token = shown.tokens?.[0]?.value ?? "";
  assert.match(token, /^(\d{4} ){4}\d{4}$/);
  const seen = await waitFor("the customer's message", async () => {
    const far = await following("/test/handsets/");
    return far.includes("Token: ") ? far : undefined;
  });
  assert.equal(seen.split(token).length, 3, "on the handset and at the meter");
  assert.match(await following("/electricity/resend/"), /"status":"queued"/);
  assert.match(readFileSync((await following("application/pdf")).trim(), "latin1"), /^%PDF-/);
});

test("the guide's meters end as its table says", async () => {
  const rows = [...text.matchAll(/^\| `(\d{11})`[^|]*\| (.*) \|$/gm)];
  assert.equal(rows.length, 7);
  await Promise.all(
    rows.map(async ([, meter = "", words = ""], index) => {
      const body = { meter_number: meter, disco: "eko-electric", amount: 3_000, to: phone(index) };
      const answer = await buy(rig.local, "/electricity/purchase", body);
      const code = /422 `(\w+)`/.exec(words)?.[1];
      if (code !== undefined) {
        assert.deepEqual([answer.status, (answer.body as Bought).code], [422, code]);
        return;
      }
      await purchaseBecomes(rig.local, answer.body, words.includes("`reversed`") ? "reversed" : "successful");
    }),
  );
});

rig.provesItsLedger();
