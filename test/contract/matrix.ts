import {
  DENIED,
  type End,
  failed,
  type Gap,
  gap,
  type Product,
  SUCCESSFUL,
} from "../../src/simulators/vendors/contract.ts";
import { SELLERS } from "../../src/simulators/vendors/registry.ts";
import type { ScenarioName } from "../../src/simulators/vendors/scenarios.ts";

/** Where each scenario of the matrix (docs/guides/vendor-simulators.md) ends; a vendor's own ends are in its `contract.ts`. */

const NO_TOKENS = gap("only electricity has tokens");
const NO_PLANS = gap("only data has plans");
const NO_METERS = gap("only electricity is for meters");
const NO_PHONES = gap("electricity is for meters, not for phones");
const AT_VERIFICATION = gap("met when the meter is looked up, before anything is bought: see verification");

type Ends = Partial<Record<Product | "all", End | Gap>>;

const MATRIX: Readonly<Record<ScenarioName, Ends>> = {
  success: { all: SUCCESSFUL },
  pending_then_delivered: { all: SUCCESSFUL },
  pending_then_failed: { all: failed("vendor_failed") },
  pending_forever: { all: { state: "processing" } },
  timeout_then_delivered: { all: SUCCESSFUL },
  timeout_then_failed: { all: failed("vendor_failed") },
  never_received: { all: failed("no_route") },
  never_received_silent: { all: failed("no_route") },
  http_500_then_delivered: { all: SUCCESSFUL },
  http_503_then_delivered: { all: SUCCESSFUL },
  html_then_delivered: { all: SUCCESSFUL },
  empty_then_failed: { all: failed("vendor_failed") },
  unlisted_code_then_delivered: { all: SUCCESSFUL },
  unlisted_code_then_failed: { all: failed("vendor_failed") },
  token_late: { electricity: { ...SUCCESSFUL, tokenLate: true }, all: NO_TOKENS },
  delivered_then_reversed: { all: { state: "reversed" } },
  failed_then_delivered: { all: failed("vendor_failed", { loss: true }) },
  duplicate: { all: { ...SUCCESSFUL, attempts: 2 } },
  reference_used: { all: SUCCESSFUL },
  float_low: { all: failed("no_route") },
  plan_gone: { data: failed("plan_not_found"), all: NO_PLANS },
  price_raised: { data: failed("plan_not_found"), all: NO_PLANS },
  meter_unknown: { electricity: AT_VERIFICATION, all: NO_METERS },
  meter_in_debt: { electricity: AT_VERIFICATION, all: NO_METERS },
  below_minimum: { all: failed("amount_out_of_bounds") },
  biller_down: { electricity: AT_VERIFICATION, all: NO_METERS },
  key_change: { electricity: { ...SUCCESSFUL, tokens: ["kct1", "kct2", "credit"] }, all: NO_TOKENS },
  bonus_token: { electricity: { ...SUCCESSFUL, tokens: ["credit", "bonus"] }, all: NO_TOKENS },
  no_token_ever: { electricity: { state: "token_pending" }, all: NO_TOKENS },
  callback_twice: { all: SUCCESSFUL },
  callback_out_of_order: { all: SUCCESSFUL },
  callback_forged: { all: SUCCESSFUL },
  callback_replayed: { all: SUCCESSFUL },
  callback_missing: { all: SUCCESSFUL },
  callback_late: { all: SUCCESSFUL },
  requery_fails: { all: SUCCESSFUL },
  credentials_refused: { all: failed("no_route") },
  reference_expired: { all: failed("no_route") },
  slow_drip: { all: SUCCESSFUL },
  half_json: { all: SUCCESSFUL },
  wrong_length: { all: SUCCESSFUL },
  odd_numbers: { all: SUCCESSFUL },
  // The vendor's own mistake, which no answer of it shows: reconciliation finds it.
  delivered_twice: { all: { ...SUCCESSFUL, vendor: "delivered twice" } },
  product_down: { all: failed("no_route") },
  accepted_then_forgotten: { all: DENIED },
  reference_used_then_forgotten: { all: DENIED },
  number_invalid: { electricity: NO_PHONES, all: failed("invalid_number") },
  wrong_network: { electricity: NO_PHONES, all: failed("wrong_network") },
  key_change_in_other_words: { electricity: { ...SUCCESSFUL, tokens: ["kct1", "kct2", "credit"] }, all: NO_TOKENS },
  // No meter takes half of one: it is asked for until it is whole.
  half_key_change: {
    electricity: { ...SUCCESSFUL, tokens: ["kct1", "kct2", "credit"], tokenLate: true },
    all: NO_TOKENS,
  },
  delivered_short: { all: SUCCESSFUL },
};

/** A vendor's own end counts first, then the product's. Undefined: no end is written down. */
export function endOf(scenario: ScenarioName, vendor: string, product: Product): End | Gap | undefined {
  const own = SELLERS.find(({ name }) => name === vendor)?.ends;
  const common: Ends = MATRIX[scenario];
  return own?.[`${scenario} ${product}`] ?? own?.[scenario] ?? common[product] ?? common.all;
}
