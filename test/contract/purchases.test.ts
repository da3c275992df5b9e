import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewOrder } from "../../src/orders/accept.repo.ts";
import { findOrder } from "../../src/orders/orders.repo.ts";
import type { End, Gap } from "../../src/simulators/vendors/contract.ts";
import { SCENARIOS, type ScenarioName, scenarioOf } from "../../src/simulators/vendors/scenarios.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { makeRandom } from "../simulation/random.ts";
import { assertAgreed, type Place } from "./agreement.ts";
import { endOf } from "./matrix.ts";
import { PRODUCTS } from "./products.ts";
import { COLUMNS, startVendor, type VendorRig } from "./rig.ts";

/** Every adapter with every product that it sells × every scenario of the matrix that it can meet: all of them at once. */

const NAMES = Object.keys(SCENARIOS) as ScenarioName[];
/** From a call to what becomes of it; longer where the word before has to be heard first. */
const AFTER_MS = 400;
const HEARD_FIRST_MS = 30_000;
const HEARD_FIRST: ReadonlySet<ScenarioName> = new Set(["delivered_then_reversed", "failed_then_delivered"]);
/** How late the latest of the simulators' callbacks is, and the time for what it leads to. */
const LATEST_MS = HEARD_FIRST_MS + 4_000 + 2_000;
/** An order that stays as it is has been asked about so often. */
const ASKED_ENOUGH = 6;

const rigs = new Map<string, VendorRig>();
for (const vendor of new Set(COLUMNS.map(([vendor]) => vendor))) rigs.set(vendor, await startVendor(vendor));

interface Run extends Place {
  readonly name: string;
  readonly scenario: ScenarioName;
  readonly end: End;
  /** When the order is as it has to be. */
  readonly come: Promise<NewOrder>;
}

const gaps: (Gap & { readonly name: string; readonly scenario: ScenarioName })[] = [];
const runs: Run[] = [];

const PLAN_CHANGES: ReadonlySet<ScenarioName> = new Set(["plan_gone", "price_raised"]);
/** By vendor and product: plans of which nothing else is bought here, as the scenarios take them out of its list. */
const sparePlans = new Map<string, string[]>();
for (const [vendor, { provider }] of rigs) {
  for (const [, product] of COLUMNS.filter(([seller]) => seller === vendor)) {
    const plans = (await provider.plans?.[product]?.()) ?? [];
    const own = plans.filter(({ group }) => group === PRODUCTS[product].planGroup);
    sparePlans.set(`${vendor} ${product}`, own.map(({ code }) => code).slice(-2));
  }
}

async function play({ rig, vendor, product }: Place, scenario: ScenarioName, end: End): Promise<NewOrder> {
  const planCode = PLAN_CHANGES.has(scenario) ? sparePlans.get(`${vendor} ${product}`)?.pop() : undefined;
  const order = await rig.purchase(product, planCode === undefined ? {} : { planCode });
  const afterMs = HEARD_FIRST.has(scenario) ? HEARD_FIRST_MS : AFTER_MS;
  await rig.simulator.scenario(vendor, scenario, { recipient: order.recipient, afterMs, on: "vend" });
  assert.deepEqual(await rig.engine.accept(order), { ok: true, value: { kind: "accepted" } });
  await waitFor(`${vendor} ${product}, ${scenario}: ${end.state}`, () => hasCome(rig, order, end));
  return order;
}

async function hasCome({ db }: VendorRig, { accountId, id }: NewOrder, end: End): Promise<boolean> {
  const order = (await findOrder(db, accountId, id))!;
  if (order.state !== end.state || (order.endedAt === null && order.tries < ASKED_ENOUGH)) return false;
  const losses = await db.query("select 1 from transfers where order_id = $1 and kind = 'loss'", [id]);
  return losses.rows.length > 0 || !end.loss;
}

// Mixed, so that lost answers don't come in such a row that a vendor is left alone.
const random = makeRandom(1);
const pairs = COLUMNS.flatMap(([vendor, product]) => NAMES.map((scenario) => ({ vendor, product, scenario })))
  .map((pair) => ({ pair, place: random.between(0, 1_000_000) }))
  .sort((a, b) => a.place - b.place)
  .map(({ pair }) => pair);
for (const { vendor, product, scenario } of pairs) {
  const name = `${vendor} ${product}, ${scenario}`;
  const end = endOf(scenario, vendor, product);
  if (end === undefined) continue;
  if ("gap" in end) {
    gaps.push({ ...end, name, scenario });
    continue;
  }
  const place = { rig: rigs.get(vendor)!, vendor, product };
  const come = play(place, scenario, end);
  come.catch(() => undefined); // its own test tells
  runs.push({ ...place, name, scenario, end, come });
}
const startedMs = performance.now();
/** When whatever comes late has come. */
const atRest = Promise.allSettled(runs.map(({ come }) => come)).then(() =>
  waitFor("the latest callbacks", () => performance.now() > startedMs + LATEST_MS),
);

for (const run of runs.toSorted((a, b) => a.name.localeCompare(b.name)))
  test(`${run.name}: ${run.end.state}, and order, wallet, events, the vendor's books and the far end agree`, async () => {
    const order = await run.come;
    await atRest;
    await assertAgreed(run, order, run.end);
  });

test("each adapter with each of its products meets each scenario, or it is said why not", () => {
  const met = new Set([...runs, ...gaps].map(({ name }) => name));
  const missing = COLUMNS.flatMap(([vendor, product]) =>
    NAMES.map((scenario) => `${vendor} ${product}, ${scenario}`),
  ).filter((name) => !met.has(name));
  assert.deepEqual(missing, []);
  for (const { gap } of gaps) assert.ok(gap.length > 10);
  // A scenario that no adapter meets would prove nothing.
  const nowhere = NAMES.filter((name) => !runs.some(({ scenario }) => scenario === name));
  assert.deepEqual(
    nowhere,
    NAMES.filter((name) => scenarioOf(name).on === "verify"),
    "these are met at the verification below",
  );
});

for (const [vendor, product] of COLUMNS) {
  const { verification } = PRODUCTS[product];
  for (const [scenario, kind] of verification?.answers ?? [])
    test(`${vendor} ${product}, ${scenario}: looked up, the recipient is ${kind}`, async () => {
      const rig = rigs.get(vendor)!;
      const { recipient } = await rig.purchase(product);
      await rig.simulator.scenario(vendor, scenario, { recipient, on: "verify" });
      const answer = await verification?.ask(rig.provider, recipient);
      assert.equal(answer?.kind, kind);
      if (answer?.kind === "found") verification?.assertFound(answer);
    });
}

/** How much more a vendor has delivered than the order shows. */
const UNSEEN: Readonly<Record<NonNullable<End["vendor"]>, number>> = {
  delivered: 1,
  "delivered twice": 1,
  reversed: -1,
  nothing: 0,
};

for (const [vendor, rig] of rigs)
  test(`${vendor}: with all of that behind it the ledger is clean, and the sum of what it delivered is what was taken and lost`, async () => {
    await atRest;
    assert.deepEqual(await ledgerFindings(rig.connection), []);
    const own = runs.filter((run) => run.vendor === vendor);
    const delivered = (await rig.simulator.vends(vendor)).filter(
      ({ stages, state }) => stages.some((stage) => stage.state === "delivered") && state !== "reversed",
    ).length;
    const { rows } = await rig.db.query<{ taken: bigint; lost: bigint }>(
      `select (select count(*) from orders where state = 'successful') as taken,
              (select count(*) from transfers where kind = 'loss') as lost`,
    );
    const [taken, lost] = [Number(rows[0]?.taken), Number(rows[0]?.lost)];
    // What its answers don't show, which reconciliation has to find.
    const unseen = own.reduce((sum, { end }) => sum + (end.vendor ? UNSEEN[end.vendor] : 0), 0);
    assert.equal(delivered, taken + lost + unseen);
  });
