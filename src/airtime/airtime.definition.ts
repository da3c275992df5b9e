import { NETWORKS } from "../kernel/networks.ts";
import { purchaseDefinition } from "../purchases/purchase.definition.ts";
import { productOf } from "../purchases/purchase.ts";
import { storedAirtime } from "./stored.ts";

/** Airtime and data: one subscription, one queue; events are named after the product (`airtime.successful`, `data.failed`). */
export const AIRTIME = purchaseDefinition("airtime", {
  labels(order) {
    const { product, network } = storedAirtime(order);
    return { product, network };
  },
  labelValues: { product: ["airtime", "data"], network: NETWORKS },
  // A bundle is one vendor's own, under that vendor's code.
  boundTo(order) {
    const stored = storedAirtime(order);
    return stored.product === "data" ? stored.plan.provider : undefined;
  },
  subjectOf: productOf,
  subjects: ["airtime", "data"],
});
