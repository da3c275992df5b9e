import type { ScenarioName } from "./scenarios.ts";

/** Phones of test mode that choose a scenario, by their last two digits after +23480000000. All others are ordinary. */
export const MAGIC_PHONES: Readonly<Record<string, MagicPhone>> = {
  "01": { scenario: "number_invalid" },
  "04": { scenario: "timeout_then_delivered" },
  "05": { scenario: "timeout_then_failed" },
  // The vendor's one way to say “not now”; three times for a phone, then it is ordinary.
  "07": { scenario: "duplicate", times: 3 },
  "11": { scenario: "delivered_then_reversed" },
  "12": { scenario: "wrong_network" },
  "13": { scenario: "product_down" },
};

export interface MagicPhone {
  readonly scenario: ScenarioName;
  /** So many calls in a row, then one that is ordinary, and so on; every call when absent. */
  readonly times?: number;
}

/** A simulated meter. Whatever is not here is no meter. */
export interface Meter {
  readonly number: string;
  readonly type: "prepaid" | "postpaid";
  readonly name: string;
  readonly address: string | null;
  readonly arrearsKobo: bigint;
  readonly minimumKobo: bigint;
  readonly maximumKobo: bigint;
}

interface MagicMeter {
  readonly number: RegExp;
  readonly type: Meter["type"];
  readonly arrearsKobo?: bigint;
  readonly scenario?: ScenarioName;
}

/** Meters of test mode. */
export const MAGIC_METERS: readonly MagicMeter[] = [
  { number: /^1\d{10}$/, type: "prepaid" },
  { number: /^20000000002$/, type: "postpaid" },
  { number: /^40000000004$/, type: "prepaid", scenario: "timeout_then_delivered" },
  { number: /^50000000005$/, type: "prepaid", arrearsKobo: 50_000n },
  { number: /^60000000006$/, type: "prepaid", scenario: "token_late" },
  { number: /^70000000007$/, type: "prepaid", scenario: "delivered_then_reversed" },
  // The vendors' own sandboxes have these two.
  { number: /^1111111111111$/, type: "prepaid" },
  { number: /^1010101010101$/, type: "postpaid" },
];

interface MagicCard {
  readonly number: RegExp;
  readonly arrearsKobo?: bigint;
  /** It has no subscription, so there is nothing to renew. */
  readonly isInactive?: true;
  readonly scenario?: ScenarioName;
}

/** Smartcards of test mode. Whatever is not here is no card. */
export const MAGIC_CARDS: readonly MagicCard[] = [
  // The vendors' own sandboxes have 1212121212.
  { number: /^1\d{9,10}$/ },
  { number: /^4000000004$/, scenario: "timeout_then_delivered" },
  { number: /^5000000005$/, arrearsKobo: 200_000n },
  { number: /^7000000007$/, scenario: "delivered_then_reversed" },
  { number: /^8000000008$/, isInactive: true },
];

/** Undefined when it is an ordinary one. `recipient` is with 234 or the trunk 0. */
export const magicPhone = (recipient: string): MagicPhone | undefined => {
  const digits = /^(?:234|0)80000000(\d\d)$/.exec(recipient)?.[1];
  return digits === undefined || !Object.hasOwn(MAGIC_PHONES, digits) ? undefined : MAGIC_PHONES[digits];
};

export const magicMeter = (number: string): MagicMeter | undefined =>
  MAGIC_METERS.find((meter) => meter.number.test(number));

export const magicCard = (number: string): MagicCard | undefined =>
  MAGIC_CARDS.find((card) => card.number.test(number));
