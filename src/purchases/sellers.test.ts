import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRoute, type Route, type RouteSettings } from "../orders/route.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { makeSellers, type Sellers } from "./sellers.ts";

const clock = new StandingClock();

/** A vendor that says what it sells, or can't. */
class Vendor extends ScriptedProvider {
  says: ReadonlyMap<string, boolean> | undefined;
  timesAsked = 0;

  billers = {
    electricity: async (): Promise<ReadonlyMap<string, boolean> | undefined> => {
      this.timesAsked += 1;
      return this.says;
    },
  };
}

function routeOf(provider: ScriptedProvider, more: Partial<RouteSettings> = {}) {
  const settings = { name: provider.name, queues: ["electricity:test"], weight: 1, window: 10, ratePerSecond: 100 };
  return makeRoute({ ...settings, ...more }, provider, clock);
}

const vendor = (name: string, says?: Record<string, boolean>) => {
  const made = new Vendor(name);
  made.says = says && new Map(Object.entries(says));
  return made;
};
/** The sellers of these routes. */
const sellersOf = (routes: () => readonly Route[], more: { readonly waitMs?: number } = {}) =>
  makeSellers({
    service: "electricity",
    product: "electricity",
    billers: ["eko-electric", "jos-electric"] as const,
    labels: (disco) => ({ disco }),
    routes,
    clock,
    ...more,
  });
const namesOf = (sellers: Sellers<"eko-electric" | "jos-electric">, mode: "live" | "test" = "test") =>
  sellers.of(mode, "eko-electric").map(({ name }) => name);

test("who can sell now comes first, who can't comes later, and who does not sell for the disco not at all", async () => {
  const all = [
    vendor("down", { "eko-electric": false }),
    vendor("elsewhere", { "jos-electric": true }),
    vendor("able", { "eko-electric": true }),
    vendor("silent"),
  ];
  const sellers = sellersOf(() => all.map((one) => routeOf(one)));
  await sellers.statuses("test");
  assert.deepEqual(namesOf(sellers), ["able", "silent", "down"]);
  assert.deepEqual(namesOf(sellers, "live"), []);
});

test("a route that serves other discos only, and one that is paused, sell nothing", async () => {
  const other = routeOf(vendor("other"), { only: { disco: ["jos-electric"] } });
  const paused = routeOf(vendor("paused"));
  paused.paused = true;
  const sellers = sellersOf(() => [other, paused]);
  assert.deepEqual(namesOf(sellers), []);
  const statuses = await sellers.statuses("test");
  assert.deepEqual([statuses.get("eko-electric"), statuses.get("jos-electric")], [false, true]);
});

test("vendors are asked every few minutes, and what one said holds while it can't be asked", async () => {
  const one = vendor("one", { "eko-electric": true });
  const sellers = sellersOf(() => [routeOf(one)]);
  for (let times = 0; times < 3; times += 1) await sellers.statuses("test");
  assert.equal(one.timesAsked, 1);
  one.says = undefined;
  clock.advance(5 * 60_000);
  assert.equal((await sellers.statuses("test")).get("eko-electric"), true);
  assert.equal(one.timesAsked, 2);
  one.says = new Map([["eko-electric", false]]);
  clock.advance(60_000);
  await sellers.statuses("test");
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await sellers.statuses("test")).get("eko-electric"), false);
});

test("a vendor that never answers keeps nobody from a list", async () => {
  const hanging = new Vendor("hanging");
  hanging.billers = { electricity: () => new Promise<undefined>(() => undefined) };
  const sellers = sellersOf(() => [routeOf(hanging)], { waitMs: 10 });
  assert.equal((await sellers.statuses("test")).get("eko-electric"), true, "it counts as its route says");
});
