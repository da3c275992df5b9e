import type { ScenarioName } from "../../src/simulators/vendors/scenarios.ts";
import type { Product, VendorName } from "./rig.ts";

/** What each scenario of the matrix (docs/guides/vendor-simulators.md) comes to, adapter by adapter. */

export interface End {
  /** The order's state when nothing is left to happen. */
  readonly state: "successful" | "failed" | "reversed" | "processing" | "token_pending";
  /** Code of the failure, when it failed. */
  readonly failure?: string;
  /** References under which the vendor was called; one unless told. */
  readonly attempts?: number;
  /** Kinds of the tokens, in the order in which they are typed in. */
  readonly tokens?: readonly string[];
  /** The vendor called it delivered before it had the token. */
  readonly tokenLate?: true;
  /** What the vendor's books have of it, where that is not what the order's state says. */
  readonly vendor?: "delivered" | "delivered twice" | "reversed" | "nothing";
  /** The vendor has it by its own word, and does not find it: held until it does, or a person knows. */
  readonly denied?: true;
  /** It was delivered after the money had gone back: our loss is booked. */
  readonly loss?: true;
}

/** Not run there, and why. */
export interface Gap {
  readonly gap: string;
}

const SUCCESSFUL: End = { state: "successful" };
const DENIED: End = { state: "processing", denied: true };
const failed = (failure: string, more: Partial<End> = {}): End => ({ state: "failed", failure, ...more });
const gap = (why: string): Gap => ({ gap: why });

const NO_TOKENS = gap("only electricity has tokens");
const NO_PLANS = gap("only data has plans");
const NO_METERS = gap("only electricity is for meters");
const NO_PHONES = gap("electricity is for meters, not for phones");
const NO_CALLBACKS = gap("BuyPower calls nobody back");
const AT_VERIFICATION = gap("met when the meter is looked up, before anything is bought: see verification");

/** The first that fits counts: a vendor with its product, a vendor, a product; else `all`. */
export type Ends = Partial<Record<`${VendorName} ${Product}` | VendorName | Product | "all", End | Gap>>;

export const MATRIX: Readonly<Record<ScenarioName, Ends>> = {
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
  delivered_then_reversed: {
    // It has no word for a reversal and calls nobody back: reconciliation finds it.
    buypower: { state: "successful", vendor: "reversed" },
    all: { state: "reversed" },
  },
  failed_then_delivered: {
    // Nobody tells: reconciliation finds it.
    buypower: failed("vendor_failed", { vendor: "delivered" }),
    all: failed("vendor_failed", { loss: true }),
  },
  duplicate: {
    // Its only word for it is that it has our orderId, of which it then knows nothing.
    buypower: { ...DENIED, vendor: "nothing" },
    all: { ...SUCCESSFUL, attempts: 2 },
  },
  reference_used: { all: SUCCESSFUL },
  float_low: { all: failed("no_route") },
  plan_gone: { data: failed("plan_not_found"), all: NO_PLANS },
  price_raised: { data: failed("plan_not_found"), all: NO_PLANS },
  meter_unknown: { electricity: AT_VERIFICATION, all: NO_METERS },
  meter_in_debt: { electricity: AT_VERIFICATION, all: NO_METERS },
  below_minimum: {
    // Its refusals for amounts have no code of their own, so it is asked about, and has nothing.
    buypower: failed("no_route"),
    "reloadly data": failed("plan_not_found"),
    all: failed("amount_out_of_bounds"),
  },
  biller_down: { electricity: AT_VERIFICATION, all: NO_METERS },
  key_change: { electricity: { ...SUCCESSFUL, tokens: ["kct1", "kct2", "credit"] }, all: NO_TOKENS },
  bonus_token: { electricity: { ...SUCCESSFUL, tokens: ["credit", "bonus"] }, all: NO_TOKENS },
  no_token_ever: { electricity: { state: "token_pending" }, all: NO_TOKENS },
  callback_twice: { buypower: NO_CALLBACKS, all: SUCCESSFUL },
  callback_out_of_order: { buypower: NO_CALLBACKS, all: SUCCESSFUL },
  callback_forged: { buypower: NO_CALLBACKS, all: SUCCESSFUL },
  callback_replayed: { buypower: NO_CALLBACKS, all: SUCCESSFUL },
  callback_missing: { buypower: NO_CALLBACKS, all: SUCCESSFUL },
  callback_late: { buypower: NO_CALLBACKS, all: SUCCESSFUL },
  requery_fails: { all: SUCCESSFUL },
  credentials_refused: {
    // Its access tokens run out: another is fetched and the same call made again.
    reloadly: SUCCESSFUL,
    all: failed("no_route"),
  },
  reference_expired: { reloadly: failed("route_misconfigured"), all: failed("no_route") },
  slow_drip: { all: SUCCESSFUL },
  half_json: { all: SUCCESSFUL },
  wrong_length: { all: SUCCESSFUL },
  odd_numbers: { all: SUCCESSFUL },
  // The vendor's own mistake, which no answer of it shows: reconciliation finds it.
  delivered_twice: { all: { ...SUCCESSFUL, vendor: "delivered twice" } },
  product_down: { buypower: failed("vendor_failed"), all: failed("no_route") },
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

/** Undefined: nobody has said what is to come of it. */
export function endOf(scenario: ScenarioName, vendor: VendorName, product: Product): End | Gap | undefined {
  const ends: Ends = MATRIX[scenario];
  return ends[`${vendor} ${product}`] ?? ends[vendor] ?? ends[product] ?? ends.all;
}
