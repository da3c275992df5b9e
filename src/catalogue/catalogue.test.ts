import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DATA_PLANS } from "../airtime/data-plans.ts";
import { kobo } from "../kernel/kobo.ts";
import { NETWORKS, type Network } from "../kernel/networks.ts";
import { compareLists, isAvailable, LIST_KEPT_MS, type Listed, type Plan, type PlanUpdate } from "./catalogue.ts";

const AT = new Date("2026-11-27T09:00:00.000Z");
const later = (hours: number) => new Date(AT.getTime() + hours * 3_600_000);

const plan = (more: Partial<Listed<Network>> = {}): Listed<Network> => ({
  code: "a",
  group: "mtn",
  name: "MTN 1GB 30 days",
  costKobo: kobo(50_000),
  ...more,
});

/** What is known after these updates. */
function applied(known: readonly Plan<Network>[], updates: readonly PlanUpdate<Network>[]): Plan<Network>[] {
  const byId = new Map(known.map((one) => [one.planId, one]));
  for (const { plan: updated } of updates) byId.set(updated.planId, updated);
  return [...byId.values()];
}

/** Lists one after the other, an hour apart; the changes of each, as code and words. */
function history(...lists: readonly (readonly Listed<Network>[])[]) {
  let known: Plan<Network>[] = [];
  const told = lists.map((list, hour) => {
    const updates = compareLists(DATA_PLANS, "vendor", known, list, later(hour));
    known = applied(known, updates);
    return updates.flatMap(({ plan: { code, generation }, changes }) =>
      changes.map((change) => `${code}${generation} ${change}`),
    );
  });
  return { told, known };
}

test("a plan is added once; the same list again changes nothing", () => {
  assert.deepEqual(history([plan()], [plan()], [plan()]).told, [["a0 added"], [], []]);
});

test("a new price and a new wording keep the plan and its id", () => {
  const { told, known } = history([plan()], [plan({ costKobo: kobo(55_000) })], [plan({ name: "1GB (30 Days) MTN" })]);
  assert.deepEqual(told, [["a0 added"], ["a0 repriced"], ["a0 repriced", "a0 renamed"]]);
  assert.equal(known.length, 1);
  assert.equal(known[0]?.costKobo, 50_000n);
});

test("a plan that vanished is gone, and the same plan when it comes back", () => {
  const { told, known } = history([plan()], [plan({ code: "b" })], [plan(), plan({ code: "b" })]);
  assert.deepEqual(told, [["a0 added"], ["b0 added", "a0 gone"], ["a0 back"]]);
  assert.deepEqual(
    known.map(({ goneAt }) => goneAt),
    [null, null],
  );
});

for (const [what, changed] of [
  ["another size", plan({ name: "MTN 2GB 30 days" })],
  ["another validity", plan({ name: "MTN 1GB 7 days" })],
  ["no size that can be read", plan({ name: "MTN big 30 days" })],
  ["another network", plan({ group: "glo" })],
] as const)
  test(`a code that begins to mean ${what} is another plan with another id, and the old one is gone`, () => {
    const { told, known } = history([plan()], [changed]);
    assert.deepEqual(told, [["a0 added"], ["a0 gone", "a1 added"]]);
    assert.equal(new Set(known.map(({ planId }) => planId)).size, 2);
    assert.deepEqual(
      known.filter(({ goneAt }) => goneAt === null).map(({ generation }) => generation),
      [1],
    );
  });

test("a name that says nothing is another plan as soon as it changes", () => {
  assert.deepEqual(history([plan({ name: "Talk" })], [plan({ name: "Talk more" })]).told[1], ["a0 gone", "a1 added"]);
});

test("whatever lists come, each code on the list has one plan that is sold, no others are, and no id is used twice", () => {
  const listed = fc.record({
    code: fc.constantFrom("a", "b", "c", "d"),
    group: fc.constantFrom(...NETWORKS),
    name: fc.constantFrom("1GB 30 days", "1 GB (30 days)", "2GB 30 days", "Talk", "Talk more", ""),
    costKobo: fc.constantFrom(kobo(100), kobo(200)),
  });
  fc.assert(
    fc.property(fc.array(fc.array(listed, { maxLength: 6 }), { maxLength: 8 }), (lists) => {
      let known: Plan<Network>[] = [];
      for (const [hour, list] of lists.entries()) {
        const before = new Set(known.map(({ planId }) => planId));
        const updates = compareLists(DATA_PLANS, "vendor", known, list, later(hour));
        for (const { plan: updated, changes } of updates)
          assert.equal(before.has(updated.planId), !changes.includes("added"), "only what is added has a new id");
        known = applied(known, updates);
        const sold = known.filter(({ goneAt }) => goneAt === null).map(({ code }) => code);
        assert.deepEqual(sold.sort(), [...new Set(list.map(({ code }) => code))].sort());
      }
    }),
  );
});

test("ids of two providers differ for one and the same plan", () => {
  const ids = ["live", "test"].map(
    (provider) => compareLists(DATA_PLANS, provider, [], [plan()], AT)[0]?.plan.planId ?? "",
  );
  assert.equal(new Set(ids).size, 2);
  for (const id of ids) assert.match(id, /^mtn-1gb-30d-[0-9a-z]{8}$/);
});

test("a plan is sold while it is listed and its list is younger than two days", () => {
  const sold = { goneAt: null };
  assert.equal(isAvailable(sold, AT, new Date(AT.getTime() + LIST_KEPT_MS)), true);
  assert.equal(isAvailable(sold, AT, new Date(AT.getTime() + LIST_KEPT_MS + 1)), false);
  assert.equal(isAvailable(sold, undefined, AT), false);
  assert.equal(isAvailable({ goneAt: AT }, AT, AT), false);
});
