/** What a vendor says of a vend. `tokenless`: delivered, but the token has not come. */
export type VendState = "pending" | "tokenless" | "delivered" | "failed" | "reversed";

/** First answers in no vendor's words: each vendor has its own for them. */
export type FirstAnswer =
  | "as_it_is" // the vendor's word for the state that the vend is in
  | "hang"
  | "reset"
  | "http_500"
  | "http_503"
  | "html"
  | "empty"
  | "unlisted_code"
  | "slow_drip"
  | "half_json"
  | "wrong_length"
  | "other_words" // the key change under other names than its usual ones
  | "half_first" // the second part of a key change is reported a wait later
  | "amount_short" // less is delivered than was asked for, and nothing says why
  | "odd_numbers" // amounts as strings, floats with noise, and numbers, all mixed
  | "duplicate" // the vendor thinks that it had the same a moment ago
  | "reference_used"
  | "reference_expired"
  | "float_low"
  | "plan_gone"
  | "price_raised"
  | "meter_unknown"
  | "meter_in_debt"
  | "below_minimum"
  | "biller_down"
  | "credentials_refused"
  | "product_down"
  | "number_invalid"
  | "wrong_network";

export interface Scenario {
  /** Row of the matrix in docs/guides/vendor-simulators.md; null: besides the matrix. */
  readonly row: number | null;
  /** Which call meets it first. */
  readonly on: "vend" | "verify";
  readonly first: FirstAnswer;
  /**
   * What becomes of the vend, in order: the state and when it comes, in waits (`afterMs`) since the call. Empty: the vendor
   * never takes it and knows nothing of it later.
   */
  readonly stages: readonly (readonly [state: VendState, waits: number])[];
  readonly afterMs?: number;
  /** How many requeries fail (HTTP 500) before the vendor answers them. */
  readonly requeriesFail?: number;
  /** What the vendor took it knows nothing of when it is asked. */
  readonly forgets?: true;
  /** The vendor gives it twice for one call. */
  readonly twice?: true;
  readonly tokens?: readonly ("kct1" | "kct2" | "credit" | "bonus")[];
  /** When a stage after the first comes, the vendor calls back: once and in order unless it says otherwise. */
  readonly callbacks?: "twice" | "out_of_order" | "forged" | "replayed" | "missing" | "late";
}

/** From the call to the next stage: short, as all waits of test mode are. */
export const AFTER_MS = 1_500;

const vend = (row: number | null, first: FirstAnswer, stages: Scenario["stages"], more: Partial<Scenario> = {}) =>
  ({ row, on: "vend", first, stages, ...more }) satisfies Scenario;
const verify = (row: number, first: FirstAnswer, stages: Scenario["stages"] = []) =>
  ({ row, on: "verify", first, stages }) satisfies Scenario;

const DELIVERED: Scenario["stages"] = [["delivered", 0]];
const DELIVERED_LATER: Scenario["stages"] = [
  ["pending", 0],
  ["delivered", 1],
];
const FAILED_LATER: Scenario["stages"] = [
  ["pending", 0],
  ["failed", 1],
];
const NOTHING: Scenario["stages"] = [];

/** The matrix, one row or several by name. What a vendor has no words for it answers with its nearest. */
export const SCENARIOS = {
  success: vend(1, "as_it_is", DELIVERED),
  pending_then_delivered: vend(2, "as_it_is", DELIVERED_LATER),
  pending_then_failed: vend(3, "as_it_is", FAILED_LATER),
  pending_forever: vend(4, "as_it_is", [["pending", 0]]),
  timeout_then_delivered: vend(5, "hang", DELIVERED_LATER),
  timeout_then_failed: vend(6, "hang", FAILED_LATER),
  never_received: vend(7, "reset", NOTHING),
  never_received_silent: vend(7, "hang", NOTHING),
  http_500_then_delivered: vend(8, "http_500", DELIVERED),
  http_503_then_delivered: vend(8, "http_503", DELIVERED_LATER),
  html_then_delivered: vend(9, "html", DELIVERED),
  empty_then_failed: vend(9, "empty", FAILED_LATER),
  unlisted_code_then_delivered: vend(10, "unlisted_code", DELIVERED),
  unlisted_code_then_failed: vend(10, "unlisted_code", FAILED_LATER),
  token_late: vend(
    11,
    "as_it_is",
    [
      ["tokenless", 0],
      ["delivered", 1],
    ],
    { afterMs: 5_000 },
  ),
  delivered_then_reversed: vend(
    12,
    "as_it_is",
    [
      ["delivered", 0],
      ["reversed", 1],
    ],
    { afterMs: 5_000 },
  ),
  failed_then_delivered: vend(13, "as_it_is", [
    ["failed", 0],
    ["delivered", 1],
  ]),
  duplicate: vend(14, "duplicate", NOTHING),
  reference_used: vend(15, "reference_used", DELIVERED),
  float_low: vend(16, "float_low", NOTHING),
  plan_gone: vend(17, "plan_gone", NOTHING),
  price_raised: vend(17, "price_raised", NOTHING),
  meter_unknown: verify(18, "meter_unknown"),
  meter_in_debt: verify(18, "meter_in_debt", DELIVERED),
  below_minimum: vend(18, "below_minimum", NOTHING),
  biller_down: verify(18, "biller_down"),
  key_change: vend(19, "as_it_is", DELIVERED, { tokens: ["kct1", "kct2", "credit"] }),
  bonus_token: vend(19, "as_it_is", DELIVERED, { tokens: ["credit", "bonus"] }),
  no_token_ever: vend(19, "as_it_is", [["tokenless", 0]]),
  callback_twice: vend(20, "as_it_is", DELIVERED_LATER, { callbacks: "twice" }),
  callback_out_of_order: vend(20, "as_it_is", DELIVERED_LATER, { callbacks: "out_of_order" }),
  callback_forged: vend(20, "as_it_is", DELIVERED_LATER, { callbacks: "forged" }),
  callback_replayed: vend(20, "as_it_is", DELIVERED_LATER, { callbacks: "replayed" }),
  callback_missing: vend(20, "as_it_is", DELIVERED_LATER, { callbacks: "missing" }),
  callback_late: vend(20, "as_it_is", DELIVERED_LATER, { callbacks: "late" }),
  requery_fails: vend(21, "as_it_is", DELIVERED_LATER, { requeriesFail: 2 }),
  credentials_refused: vend(22, "credentials_refused", NOTHING),
  reference_expired: vend(23, "reference_expired", NOTHING),
  slow_drip: vend(24, "slow_drip", DELIVERED),
  half_json: vend(24, "half_json", DELIVERED),
  wrong_length: vend(24, "wrong_length", DELIVERED),
  odd_numbers: vend(25, "odd_numbers", DELIVERED),
  delivered_twice: vend(26, "as_it_is", DELIVERED, { twice: true }),
  product_down: vend(null, "product_down", NOTHING),
  accepted_then_forgotten: vend(null, "as_it_is", [["pending", 0]], { forgets: true }),
  reference_used_then_forgotten: vend(null, "reference_used", [["pending", 0]], { forgets: true }),
  number_invalid: vend(null, "number_invalid", NOTHING),
  wrong_network: vend(null, "wrong_network", NOTHING),
  key_change_in_other_words: vend(null, "other_words", DELIVERED, { tokens: ["kct1", "kct2", "credit"] }),
  half_key_change: vend(null, "half_first", DELIVERED, { tokens: ["kct1", "kct2", "credit"] }),
  delivered_short: vend(null, "amount_short", DELIVERED),
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;

export const isScenarioName = (name: unknown): name is ScenarioName =>
  typeof name === "string" && Object.hasOwn(SCENARIOS, name);

export const scenarioOf = (name: ScenarioName): Scenario => SCENARIOS[name];
