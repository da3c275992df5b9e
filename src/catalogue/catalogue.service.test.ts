import assert from "node:assert/strict";
import { test } from "node:test";
import { DATA_PLANS } from "../airtime/data-plans.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import type { Network } from "../kernel/networks.ts";
import type { VendorPlan } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeCatalogue } from "./catalogue.service.ts";
import { LIST_KEPT_MS } from "./catalogue.ts";
import type { PlanReading } from "./plan-reading.ts";
import type { PlanSource } from "./plan-sources.ts";

const db = (await makeTestDatabase()).open();

const plan = (code: string, more: Partial<VendorPlan> = {}): VendorPlan => ({
  code,
  group: "mtn",
  name: `MTN ${code.length}GB 30 days`,
  costKobo: kobo(50_000),
  ...more,
});

let vendors = 0;

/** A vendor of its own with a list that can be changed, and a catalogue of it on a clock that can be moved. */
function rig(first: readonly VendorPlan[] | undefined, more: Partial<PlanSource<Network>> = {}) {
  const provider = `vendor-${++vendors}`;
  const vendor = { list: first, asked: 0 };
  const clock = { aheadMs: 0, now: () => new Date(Date.now() + clock.aheadMs), monotonicMs: () => performance.now() };
  const warnings: string[] = [];
  const log: Log = { debug: () => {}, info: () => {}, warn: (_, line) => warnings.push(line), error: () => {} };
  const source: PlanSource<Network> = {
    provider,
    modes: ["test"],
    sells: () => true,
    async plans() {
      vendor.asked += 1;
      return vendor.list;
    },
    ...more,
  };
  const make = () => makeCatalogue({ db, clock, log, reading: DATA_PLANS, sources: [source], restMs: 200 });
  return { provider, vendor, clock, warnings, make, catalogue: make() };
}

const codesOf = async ({ catalogue }: Pick<ReturnType<typeof rig>, "catalogue">) =>
  (await catalogue.list("test")).plans.map(({ code, available }) => `${code}${available ? "" : " gone"}`);

const historyOf = async (provider: string) => {
  const { rows } = await db.query<{ code: string; change: string; cost_kobo: bigint }>(
    `select p.code, c.change, c.cost_kobo from catalogue_changes c join catalogue_plans p using (plan_id)
      where p.provider = $1 order by c.at, p.code, c.change`,
    [provider],
  );
  return rows.map(({ code, change, cost_kobo }) => `${code} ${change} ${cost_kobo}`);
};

test("before a vendor was asked there are no plans and no time; at start it is asked", async () => {
  const startedMs = Date.now();
  const one = rig([plan("a")]);
  assert.deepEqual(await one.catalogue.list("test"), { plans: [], asOf: null });
  await one.catalogue.refreshDue();
  await waitFor("the list", async () => (await codesOf(one)).length > 0);
  const { plans, asOf } = await one.catalogue.list("test");
  assert.deepEqual(
    plans.map(({ code, facts }) => [code, facts.sizeMb, facts.validityHours, facts.kind]),
    [["a", 1_024, 720, "standard"]],
  );
  assert.ok(asOf && asOf.getTime() >= startedMs && asOf.getTime() <= Date.now());
});

test("within the hour the vendor is not asked again, after it it is; another node's asking counts", async () => {
  const one = rig([plan("a")]);
  await one.catalogue.refreshDue();
  await waitFor("the list", async () => (await codesOf(one)).length > 0);
  const other = one.make();
  await other.refreshDue();
  await waitFor("the other node's own start", () => one.vendor.asked === 2);
  one.clock.aheadMs = 3_590_000;
  await one.catalogue.refreshDue();
  one.clock.aheadMs = 3_610_000;
  // Once the rest after a fetch is over.
  await waitFor("the hour's fetch", async () => {
    await one.catalogue.refreshDue();
    return one.vendor.asked === 3;
  });
});

test("what a vendor changes is known as soon as it says so, with its history", async () => {
  const one = rig([plan("a"), plan("bb")]);
  await one.catalogue.refreshDue();
  await waitFor("the list", async () => (await codesOf(one)).length === 2);
  const [first] = (await one.catalogue.list("test")).plans;
  one.vendor.list = [plan("a", { costKobo: kobo(60_000) }), plan("ccc")];
  one.catalogue.changed(one.provider);
  assert.deepEqual(
    await waitFor("the new list", async () => {
      const codes = await codesOf(one);
      return codes.includes("ccc") && codes;
    }),
    ["a", "bb gone", "ccc"],
  );
  assert.deepEqual(await historyOf(one.provider), [
    "a added 50000",
    "bb added 50000",
    "a repriced 60000",
    "bb gone 50000",
    "ccc added 50000",
  ]);
  const found = await one.catalogue.find("test", first!.planId);
  assert.deepEqual([found?.planId, found?.costKobo, found?.available], [first!.planId, 60_000n, true]);
});

test("however often a vendor says that its list changed, it is asked a few times only, and lastly after the last word", async () => {
  const one = rig([plan("a")]);
  for (let times = 0; times < 100; times += 1) one.catalogue.changed(one.provider);
  one.vendor.list = [plan("a"), plan("bb")];
  await waitFor("the last list", async () => (await codesOf(one)).length === 2);
  assert.ok(one.vendor.asked <= 2, `${one.vendor.asked} times`);
});

for (const [what, list] of [
  ["can't be asked", undefined],
  ["answers with nothing at all", []],
] as const)
  test(`a vendor that ${what} keeps its last list, and two days later nothing of it is sold`, async () => {
    const one = rig([plan("a")]);
    await one.catalogue.refreshDue();
    await waitFor("the list", async () => (await codesOf(one)).length > 0);
    const { plans, asOf } = await one.catalogue.list("test");
    one.vendor.list = list;
    one.catalogue.changed(one.provider);
    await waitFor("a warning", () => one.warnings.length > 0);
    assert.deepEqual(await one.catalogue.list("test"), { plans, asOf });
    one.clock.aheadMs = LIST_KEPT_MS + 60_000;
    assert.deepEqual(await codesOf(one), ["a gone"]);
    assert.equal((await one.catalogue.find("test", plans[0]!.planId))?.available, false);
  });

test("a plan that can't be read is left out, and keeps no other plan's new price back", async () => {
  const bad = [
    plan("free", { costKobo: kobo(0) }),
    plan("c\u0000"),
    plan("x".repeat(300)),
    plan("y", { group: "nobody's" }),
  ];
  const one = rig([...bad, plan("a", { name: "1GB\u0000 30 days" })]);
  one.catalogue.changed(one.provider);
  await waitFor("the list", async () => (await codesOf(one)).length === 1);
});

test("an older list that comes later changes nothing", async () => {
  const one = rig([plan("a")]);
  await one.catalogue.refreshDue();
  await waitFor("the list", async () => (await codesOf(one)).length === 1);
  const before = await one.catalogue.list("test");
  const other = one.make();
  one.clock.aheadMs = -60_000;
  one.vendor.list = [plan("zz")];
  await other.refreshDue();
  // Its next asking comes after the older list was looked at.
  other.changed(one.provider);
  await waitFor("the older asking", () => one.vendor.asked === 3);
  one.clock.aheadMs = 0;
  assert.deepEqual(await one.catalogue.list("test"), before);
});

test("plans are those of the mode's providers, and of the networks that their routes let through", async () => {
  const one = rig([plan("a"), plan("bb", { group: "glo" })], { sells: (network) => network === "mtn" });
  await one.catalogue.refreshDue();
  await waitFor("the list", async () => (await codesOf(one)).length === 1);
  assert.deepEqual((await one.catalogue.list("live")).plans, []);
  assert.deepEqual((await one.catalogue.list("test", "airtel")).plans, []);
  const [sold] = (await one.catalogue.list("test", "mtn")).plans;
  assert.equal(await one.catalogue.find("live", sold!.planId), undefined);
  assert.equal(await one.catalogue.find("test", "mtn-1gb-30d-00000000"), undefined);
});

test("plans stand by group, then by what they contain, then by cost", async () => {
  const one = rig([
    plan("big", { name: "2GB 30 days", costKobo: kobo(100) }),
    plan("dear", { name: "1GB 30 days", costKobo: kobo(90) }),
    plan("talk", { name: "Talk", costKobo: kobo(10) }),
    plan("cheap", { name: "1GB 30 days", costKobo: kobo(80) }),
    plan("glo", { name: "5GB 30 days", group: "glo" }),
  ]);
  one.catalogue.changed(one.provider);
  await waitFor("the list", async () => (await codesOf(one)).length === 5);
  assert.deepEqual(await codesOf(one), ["glo", "cheap", "dear", "big", "talk"]);
});

test("each product has plans of its own, and a list of its own", async () => {
  const bundles = rig([plan("a")]);
  bundles.catalogue.changed(bundles.provider);
  await waitFor("the list", async () => (await codesOf(bundles)).length === 1);
  const [bundle] = (await bundles.catalogue.list("test")).plans;
  const reading: PlanReading<"tv", { readonly label: string }> = {
    product: "bouquets",
    noun: "bouquets",
    groups: ["tv"],
    read: (name) => ({ label: name.replace(/ N\d+$/, "") }),
    isSame: (before, after) => before.label === after.label,
    compare: () => 0,
    words: () => [],
  };
  const list = { plans: [plan("a", { group: "tv", name: "Padi N4400" })] };
  const sources = [
    { provider: bundles.provider, modes: ["test" as const], sells: () => true, plans: async () => list.plans },
  ];
  const { clock } = bundles;
  const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const catalogue = makeCatalogue({ db, clock, log, reading, sources, restMs: 10 });
  assert.deepEqual(await catalogue.list("test"), { plans: [], asOf: null });
  const namesOnce = (name: string) =>
    waitFor(name, async () => {
      const { plans } = await catalogue.list("test");
      return plans.some((one) => one.name === name) && plans;
    });
  catalogue.changed(bundles.provider);
  const [bouquet] = await namesOnce("Padi N4400");
  list.plans = [plan("a", { group: "tv", name: "Padi N5000" })];
  catalogue.changed(bundles.provider);
  const [renamed] = await namesOnce("Padi N5000");
  assert.deepEqual([renamed?.planId, renamed?.facts.label], [bouquet?.planId, "Padi"]);
  assert.equal(await catalogue.find("test", bundle!.planId), undefined);
  assert.equal(await bundles.catalogue.find("test", bouquet!.planId), undefined);
  assert.deepEqual(await codesOf(bundles), ["a"]);
});
