import { DENIED, type End, failed, type Gap, gap, SUCCESSFUL } from "../../src/simulators/vendors/contract.ts";
import type { Product } from "../../src/simulators/vendors/products.ts";
import { SELLERS } from "../../src/simulators/vendors/registry.ts";
import type { ScenarioName } from "../../src/simulators/vendors/scenarios.ts";
import { PRODUCTS, type Trait } from "./products.ts";

/** Where each scenario of the matrix (docs/guides/vendor-simulators.md) ends; a vendor's own ends are in its `contract.ts`. */

const AT_VERIFICATION = gap("met when the recipient is looked up, before anything is bought: see verification");

/** An end of its own; or one that only products with a trait can come to. */
type Row = End | Gap | { readonly needs: Trait; readonly end: End | Gap };

const withTokens = (end: End): Row => ({ needs: "yields tokens", end });
const withPlans = (end: End): Row => ({ needs: "is sold by plans", end });
const toPhones = (end: End): Row => ({ needs: "is for a phone", end });

const MATRIX: Readonly<Record<ScenarioName, Row>> = {
  success: SUCCESSFUL,
  pending_then_delivered: SUCCESSFUL,
  pending_then_failed: failed("vendor_failed"),
  pending_forever: { state: "processing" },
  timeout_then_delivered: SUCCESSFUL,
  timeout_then_failed: failed("vendor_failed"),
  never_received: failed("no_route"),
  never_received_silent: failed("no_route"),
  http_500_then_delivered: SUCCESSFUL,
  http_503_then_delivered: SUCCESSFUL,
  html_then_delivered: SUCCESSFUL,
  empty_then_failed: failed("vendor_failed"),
  unlisted_code_then_delivered: SUCCESSFUL,
  unlisted_code_then_failed: failed("vendor_failed"),
  token_late: withTokens({ ...SUCCESSFUL, tokenLate: true }),
  delivered_then_reversed: { state: "reversed" },
  failed_then_delivered: failed("vendor_failed", { loss: true }),
  duplicate: { ...SUCCESSFUL, attempts: 2 },
  reference_used: SUCCESSFUL,
  float_low: failed("no_route"),
  plan_gone: withPlans(failed("plan_not_found")),
  price_raised: withPlans(failed("plan_not_found")),
  meter_unknown: { needs: "is verified first", end: AT_VERIFICATION },
  meter_in_debt: { needs: "is verified first", end: AT_VERIFICATION },
  below_minimum: failed("amount_out_of_bounds"),
  biller_down: { needs: "is verified first", end: AT_VERIFICATION },
  key_change: withTokens({ ...SUCCESSFUL, tokens: ["kct1", "kct2", "credit"] }),
  bonus_token: withTokens({ ...SUCCESSFUL, tokens: ["credit", "bonus"] }),
  no_token_ever: withTokens({ state: "token_pending" }),
  callback_twice: SUCCESSFUL,
  callback_out_of_order: SUCCESSFUL,
  callback_forged: SUCCESSFUL,
  callback_replayed: SUCCESSFUL,
  callback_missing: SUCCESSFUL,
  callback_late: SUCCESSFUL,
  requery_fails: SUCCESSFUL,
  credentials_refused: failed("no_route"),
  reference_expired: failed("no_route"),
  slow_drip: SUCCESSFUL,
  half_json: SUCCESSFUL,
  wrong_length: SUCCESSFUL,
  odd_numbers: SUCCESSFUL,
  // The vendor's own mistake, which no answer of it shows: reconciliation finds it.
  delivered_twice: { ...SUCCESSFUL, vendor: "delivered twice" },
  product_down: failed("no_route"),
  accepted_then_forgotten: DENIED,
  reference_used_then_forgotten: DENIED,
  number_invalid: toPhones(failed("invalid_number")),
  wrong_network: toPhones(failed("wrong_network")),
  key_change_in_other_words: withTokens({ ...SUCCESSFUL, tokens: ["kct1", "kct2", "credit"] }),
  // No meter takes half of one: it is asked for until it is whole.
  half_key_change: withTokens({ ...SUCCESSFUL, tokens: ["kct1", "kct2", "credit"], tokenLate: true }),
  delivered_short: SUCCESSFUL,
};

/** A vendor's own end counts first, then the product's. Undefined: no end is written down. */
export function endOf(scenario: ScenarioName, vendor: string, product: Product): End | Gap | undefined {
  const own = SELLERS.find(({ name }) => name === vendor)?.ends;
  const { ends, traits } = PRODUCTS[product];
  return own?.[`${scenario} ${product}`] ?? own?.[scenario] ?? ends?.[scenario] ?? commonEnd(MATRIX[scenario], traits);
}

function commonEnd(row: Row | undefined, traits: readonly Trait[]): End | Gap | undefined {
  if (row === undefined || !("needs" in row)) return row;
  return traits.includes(row.needs) ? row.end : gap(`only what ${row.needs} meets it`);
}
