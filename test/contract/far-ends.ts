import assert from "node:assert/strict";
import type { Order } from "../../src/orders/order.ts";
import type { TokenSeal } from "../../src/purchases/tokens.ts";
import type { SeenVend, VendorClient } from "../../src/simulators/vendors/client.ts";
import type { End } from "../../src/simulators/vendors/contract.ts";
import type { Product } from "../../src/simulators/vendors/products.ts";

/** Where what was bought arrives, and what the order knows of it in the open. */
export interface FarEnds {
  readonly simulator: Pick<VendorClient, "arrivals" | "enterToken">;
  readonly tokensOf: TokenSeal["open"];
}

/** What the phone has got: as often as the vendor's books say. */
export const assertArrived =
  (product: Product) =>
  async ({ simulator }: FarEnds, { recipient }: Order, vends: readonly SeenVend[]): Promise<void> => {
    const given = vends.filter(({ stages }) => stages.some(({ state }) => state === "delivered"));
    const arrivals = await simulator.arrivals(product, recipient);
    assert.equal(arrivals.length, given.length, "what the phone has got");
    assert.equal(
      arrivals.filter(({ reversed }) => reversed).length,
      vends.filter(({ state }) => state === "reversed").length,
    );
  };

/** The meter takes each token that the order has, once. */
export async function assertTokensWork(
  { simulator, tokensOf }: FarEnds,
  order: Order,
  _vends: readonly SeenVend[],
  end: End,
): Promise<void> {
  const known = tokensOf(order);
  if (end.state !== "successful" && end.state !== "reversed") {
    assert.deepEqual(known.length, end.loss ? 1 : 0);
    return;
  }
  assert.deepEqual(
    known.map(({ kind }) => kind),
    end.tokens ?? ["credit"],
  );
  assert.ok(known.find(({ kind }) => kind === "credit")?.units_kwh, "the units");
  for (const { value, kind } of known) {
    const entered = await simulator.enterToken(order.recipient, value);
    assert.deepEqual([entered.result, "kind" in entered && entered.kind], ["accepted", kind]);
    assert.deepEqual(await simulator.enterToken(order.recipient, value), { result: "used" });
  }
}
