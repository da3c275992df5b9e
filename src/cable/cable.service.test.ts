import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import type { ListedPlan } from "../catalogue/index.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, refuse } from "../kernel/result.ts";
import type { TvProvider } from "../ports/cable-payload.ts";
import type { BouquetFacts } from "./bouquets.ts";
import type { PurchaseRequest } from "./cable.reading.ts";
import { type CableCaller, makeCable } from "./cable.service.ts";
import type { Verification } from "./cable.ts";
import { smartcardView } from "./smartcard.view.ts";

const NOW = new Date("2026-11-27T09:00:00Z");
const CALLER = {
  accountId: newUuid(),
  mode: "test",
  plan: { prices: { fee: "100.00" } },
} as unknown as CableCaller;

type Bouquet = ListedPlan<TvProvider, BouquetFacts>;

const PLAN = {
  planId: "gotv-30d-6xaa0st1",
  provider: "vendor-1",
  code: "gotv:gotv-supa-plus",
  group: "gotv",
  name: "GOtv Supa Plus - monthly N16,800",
  costKobo: kobo(1_680_000),
  available: true,
} as unknown as Bouquet;

const CARD: Verification = {
  id: newUuid(),
  accountId: CALLER.accountId,
  mode: "test",
  tvProvider: "gotv",
  smartcardNumber: "1212121212",
  customerName: "OBI ADA",
  currentPlan: "GOtv Jolli N5,800",
  renewalKobo: kobo(580_000),
  dueDate: "2027-02-06",
  provider: "vendor-1",
  verifiedAt: NOW,
};

const RENEWAL: PurchaseRequest = { provider: "gotv", kind: "renew", to: "08031234567", smartcard_number: "1212121212" };
const CHANGE: PurchaseRequest = { ...RENEWAL, kind: "change", plan_id: PLAN.planId };

/** `now`: what the TV provider says of the card; undefined: nobody can say. `before`: what the caller was told. */
function rig({ now, before, plan = PLAN }: { now?: Verification; before?: Verification; plan?: Bouquet } = {}) {
  let asked = 0;
  const cable = makeCable({
    smartcards: {
      async verify() {
        asked++;
        return now ? ok(now) : refuse(refusal("provider_unavailable", "Nobody can say."));
      },
      find: async (_who, id) => (before && id === before.id ? before : undefined),
    },
    catalogue: { find: async (_mode, planId) => (planId === plan.planId ? plan : undefined) },
    clock: { now: () => NOW, monotonicMs: () => 0 },
    vatBasisPoints: 750,
    refusalOf: (faults) => refusal("validation_failed", "faults", { errors: faults }),
    view: smartcardView,
  });
  const quote = async (request: PurchaseRequest) => {
    const quoted = await cable.quote(CALLER, request);
    return quoted.ok ? quoted.value : { ...quoted.error, code: quoted.error.code };
  };
  return { quote, asked: () => asked };
}

const named = (verification: Verification) => ({ verification_id: encodeId("ver", verification.id) });
const minutesAgo = (minutes: number) => ({ verifiedAt: new Date(NOW.getTime() - minutes * 60_000) });
const costing = (renewalKobo: Kobo | null): Verification => ({ ...CARD, id: newUuid(), renewalKobo });

test("a renewal costs what the TV provider asks now, and the plan's fee", async () => {
  const { quote } = rig({ now: CARD });
  const quoted = await quote(RENEWAL);
  assert.deepEqual("priceKobo" in quoted && [quoted.amountKobo, quoted.priceKobo], [580_000n, 590_000n]);
  assert.deepEqual("payload" in quoted && quoted.payload, {
    product: "cable",
    tv_provider: "gotv",
    kind: "renew",
    amount_kobo: "580000",
    phone: "2348031234567",
    customer: { name: "OBI ADA" },
  });
});

test("a renewal's card is verified anew even when its verification is fresh, and an unchanged amount is bought at", async () => {
  const { quote, asked } = rig({ now: costing(CARD.renewalKobo), before: CARD });
  const quoted = await quote({ ...RENEWAL, ...named(CARD) });
  assert.ok("priceKobo" in quoted, inspect(quoted));
  assert.equal(asked(), 1);
});

test("a renewal amount that changed since the verification is refused with the new price, whichever way it changed", async () => {
  for (const [now, amount] of [
    [700_000, "7100.00"],
    [250_000, "2600.00"],
  ] as const) {
    const card = costing(kobo(now));
    const { quote } = rig({ now: card, before: CARD });
    const refused = await quote({ ...RENEWAL, ...named(CARD) });
    assert.equal("code" in refused && refused.code, "price_changed");
    const { price, verification } = ("members" in refused && refused.members) || {};
    assert.equal((price as { readonly amount: string }).amount, amount);
    assert.deepEqual(verification, smartcardView(card));
  }
  const before = costing(null);
  const refused = await rig({ now: CARD, before }).quote({ ...RENEWAL, ...named(before) });
  assert.equal("code" in refused && refused.code, "price_changed", "nothing was to be renewed");
});

test("a card without a renewal amount has nothing to renew, and may change to a bouquet", async () => {
  const inactive = costing(null);
  const { quote } = rig({ now: inactive });
  const refused = await quote(RENEWAL);
  assert.equal("code" in refused && refused.code, "not_supported_by_provider");
  assert.deepEqual("members" in refused && refused.members?.possible, { verify: true, kinds: ["change"] });
  assert.ok("priceKobo" in (await quote(CHANGE)));
});

test("another customer than verified is refused for a renewal, and for a change once the verification has expired", async () => {
  const now = { ...costing(CARD.renewalKobo), customerName: "SOMEBODY ELSE" };
  const old = { ...CARD, ...minutesAgo(15) };
  for (const [before, request] of [
    [CARD, RENEWAL],
    [old, RENEWAL],
    [old, CHANGE],
  ] as const) {
    const { quote } = rig({ now, before });
    const refused = await quote({ ...request, ...named(before) });
    assert.equal("code" in refused && refused.code, "smartcard_changed");
    assert.deepEqual("members" in refused && refused.members?.verification, smartcardView(now));
  }
});

test("a change takes a fresh verification at its word, and verifies the card without one", async () => {
  const fresh = rig({ before: { ...CARD, ...minutesAgo(14) } });
  assert.ok("priceKobo" in (await fresh.quote({ ...CHANGE, ...named(CARD) })));
  assert.equal(fresh.asked(), 0);
  const without = rig({ now: CARD });
  assert.ok("priceKobo" in (await without.quote(CHANGE)));
  assert.equal(without.asked(), 1);
});

test("a change costs the list price and the fee, and names the bouquet under its vendor's code", async () => {
  const quoted = await rig({ now: CARD }).quote(CHANGE);
  assert.deepEqual("priceKobo" in quoted && [quoted.amountKobo, quoted.priceKobo], [1_680_000n, 1_690_000n]);
  assert.deepEqual("payload" in quoted && "plan" in quoted.payload && quoted.payload.plan, {
    id: PLAN.planId,
    provider: "vendor-1",
    code: "gotv:gotv-supa-plus",
    name: "GOtv Supa Plus - monthly N16,800",
    cost_kobo: "1680000",
  });
});

test("a bouquet that is unknown, withdrawn or another TV provider's is plan_not_found, before any vendor is asked", async () => {
  for (const [plan, request] of [
    [PLAN, { ...CHANGE, plan_id: "gotv-nothing" }],
    [{ ...PLAN, available: false }, CHANGE],
    [PLAN, { ...CHANGE, provider: "dstv" }],
    [PLAN, { provider: "showmax", kind: "change", to: "08031234567", plan_id: PLAN.planId }],
  ] as const) {
    const { quote, asked } = rig({ now: CARD, plan });
    const refused = await quote(request);
    assert.equal("code" in refused && refused.code, "plan_not_found", JSON.stringify(request));
    assert.equal(asked(), 0);
  }
});

test("a verification that the account does not have is not found", async () => {
  const refused = await rig({ now: CARD }).quote({ ...RENEWAL, ...named(CARD) });
  assert.equal("code" in refused && refused.code, "not_found");
});

test("a verification is of use for its own card and TV provider alone", async () => {
  const { quote } = rig({ now: CARD, before: CARD });
  for (const other of [{ smartcard_number: "1212121213" }, { provider: "dstv" as const }]) {
    const refused = await quote({ ...RENEWAL, ...other, ...named(CARD) });
    assert.equal("code" in refused && refused.code, "validation_failed");
  }
});

test("when nobody can say whose card it is, nothing is quoted", async () => {
  for (const request of [RENEWAL, CHANGE]) {
    const refused = await rig().quote(request);
    assert.equal("code" in refused && refused.code, "provider_unavailable");
  }
});

test("a voucher is bought for the phone, and no card is asked about", async () => {
  const plan: Bouquet = { ...PLAN, group: "showmax", code: "showmax:full_3", planId: "showmax-90d-1m0c9q7x" };
  const { quote, asked } = rig({ plan });
  const quoted = await quote({ provider: "showmax", kind: "change", to: "08031234567", plan_id: plan.planId });
  assert.equal("recipient" in quoted && quoted.recipient, "2348031234567");
  assert.equal(asked(), 0);
});

test("likely repeats have the card and the amount in common, by renewal or change, whichever vendor sells it", async () => {
  const keyOf = async (request: PurchaseRequest, plan: Bouquet = PLAN) => {
    const quoted = await rig({ now: CARD, plan }).quote(request);
    assert.ok("twinKey" in quoted, inspect(quoted));
    return quoted.twinKey;
  };
  const current: Bouquet = { ...PLAN, code: "gotv:gotv-jolli", costKobo: kobo(580_000) };
  const elsewhere: Bouquet = { ...current, provider: "vendor-2", code: "JOLLI" };
  assert.equal(await keyOf(RENEWAL), await keyOf({ ...RENEWAL, to: "08031234568" }));
  assert.equal(await keyOf(CHANGE), await keyOf({ ...CHANGE, to: "08031234568" }));
  assert.equal(await keyOf(RENEWAL), await keyOf(CHANGE, current));
  assert.equal(await keyOf(CHANGE, current), await keyOf(CHANGE, elsewhere));
  assert.notEqual(await keyOf(RENEWAL), await keyOf(CHANGE));
});
