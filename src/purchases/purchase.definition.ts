import { FAILURES } from "../kernel/failures.ts";
import type { ServiceDefinition } from "../orders/service-definition.ts";
import { tokensInTheirPlace } from "./answer-tokens.ts";
import { forgetPurchase } from "./purchase.personal.ts";
import { PURCHASE_STEPS } from "./purchase.steps.ts";
import { purchaseWaits } from "./purchase.waits.ts";

/** How purchases are named to subscribers, whatever is bought. */
export const PURCHASE_NAMES = {
  idPrefix: "pur",
  noun: { one: "purchase", many: "purchases" },
} as const satisfies Partial<ServiceDefinition>;

/** What a service that sells by purchase tells the engine: its name, and by which labels its routes are chosen. */
export const purchaseDefinition = (
  service: string,
  own: Pick<
    ServiceDefinition,
    "labels" | "labelValues" | "boundTo" | "recipient" | "tokens" | "subjectOf" | "subjects" | "boughtOf"
  >,
): ServiceDefinition => ({
  service,
  ...PURCHASE_NAMES,
  table: PURCHASE_STEPS,
  // Vendors are asked; what they say by themselves is a hint at most.
  reports: { final: new Set(), join: () => undefined, failure: () => undefined },
  purchaseWaits,
  hideSecrets: tokensInTheirPlace,
  forget: forgetPurchase,
  unsent: { code: "not_sent_in_time", detail: FAILURES.not_sent_in_time.what },
  ...own,
});
