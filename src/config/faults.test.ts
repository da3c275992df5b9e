import assert from "node:assert/strict";
import { test } from "node:test";
import own from "../../afara.config.ts";
import { ADAPTERS } from "../app/vendors.ts";
import { NETWORKS } from "../kernel/networks.ts";
import { placeText } from "../kernel/place.ts";
import { faultsOfFile } from "./faults.ts";
import type { ConfigFile } from "./operator-file.ts";

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

const faultsOf = (value: unknown, source = "", environment: Readonly<Record<string, string>> = {}) =>
  faultsOfFile({ value, source }, { environment, adapters: ADAPTERS, port: 8080 }).map(
    ({ path, detail }) => `${placeText(path)}: ${detail}`,
  );
const faultsWith = (changes: Readonly<Record<string, unknown>>) => faultsOf(configWith(changes));

test("the shipped configuration has no fault", () => {
  assert.deepEqual(faultsOf(own), []);
});

type Case = readonly [what: string, changes: Readonly<Record<string, unknown>>, ...faults: readonly string[]];

const route = { provider: "smsc-simulator", service: "sms", modes: ["test"], window: 1, ratePerSecond: 1 };

const CASES: readonly Case[] = [
  [
    "a service that is none",
    { "services.smss": own.services.sms },
    'services.smss: is not known here. Did you mean "sms"?',
  ],
  [
    "a price that is missing",
    { "services.chat.plans.0.prices.marketing": undefined },
    'services.chat.plans[0].prices.marketing: is missing; it must be naira in quotes, without separators and with at most two places, e.g. "5000.00".',
  ],
  [
    "a price of another service",
    { "services.electricity.plans.1.prices.marketing": "1.00" },
    'services.electricity.plans[1].prices.marketing: is not known here. There are "fee".',
  ],
  [
    "a price for a network that is none",
    { "services.sms.plans.0.prices.transactional.mtnn": "1.00" },
    'services.sms.plans[0].prices.transactional.mtnn: is not known here. Did you mean "mtn"?',
  ],
  [
    "a discount of more than all",
    { "services.airtime.plans.0.prices.discountBasisPoints.default": 10_001 },
    "services.airtime.plans[0].prices.discountBasisPoints.default: must be a whole number from 0 to 10000; 10001 stands there.",
  ],
  [
    "a limit that is missing",
    { "services.airtime.plans.1.limits.airtime-vend": undefined },
    "services.airtime.plans[1].limits.airtime-vend: is missing; it must be a whole number, 0 or more.",
  ],
  [
    "a limit that is misspelt, once and not as missing too",
    {
      "services.airtime.plans.1.limits.airtime-vend": undefined,
      "services.airtime.plans.1.limits.airtime-vned": 5,
    },
    'services.airtime.plans[1].limits.airtime-vned: is not known here. Did you mean "airtime-vend"?',
  ],
  [
    "a simulator of vendors that is not started",
    {
      "simulators.vendors": undefined,
      "providers.reloadly-simulator": undefined,
      "providers.buypower-simulator": undefined,
      "providers.whatsapp-simulator": undefined,
      routes: [],
    },
    'providers.vtpass-simulator.simulator: "vendors" is not among simulators, so none would be started; add simulators: { vendors: {} }.',
  ],
  [
    "a simulator of another vendor",
    { "providers.smsc-simulator.simulator": "vtpass" },
    'providers.smsc-simulator.simulator: "vtpass" does not speak what the adapter "smpp" does; its simulator is "smsc".',
  ],
  [
    "a simulator that is none",
    { "providers.smsc-simulator.simulator": "smcs" },
    'providers.smsc-simulator.simulator: "smcs" is not a simulator. Did you mean "smsc"?',
  ],
  [
    "an adapter that is none",
    { "providers.smsc-simulator.adapter": "smp" },
    'providers.smsc-simulator.adapter: "smp" is not an adapter. Did you mean "smpp"?',
  ],
  [
    "a second route of a provider for one service",
    { "routes.1": route },
    'routes[1]: is a second route of "smsc-simulator" for sms, after routes[0]; put its modes and labels into that one.',
  ],
  [
    "a route to a provider that is misspelt",
    { "routes.0.provider": "smsc-simulatr" },
    'routes[0].provider: "smsc-simulatr" is not among providers. Did you mean "smsc-simulator"?',
  ],
  [
    "a route of a service that is misspelt",
    { "routes.0.service": "smss" },
    'routes[0].service: "smss" is not among services. Did you mean "sms"?',
  ],
  [
    "a mode that is misspelt",
    { "routes.0.modes": ["tset"] },
    'routes[0].modes[0]: must be one of "live", "test"; "tset" stands there. Did you mean "test"?',
  ],
  [
    "no mode",
    { "routes.0.modes": [] },
    "routes[0].modes: must be a list with one entry at least, [ … ]; an empty list stands there.",
  ],
  [
    "live orders to a simulator",
    { "routes.0.modes": ["live"] },
    'routes[0].modes: "smsc-simulator" is a simulator, so live orders must not go there: take "live" out.',
  ],
  [
    "a rate of nothing",
    { "routes.0.ratePerSecond": 0 },
    "routes[0].ratePerSecond: must be a number above 0 and up to 100000; 0 stands there.",
  ],
  [
    "a fee as a number",
    { "services.sms.plans.1.fee": 15000 },
    'services.sms.plans[1].fee: must be naira in quotes, without separators and with at most two places, e.g. "5000.00"; 15000 stands there. Write it in quotes: "15000".',
  ],
  [
    "a quota of nothing",
    { "services.sms.plans.0.quota": 0 },
    "services.sms.plans[0].quota: must be a whole number, 1 or more, or null; 0 stands there.",
  ],
  [
    "a second free plan",
    { "services.sms.plans.1.fee": "0" },
    "services.sms.plans[1].fee: plans[0] is free already; one plan at most is free.",
  ],
  [
    "a plan's id twice",
    { "services.sms.plans.1.id": "free" },
    'services.sms.plans[1].id: "free" is the id of plans[0] too; each plan needs an id of its own.',
  ],
  [
    "a category that is none",
    { "services.sms.category": "mesaging" },
    'services.sms.category: must be one of "messaging", "fintech"; "mesaging" stands there. Did you mean "messaging"?',
  ],
  [
    "a provider's name that can't be one",
    { "providers.SMSC_1": own.providers["smsc-simulator"] },
    "providers.SMSC_1: can't be a name: write lower-case letters, digits and hyphens, a letter first, 40 characters at most.",
  ],
  ["a part that has another shape", { routes: {} }, "routes: must be a list, [ … ]; an object stands there."],
  [
    "a name that is empty",
    { "services.sms.name": "" },
    "services.sms.name: must be a text in quotes that is not empty; an empty text stands there.",
  ],
  [
    "a port that is none",
    { "simulators.smsc.smppPort": 70_000 },
    "simulators.smsc.smppPort: must be a whole number from 0 to 65535; 70000 stands there.",
  ],
  [
    "a port of a vendor that is not simulated",
    { "simulators.vendors.ports": { vtpas: 4_001, smsc: 4_002 } },
    'simulators.vendors.ports.vtpas: is not a simulated vendor. Did you mean "vtpass"?',
    'simulators.vendors.ports.smsc: is not a simulated vendor. There are "buypower", "reloadly", "vtpass", "whatsapp".',
  ],
  [
    "ports of simulators that are equal, or the gateway's",
    {
      "simulators.smsc.smppPort": 2775,
      "simulators.smsc.controlPort": 8080,
      "simulators.vendors.ports": { vtpass: 2775 },
    },
    "simulators.smsc.controlPort: 8080 is the gateway's (AFARA_PORT) too; each needs a port of its own.",
    "simulators.vendors.ports.vtpass: 2775 is that of simulators.smsc.smppPort too; each needs a port of its own.",
  ],
  [
    "a limit of all keys that is misspelt",
    { "limits.raed": 300 },
    'limits.raed: is no limit that there is. Did you mean "read"?',
  ],
  [
    "a label that no order has",
    { "routes.0.only": { netwrok: ["mtn"] } },
    'routes[0].only.netwrok: is not a label of orders. Did you mean "network"?',
  ],
  [
    "a network that no order has",
    { "routes.0.only": { network: ["mtn", "mtnn"] } },
    'routes[0].only.network[1]: "mtnn" is not a network. Did you mean "mtn"?',
  ],
  [
    "a port in quotes",
    { "simulators.smsc.smppPort": "2775" },
    'simulators.smsc.smppPort: must be a whole number from 0 to 65535; "2775" stands there. Write it without quotes.',
  ],
  [
    "a setting that is misspelt, once and not as missing too",
    { "providers.smsc-simulator.settings.systemId": undefined, "providers.smsc-simulator.settings.systmId": "x" },
    'providers.smsc-simulator.settings.systmId: is not a setting. Did you mean "systemId"?',
  ],
  [
    "a setting that the adapter does not know",
    { "providers.smsc-simulator.settings.systmId": "x" },
    'providers.smsc-simulator.settings.systmId: is not a setting. Did you mean "systemId"?',
  ],
  [
    "a way to be paid that is none",
    { funding: { adapter: "paystak", settings: {} } },
    'funding.adapter: "paystak" is not one. Did you mean "paystack"?',
  ],
];
for (const [what, changes, ...faults] of CASES)
  test(`${what} is told by its place, with what to do`, () => assert.deepEqual(faultsWith(changes), faults));

test("faults of shape, of names and of settings are told together, each once, in the order of the file", () => {
  const found = faultsWith({
    vatBasisPoints: -1,
    "services.sms.plans.0.fee": 0,
    "providers.smsc-simulator.settings.binds": 0,
    "routes.0.provider": "smsc-simulatr",
    "routes.0.window": 0,
    "simulators.smcs": {},
  });
  assert.deepEqual(
    found.map((fault) => fault.split(": ")[0]),
    [
      "vatBasisPoints",
      "services.sms.plans[0].fee",
      "simulators.smcs",
      "providers.smsc-simulator.settings.binds",
      "routes[0].provider",
      "routes[0].window",
    ],
  );
});

test("a secret that is not in the environment is told by the variable that the file reads it from", () => {
  const source = `providers: {
    "another": { settings: { apiKey: process.env.ANOTHER_KEY } },
    vtpass: { adapter: "vtpass", settings: { apiKey: process.env.VTPASS_API_KEY, secretKey: process.env["VTPASS_SECRET"] ?? "" } } }`;
  const provider = { adapter: "vtpass", settings: { apiKey: undefined, publicKey: "a-public-key", secretKey: "" } };
  const found = faultsOf({ ...own, providers: { ...own.providers, vtpass: provider } }, source, { VTPASS_SECRET: "" });
  assert.equal(found.length, 2, found.join("\n"));
  assert.match(found[0]!, /^providers\.vtpass\.settings\.apiKey: .*VTPASS_API_KEY, which it is read from, is not set/);
  assert.match(found[1]!, /^providers\.vtpass\.settings\.secretKey: .*VTPASS_SECRET, which it is read from, is empty/);
});

test("a provider has a route for each service that is bought there", () => {
  assert.deepEqual(faultsWith({ "routes.2": { ...route, provider: "vtpass-simulator" } }), []);
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
