import assert from "node:assert/strict";
import { test } from "node:test";
import { REAL_CLOCK } from "../testing/engine.ts";
import { TOPUP } from "../testing/parcel.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { chooseRoute } from "./choose-route.ts";
import { makeRoute, type Route } from "./route.ts";

const ORDER = {
  ...SMS_ORDER,
  service: "topup",
  queue: "topup:test",
  tried: [],
  pieces: null,
  begunAt: null,
  ambiguousAt: null,
};
const routeOf = (name: string, weight: number): Route =>
  makeRoute(
    { name, queues: ["topup:test"], weight, window: 10, ratePerSecond: 1_000 },
    new ScriptedProvider(name),
    REAL_CLOCK,
  );

/** Where so many orders go, none of which ends meanwhile. */
function places(routes: readonly Route[], orders: number): readonly (string | undefined)[] {
  return Array.from({ length: orders }, () => {
    const route = chooseRoute(routes, TOPUP, ORDER);
    route?.enter();
    return route?.settings.name;
  });
}

test("routes of equal weight take turns, the first in the list first", () =>
  assert.deepEqual(places([routeOf("one", 1), routeOf("two", 1)], 4), ["one", "two", "one", "two"]));

test("a route of three times the weight has three of four, wherever it stands in the list", () =>
  assert.deepEqual(places([routeOf("light", 1), routeOf("heavy", 3)], 8).filter((name) => name === "heavy").length, 6));

test("a route of a thousandth of the weight is a spare: it gets what the other has no room for", () =>
  assert.deepEqual(places([routeOf("spare", 1), routeOf("main", 1_000)], 12), [
    ...Array(10).fill("main"),
    "spare",
    "spare",
  ]));
