import assert from "node:assert/strict";
import { test } from "node:test";
import own from "../../afara.config.ts";
import { plansThatFit } from "../kernel/sold-plan.ts";
import type { KeyRecord } from "./key-record.ts";
import { makePlans } from "./plans.ts";

const plans = makePlans(own);

/** A caller is its subscriptions here; nothing else of it is looked at. */
const on = (subscriptions: Readonly<Record<string, string>>) =>
  ({
    subscriptions: Object.fromEntries(Object.entries(subscriptions).map(([service, plan]) => [service, { plan }])),
  }) as unknown as KeyRecord;

test("a limit is that of the plan, else that which all callers have, else nothing", () => {
  assert.equal(plans.limitFor(on({ sms: "free" }), "sms-send"), 60);
  assert.equal(plans.limitFor(on({ sms: "growth" }), "sms-send"), 600);
  assert.equal(plans.limitFor(on({ sms: "free" }), "read"), 300);
  assert.equal(plans.limitFor(on({}), "sms-send"), 0);
  assert.equal(plans.limitFor(on({ sms: "gone" }), "sms-send"), 0);
});

test("of several plans that give a limit the largest counts, in whatever order the services come", () => {
  const largest = own.services.sms?.plans.at(-1)?.limits.read;
  assert.equal(plans.limitFor(on({ sms: "scale", airtime: "free" }), "read"), largest);
  assert.equal(plans.limitFor(on({ airtime: "free", sms: "scale" }), "read"), largest);
});

test("a subscription to a plan that is not in the configuration gives nothing", () => {
  const { subscriptions } = on({ sms: "gone", airtime: "free" });
  assert.deepEqual(plans.configured(subscriptions), { airtime: { plan: "free" } });
});

test("plans that fit are those whose quota holds it all, and those without one", () => {
  const ids = (orders: number) => plansThatFit(own.services.airtime?.plans ?? [], orders).map(({ id }) => id);
  assert.deepEqual(
    [ids(50), ids(51)],
    [
      ["free", "growth", "scale"],
      ["growth", "scale"],
    ],
  );
});
