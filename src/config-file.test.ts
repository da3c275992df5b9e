import assert from "node:assert/strict";
import { test } from "node:test";
import own from "../afara.config.ts";
import { type ConfigFile, faultsOfConfig } from "./config-file.ts";
import { NETWORKS } from "./kernel/networks.ts";

const ADAPTERS = ["buypower", "reloadly", "smpp", "vtpass", "whatsapp-cloud"];

/** The shipped configuration with something set, or with `undefined` taken out, at a place like `services.sms.plans.0.fee`. */
function configWith(changes: Readonly<Record<string, unknown>>): unknown {
  const config: unknown = structuredClone(own);
  for (const [place, value] of Object.entries(changes)) {
    const steps = place.split(".");
    const last = steps.pop()!;
    let at = config as Record<string, unknown>;
    for (const step of steps) at = at[step] as Record<string, unknown>;
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  return config;
}

const faultsWith = (changes: Readonly<Record<string, unknown>>) => faultsOfConfig(configWith(changes), ADAPTERS);

test("the shipped configuration has no fault", () => {
  assert.deepEqual(faultsOfConfig(own, ADAPTERS), []);
});

const CASES: readonly (readonly [what: string, changes: Readonly<Record<string, unknown>>, fault: RegExp])[] = [
  ["a service that is none", { "services.smss": own.services.sms }, /^services: has unknown fields: smss$/],
  [
    "a price that is missing",
    { "services.chat.plans.0.prices.marketing": undefined },
    /^services\.chat\.plans\[0\]\.prices: lacks marketing$/,
  ],
  [
    "a price of another service",
    { "services.electricity.plans.1.prices.marketing": "1.00" },
    /^services\.electricity\.plans\[1\]\.prices: has unknown fields: marketing$/,
  ],
  [
    "a price for a network that is none",
    { "services.sms.plans.0.prices.transactional.mtnn": "1.00" },
    /^services\.sms\.plans\[0\]\.prices\.transactional: has unknown fields: mtnn$/,
  ],
  [
    "a discount of more than all",
    { "services.airtime.plans.0.prices.discountBasisPoints.default": 10_001 },
    /^services\.airtime\.plans\[0\]\.prices\.discountBasisPoints\.default: must be <= 10000$/,
  ],
  [
    "a limit that is misspelt",
    { "services.sms.plans.2.limits.sms-sned": 1 },
    /^services\.sms\.plans\[2\]\.limits: has unknown fields: sms-sned$/,
  ],
  [
    "a limit that is missing",
    { "services.airtime.plans.1.limits.airtime-vend": undefined },
    /^services\.airtime\.plans\[1\]\.limits: lacks airtime-vend$/,
  ],
  [
    "a simulator of vendors that is not started",
    { "simulators.vendors": undefined },
    /^providers\.\w+-simulator\.simulator: "vendors" is not among simulators$/,
  ],
  [
    "a second route of a provider for one service",
    { "routes.1": { provider: "smsc-simulator", service: "sms", modes: ["test"], window: 1, ratePerSecond: 1 } },
    /^routes: "smsc-simulator" has 2 routes for sms; it takes one, with its modes and labels$/,
  ],
  ["a fee as a number", { "services.sms.plans.1.fee": 15000 }, /^services\.sms\.plans\[1\]\.fee: must be string$/],
  ["a quota of nothing", { "services.sms.plans.0.quota": 0 }, /^services\.sms\.plans\[0\]\.quota: /],
  ["a second free plan", { "services.sms.plans.1.fee": "0" }, /^services\.sms\.plans: one plan at most is free$/],
  [
    "a plan's id twice",
    { "services.sms.plans.1.id": "free" },
    /^services\.sms\.plans: each plan needs an id of its own$/,
  ],
];
for (const [what, changes, fault] of CASES) {
  test(`${what} is told by its place`, () => {
    const faults = faultsWith(changes);
    assert.ok(faults.length >= 1);
    for (const found of faults) assert.match(found, fault);
  });
}

test("a provider has a route for each service that is bought there", () => {
  const route = { provider: "vtpass-simulator", service: "sms", modes: ["test"], window: 1, ratePerSecond: 1 };
  assert.deepEqual(faultsWith({ "routes.2": route }), []);
});

test("each network can have a price of its own", () => {
  const prices = Object.fromEntries(NETWORKS.map((network) => [network, "3.99"]));
  const place = "services.sms.plans.0.prices.transactional";
  assert.deepEqual(faultsWith({ [place]: { default: "4.00", ...prices } }), []);
});

test("every service but chat has a free plan with a monthly quota, and every service a paid one of 600 a minute or more", () => {
  const services: ConfigFile["services"] = own.services;
  for (const [name, { plans }] of Object.entries(services)) {
    const free = plans.find(({ fee }) => Number(fee) === 0);
    assert.equal(free === undefined, name === "chat", name);
    if (free) assert.ok(free.quota !== null, name);
    const paid = plans.filter((plan) => plan !== free);
    assert.ok(paid.length >= 1, name);
    for (const { limits } of paid) assert.ok(Math.max(...Object.values(limits)) >= 600, name);
  }
});
