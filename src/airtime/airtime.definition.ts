import { NETWORKS } from "../kernel/networks.ts";
import type { AirtimeFacts } from "../ports/airtime-payload.ts";
import { purchaseDefinition } from "../purchases/purchase.definition.ts";
import { productOf } from "../purchases/purchase.ts";
import { isNetworkGuessed, storedAirtime } from "./stored.ts";

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
  boughtOf(order) {
    const stored = storedAirtime(order);
    const learned = (order.facts as AirtimeFacts | null | undefined)?.network;
    const isGuess = learned === undefined && isNetworkGuessed(stored);
    return {
      product: stored.product,
      [isGuess ? "network_guess" : "network"]: learned ?? stored.network,
      plan: stored.product === "data" ? stored.plan.name : undefined,
    };
  },
  subjectOf: productOf,
  subjects: ["airtime", "data"],
});
