import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { openGuide } from "./guide.ts";
import { type Bought, buy, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { startRig } from "./rig.ts";

const rig = await startRig();
const { text, following } = await openGuide("airtime-and-data.md", rig);
await waitFor("the data plans", async () => {
  const { body } = await rig.local.get<{ as_of: string | null }>("/airtime/data/plans");
  return body.as_of;
});

test("the guide's top-up is bought once, looked at and seen on the phone, by its own commands", async () => {
  // One command is the beginning of another, so the two are told apart by what follows.
  assert.match(await following(`"amount":500}'\n`), /^HTTP\/1\.1 201 /);
  assert.match(await following("| grep -i replayed"), /^idempotent-replayed: true/i);
  const shown = JSON.parse(await following("/airtime/status/")) as Purchase;
  assert.deepEqual(
    shown.timeline?.map(({ status }) => status),
    ["processing", "successful"],
  );
  const seen = await following("/test/handsets/");
  assert.deepEqual(
    (JSON.parse(seen) as { airtime: { purchase_id: string }[] }).airtime.map(({ purchase_id }) => purchase_id),
    [shown.id],
  );
  assert.match(readFileSync((await following("application/pdf")).trim(), "latin1"), /^%PDF-/);
});

test("the guide's silent vendor is a 202 first, and a repeat waits for the outcome", async () => {
  assert.match(await following("wait=1"), /^HTTP\/1\.1 202 [\s\S]*^location: \/airtime\/status\/pur_/im);
  const repeat = await following(`-si $BASE/airtime/topup -H "X-API-Key: $KEY" -H 'Content-Type`);
  assert.match(repeat, /^HTTP\/1\.1 201 [\s\S]*"status":"successful"/);
});

test("the guide's wrong network, plans, bundle and look at a price do what it says", async () => {
  assert.equal((JSON.parse(await following("+2348000000012")) as Bought).code, "wrong_network");
  const plans = JSON.parse(await following(`curl -s "$BASE/airtime/data/plans?network=mtn" -H "X-API-Key: $KEY"\n`));
  assert.ok((plans as { data: unknown[] }).data.length > 0);
  const bundle = JSON.parse(await following("PLAN=")) as Purchase;
  assert.deepEqual([bundle.object, bundle.status], ["data", "successful"]);
  assert.equal((JSON.parse(await following("validate_only")) as Bought).valid, true);
});

/** `amount` as it stands in the guide's table, and the answer's code there. */
const AMOUNTS = [...text.matchAll(/^\| (`[^|]+) \| (?:(₦)|(\d{3}) \[`(\w+)`)/gm)].flatMap(
  ([, amounts = "", naira, status, code]) =>
    [...amounts.matchAll(/`([^`]+)`/g)].map(([, amount = ""]) => ({
      amount,
      status: naira ? 200 : Number(status),
      code,
    })),
);
test("the guide's table of amounts is what the gateway answers", async () => {
  assert.ok(AMOUNTS.length > 10, text);
  for (const { amount, status, code } of AMOUNTS) {
    const response = await fetch(`${rig.gateway.base}/airtime/topup`, {
      method: "POST",
      headers: { "x-api-key": rig.local.key, "content-type": "application/json" },
      body: `{"to":"08031234568","amount":${amount},"validate_only":true}`,
    });
    const body = (await response.json()) as Bought;
    assert.deepEqual([response.status, body.code], [status, code], amount);
  }
});

test("the guide's magic numbers end as its table says", async () => {
  const rows = [...text.matchAll(/^\| `(\+23480000000\d\d)` \| (.*) \|$/gm)];
  assert.equal(rows.length, 7);
  await Promise.all(
    rows.map(async ([, to = "", words = ""]) => {
      const answer = await buy(rig.local, "/airtime/topup", { to, amount: 900 }, { prefer: "respond-async" });
      if (words.startsWith("503")) {
        assert.equal(answer.status, 503);
        return;
      }
      const end = ["reversed", "failed", "successful"].find((state) => words.includes(`\`${state}\``));
      const purchase = await purchaseBecomes(rig.local, purchaseIn(answer), end as Purchase["status"]);
      const failure = /`(invalid_number|wrong_network)`/.exec(words)?.[1];
      if (failure) assert.equal(purchase.failure?.code, failure);
    }),
  );
});

rig.provesItsLedger();
