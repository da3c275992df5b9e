import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewOrder } from "../../src/orders/accept.repo.ts";
import { pauseRoute, resumeRoute } from "../../src/orders/nodes.repo.ts";
import type { Order } from "../../src/orders/order.ts";
import { findOrder } from "../../src/orders/orders.repo.ts";
import type { Product } from "../../src/simulators/vendors/products.ts";
import { SELLERS } from "../../src/simulators/vendors/registry.ts";
import type { ScenarioName } from "../../src/simulators/vendors/scenarios.ts";
import { waitForState } from "../../src/testing/engine.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { endOf } from "./matrix.ts";
import { PRODUCTS } from "./products.ts";
import { startVendor } from "./rig.ts";

/** Two vendors for one purchase: the second is called only after proof that the first has vended nothing. */

type Who = "first" | "second" | "nobody yet";

/** Who comes to vend it. */
const CASES: readonly (readonly [ScenarioName, Who])[] = [
  ["success", "first"],
  // Proof: it was refused before anything was bought.
  ["float_low", "second"],
  ["product_down", "second"],
  ["credentials_refused", "second"],
  // Proof: the vendor has tried and failed, or twice knows nothing of it.
  ["pending_then_failed", "second"],
  ["timeout_then_failed", "second"],
  ["never_received", "second"],
  ["never_received_silent", "second"],
  // No proof: whatever the first answer was, it is the first vendor's until that one says what became of it.
  ["timeout_then_delivered", "first"],
  ["http_500_then_delivered", "first"],
  ["html_then_delivered", "first"],
  ["unlisted_code_then_delivered", "first"],
  ["reference_used", "first"],
  ["requery_fails", "first"],
  ["half_json", "first"],
  // It says that it failed, and delivers all the same while it is asked once more.
  ["failed_then_delivered", "first"],
  ["pending_forever", "nobody yet"],
  // No proof either: it has it by its own word, of which it knows nothing any more.
  ["accepted_then_forgotten", "nobody yet"],
  ["reference_used_then_forgotten", "nobody yet"],
];

/** Of each product every seller once, with the next one behind it. A plan is one vendor's own. */
const PAIRS = (Object.keys(PRODUCTS) as Product[]).flatMap((product) => {
  if (PRODUCTS[product].traits.includes("is sold by plans")) return [];
  const sellers = SELLERS.filter(({ products }) => products.includes(product)).map(({ name }) => name);
  return sellers.map((first, index) => [product, first, sellers[(index + 1) % sellers.length]!] as const);
});

/** Who vends it: a vendor that sells where others refuse needs no second. Undefined: the order itself is refused. */
function whoVends(scenario: ScenarioName, usual: Who, vendor: string, product: Product): Who | undefined {
  const end = endOf(scenario, vendor, product);
  if (end === undefined || "gap" in end || end.final) return undefined;
  return usual === "second" && end.state === "successful" ? "first" : usual;
}

/** What was bought at a pair of vendors. */
async function buyAll([product, first, second]: (typeof PAIRS)[number]) {
  const rig = await startVendor(first, second);
  const cases = CASES.flatMap(([scenario, usual]) => {
    const who = whoVends(scenario, usual, first, product);
    return who === undefined ? [] : [[scenario, who] as const];
  });
  const bought = await Promise.all(
    cases.map(async ([scenario, who]) => {
      const order = await rig.purchase(product);
      await rig.simulator.scenario(first, scenario, { recipient: order.recipient, afterMs: 300, on: "vend" });
      return { order, who };
    }),
  );
  // Of two vendors the less busy one is first, so the other is held back until each purchase has been at the first.
  await pauseRoute(rig.db, second, "not the first");
  await waitFor("the pause", () =>
    rig.engine.routes.every((route) => route.paused === (route.settings.name === second)),
  );
  for (const { order } of bought) assert.ok((await rig.engine.accept(order)).ok);
  for (const { order } of bought)
    await waitFor("the first attempt", async () => (await findOrder(rig.db, order.accountId, order.id))?.attempt === 1);
  await resumeRoute(rig.db, second);
  return { product, first, second, rig, cases, bought };
}

// All is bought before the first test is there: the runner ends when the tests that it knows of have ended.
const groups = [];
for (const pair of PAIRS) groups.push(await buyAll(pair));

for (const { product, first, second, rig, cases, bought } of groups) {
  const vended = async (vendor: string, { recipient }: Pick<Order, "recipient">) =>
    (await rig.simulator.vends(vendor, { recipient })).filter(({ state }) => state === "delivered").length;
  const asked = ({ accountId, id }: NewOrder) =>
    waitFor("an order that is asked about again and again", async () => {
      const order = await findOrder(rig.db, accountId, id);
      return order && order.tries > 6 && order;
    });

  for (const [index, [scenario]] of cases.entries())
    test(`${product}, ${first} then ${second}, ${scenario}: it is vended once, by whom it must be`, async () => {
      const { order, who } = bought[index]!;
      const now = who === "nobody yet" ? await asked(order) : await waitForState(rig.db, order, "successful");
      assert.equal(now.route, who === "second" ? second : first);
      assert.deepEqual(
        [await vended(first, order), await vended(second, order)],
        [who === "first" ? 1 : 0, who === "second" ? 1 : 0],
      );
      const { rows } = await rig.db.query<{ route: string }>(
        "select route from attempts where order_id = $1 order by attempt",
        [order.id],
      );
      assert.deepEqual(
        rows.map(({ route }) => route),
        who === "second" ? [first, second] : [first],
      );
    });

  test(`${product}, ${first} then ${second}: the ledger is clean`, async () => {
    assert.deepEqual(await ledgerFindings(rig.connection), []);
  });
}
