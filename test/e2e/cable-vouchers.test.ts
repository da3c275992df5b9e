import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestKey } from "../../src/testing/account.ts";
import { makeCli } from "../../src/testing/cli.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { nextCard, plansOf } from "./cable-cards.ts";
import { buy, eventsOf, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { phone, startRig } from "./rig.ts";

/** Vouchers of Showmax: money that is sold to a phone, so they are shown to whom they belong and stand nowhere else. */
const rig = await startRig();
const subscriber = await rig.subscriber({ balance: "1000000.00", also: { cable: "scale" } });
const [plan] = await plansOf(subscriber, "showmax");
const PURCHASE = "/cable/purchase";

let phones = 0;
const nextPhone = (): string => phone(700 + ++phones);
const bodyFor = (to: string, more: object = {}) => ({
  provider: "showmax",
  kind: "change",
  plan_id: plan?.plan_id,
  to,
  notify: { channel: "sms" },
  ...more,
});
const messageTo = (to: string) =>
  waitFor("the customer's message", async () => {
    const messages = await subscriber.handset(to);
    return messages.length > 0 ? messages : undefined;
  });
const voucherOf = ({ tokens }: Purchase): string => {
  assert.equal(tokens?.length, 1);
  assert.equal(tokens?.[0]?.kind, "voucher");
  return tokens?.[0]?.value ?? "";
};

/** What is stored and logged, without what customers were sent. */
async function assertNowhereInClear(voucher: string): Promise<void> {
  for (const table of ["orders", "events", "audit_log", "cases", "notices", "attempts"]) {
    const { rows } = await rig.db.query<{ kept: string }>(`select to_jsonb(t)::text as kept from ${table} t`);
    assert.ok(!rows.some(({ kept }) => kept.includes(voucher)), `in the clear in ${table}`);
  }
  assert.ok(!rig.gateway.output().includes(voucher), "in the log");
}

test("a voucher comes in the answer and to the customer's phone, masked for keys that only read, and stands nowhere in clear", async () => {
  const to = nextPhone();
  const bought = await buy(subscriber, PURCHASE, bodyFor(to));
  assert.equal(bought.status, 201, JSON.stringify(bought.body));
  const purchase = purchaseIn(bought);
  const voucher = voucherOf(purchase);
  assert.match(voucher, /^SHM\w{12}$/);
  assert.ok(!("smartcard_number" in purchase), "Showmax has no cards");
  const [message] = await messageTo(to);
  assert.ok(message?.text.includes(voucher));

  const { accountId } = subscriber;
  const reader = rig.as(await makeTestKey(rig.db, { secret: rig.secret, accountId, mode: "test", scopes: ["read"] }));
  const { body: listed } = await subscriber.get<{ data: readonly Purchase[] }>(
    `/cable/purchases?to=${encodeURIComponent(to)}`,
  );
  assert.deepEqual(
    listed.data.map(({ id }) => id),
    [purchase.id],
    "listed by its phone",
  );
  const masked = `**** ${voucher.slice(-4)}`;
  for (const path of ["status", "receipt"]) {
    const { body } = await reader.get<Purchase>(`/cable/${path}/${purchase.id}`);
    assert.deepEqual(body.tokens, [{ kind: "voucher", value: masked }], path);
  }
  await assertNowhereInClear(voucher);
});

test("a voucher that is late is waited for, and reaches the customer once", async () => {
  const to = nextPhone();
  await rig.vendors.scenario("vtpass", "token_late", { recipient: to, afterMs: 3_000 });
  const answer = await buy(subscriber, PURCHASE, bodyFor(to), { prefer: "wait=1" });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  const { id } = purchaseIn(answer);
  const purchase = await purchaseBecomes(subscriber, { id, object: "cable" }, "successful");
  const voucher = voucherOf(purchase);
  const messages = await messageTo(to);
  assert.deepEqual([messages.length, messages[0]?.text.includes(voucher)], [1, true]);
  assert.equal((await rig.vendors.vends("vtpass", { recipient: to })).length, 1, "it is bought once");
  assert.deepEqual((await eventsOf(rig.db, purchase)).at(-1), "cable.successful");
});

const afara = makeCli(rig.environment);
/** As successful; again until no node asks the vendor at that moment. */
const resolve = (id: string, ...more: readonly string[]) =>
  waitFor("a moment at which nobody asks", async () => {
    const args = ["orders", "resolve", id, "--as", "successful", "--proof", "read out by phone, 10:42", ...more];
    const told = await afara([...args, "--json"]);
    return told.out.includes("A node is at work") ? undefined : told;
  });

test("a voucher that the vendor read out to the operator reaches the customer as any other", async () => {
  const to = nextPhone();
  await rig.vendors.scenario("vtpass", "no_token_ever", { recipient: to });
  const { id } = purchaseIn(await buy(subscriber, PURCHASE, bodyFor(to), { prefer: "wait=1" }));
  await waitFor("delivered, without its voucher", async () => {
    const { body } = await subscriber.get<Purchase>(`/cable/status/${id}`);
    return body.token_pending;
  });
  const without = await resolve(id);
  assert.match(without.json<{ detail: string }>().detail, /has no voucher for this purchase yet/);
  assert.doesNotMatch(without.out, /meter|20 digits/);
  const ofMeter = await resolve(id, "--token", "1234 5678 9012 3456 7890");
  assert.match(ofMeter.json<{ detail: string }>().detail, /cable has no credit tokens: its kinds are voucher\./);
  assert.equal((await resolve(id, "--token", "SHM")).code, 2, "no voucher");
  const voucher = "SHMREADOUT47QX";
  const done = await resolve(id, "--token", voucher, "--proof", `they said ${voucher}, by phone`);
  assert.equal(done.code, 0, done.err + done.out);
  assert.equal(voucherOf(await purchaseBecomes(subscriber, { id, object: "cable" }, "successful")), voucher);
  const [message] = await messageTo(to);
  assert.ok(message?.text.includes(voucher));
  await assertNowhereInClear(voucher);
});

test("a bouquet brings no voucher, so none is asked for when the operator settles it", async () => {
  const card = nextCard();
  await rig.vendors.scenario("vtpass", "pending_forever", { recipient: card });
  const body = { smartcard_number: card, provider: "dstv", kind: "renew", to: nextPhone() };
  const { id } = purchaseIn(await buy(subscriber, PURCHASE, body, { prefer: "wait=1" }));
  const given = await resolve(id, "--token", "SHMREADOUT47QX");
  assert.match(given.json<{ detail: string }>().detail, /only for purchases that bring tokens/);
  const done = await resolve(id);
  assert.equal(done.code, 0, done.err + done.out);
  const purchase = await purchaseBecomes(subscriber, { id, object: "cable" }, "successful");
  assert.equal(purchase.tokens, undefined);
});

rig.provesItsLedger();
