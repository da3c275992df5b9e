import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Card, plansOf } from "./cable-cards.ts";
import { openGuide } from "./guide.ts";
import { type Bought, buy, type Purchase, purchaseBecomes } from "./purchases.ts";
import { phone, startRig } from "./rig.ts";

const rig = await startRig();
const { text, following } = await openGuide("cable-tv.md", rig);
for (const provider of ["gotv", "showmax"]) await plansOf(rig.local, provider);

test("the guide's card is verified and renewed, its bouquet changed, its voucher sold, by its own commands", async () => {
  const providers = JSON.parse(await following("/cable/providers")) as { data: readonly unknown[] };
  assert.equal(providers.data.length, 4);
  const card = JSON.parse(await following("/cable/verify")) as Card;
  assert.equal(card.renewal_amount?.amount, "19000.00");
  assert.match(await following("tv-0001"), /^HTTP\/1\.1 201 [\s\S]*"status":"successful"/);
  assert.match(await following("tv-0002"), /^HTTP\/1\.1 201 [\s\S]*"kind":"change"/);
  const voucher = JSON.parse(await following("tv-0003")) as Purchase;
  assert.equal(voucher.tokens?.[0]?.kind, "voucher");
  assert.ok((await following("/test/handsets/")).includes(voucher.tokens?.[0]?.value ?? "-"));
  const shown = await following("/cable/status/");
  assert.ok(shown.includes(`"id":"${voucher.id}"`));
  // curl ends no line.
  const [, receipt = ""] = /(\/[^"{}]*)\s*$/.exec(shown.trim()) ?? [];
  assert.match(readFileSync(receipt, "latin1"), /^%PDF-/);
});

test("the guide's smartcards end as its table says", async () => {
  const rows = [...text.matchAll(/^\| `(\d{10})`[^|]*\| (.*) \|$/gm)];
  assert.equal(rows.length, 6);
  await Promise.all(
    rows.map(async ([, card = "", words = ""], index) => {
      const body = { smartcard_number: card, provider: "gotv", kind: "renew", to: phone(index), allow_duplicate: true };
      const answer = await buy(rig.local, "/cable/purchase", body);
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
