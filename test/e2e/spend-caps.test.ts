import assert from "node:assert/strict";
import { test } from "node:test";
import { kobo, koboToNaira, parseKobo } from "../../src/kernel/kobo.ts";
import { makeCli } from "../../src/testing/cli.ts";
import { handsetWrites } from "./chats.ts";
import { buy, purchaseIn } from "./purchases.ts";
import { assertProblem, type Problem, phone, type Subscriber, startRig } from "./rig.ts";

/** A key's daily cap: one for all services, and one for a key and those that took its place. */
const rig = await startRig();
const afara = makeCli(rig.environment);

interface KeySpend {
  readonly key_spend: { readonly limit: { readonly amount: string }; readonly remaining: { readonly amount: string } };
}
const CAP = parseKobo("100000.00");
const capOf = async (who: Subscriber): Promise<KeySpend["key_spend"]> =>
  (await who.get<KeySpend>("/limits")).body.key_spend;
const spentBy = async (who: Subscriber): Promise<bigint> => {
  const { limit, remaining } = await capOf(who);
  return parseKobo(limit.amount) - parseKobo(remaining.amount);
};

let meters = 0;
const meter = () => ({
  meter_number: `1${String(3_900_000_000 + ++meters)}`,
  disco: "ikeja-electric",
  amount: 2_000,
});

/** One order of each service, under whichever key. */
const ORDERS: Readonly<Record<string, (who: Subscriber, to: string) => Promise<{ status: number; body: unknown }>>> = {
  "an SMS": (who, to) => who.post("/sms/send", { to, message: "capped" }),
  "a bulk": (who, to) => who.post("/sms/bulk", { to: [to], message: "capped" }),
  "a chat message": async (who, to) => {
    await handsetWrites(who, to);
    return who.post("/chat/send/text", { to, message: "capped" });
  },
  airtime: (who, to) => buy(who, "/airtime/topup", { to, amount: 500, network: "mtn" }),
  data: async (who, to) => {
    const { body } = await who.get<{ data: readonly { plan_id: string; available: boolean }[] }>(
      "/airtime/data/plans?network=mtn",
    );
    const plan = body.data.find(({ available }) => available);
    return buy(who, "/airtime/data", { to, plan_id: plan?.plan_id });
  },
  electricity: (who, to) => buy(who, "/electricity/purchase", { ...meter(), to }),
};

/** A subscriber to everything whose key has a cap. */
async function capped() {
  const customer = await rig.subscriber({
    balance: "100000.00",
    also: { airtime: "scale", electricity: "scale", chat: "scale" },
  });
  assert.equal((await afara(["key", "set", customer.key, "--spend-cap", koboToNaira(CAP)])).code, 0);
  return customer;
}
async function roll(key: string, cap: bigint): Promise<Subscriber> {
  const rolled = await afara(["key", "roll", key, "--json"]);
  const made = rolled.json<{ key: string }>();
  assert.equal((await afara(["key", "set", made.key, "--spend-cap", koboToNaira(kobo(cap))])).code, 0);
  return rig.as(made.key);
}

for (const [index, [what, order]] of Object.entries(ORDERS).entries())
  test(`what a key has spent on ${what} is gone from the cap of the key that replaces it, by GET /limits too`, async () => {
    const customer = await capped();
    const first = await order(customer, phone(2 * index));
    assert.ok(first.status < 300, JSON.stringify(first.body));
    const price = await spentBy(customer);
    assert.ok(price > 0n);

    const heir = await roll(customer.key, 2n * price - 1n);
    assert.equal((await capOf(heir)).remaining.amount, koboToNaira(kobo(price - 1n)));
    const second = await order(heir, phone(2 * index + 1));
    assertProblem(second as Parameters<typeof assertProblem>[0]);
    const { code, quota } = second.body as Problem & { quota?: string };
    assert.deepEqual([code, quota], ["quota_exceeded", "key-spend"]);
    assert.equal((await order(customer, phone(2 * index + 1))).status, first.status, "the old key has its own limit");
    assert.deepEqual([await spentBy(customer), (await capOf(heir)).remaining.amount], [2n * price, "0.00"]);
  });

test("a token that a key has sent again counts against its cap, and is refused beyond it without being counted as sent", async () => {
  const customer = await capped();
  const bought = purchaseIn(await buy(customer, "/electricity/purchase", { ...meter(), to: phone(40) }));
  const before = await spentBy(customer);
  const resend = (who: Subscriber) => who.post<Problem>(`/electricity/resend/${bought.id}`, { channel: "sms" });
  assert.equal((await resend(customer)).status, 202);
  const price = (await spentBy(customer)) - before;
  assert.ok(price > 0n);
  const heir = await roll(customer.key, before + 2n * price - 1n);
  for (let tries = 0; tries < 6; tries += 1)
    assert.partialDeepStrictEqual((await resend(heir)).body, { code: "quota_exceeded", quota: "key-spend" });
  assert.equal((await resend(customer)).status, 202);
});

rig.provesItsLedger();
