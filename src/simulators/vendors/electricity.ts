import { kwh } from "./field.ts";
import type { Meter } from "./magic.ts";
import { AFTER_MS } from "./scenarios.ts";
import type { Vend } from "./store.repo.ts";
import type { Chosen, VendorWorld } from "./world.ts";

/** Where the customer's money goes. */
export interface Sale {
  readonly energyKobo: bigint;
  readonly vatKobo: bigint;
  /** Taken for an old debt before anything else. */
  readonly arrearsKobo: bigint;
  readonly unitsTenths: number;
  readonly units: string;
  /** For a kWh, without VAT. */
  readonly rateKobo: bigint;
}

/** What one vendor tells of a meter's tariff is the class, what the other tells is the band: each the same before and after the sale. */
export const TARIFF_CLASS = "R2";
export const SERVICE_BAND = "A";
const RATE_KOBO = 20_950n;
/** What one token of a bonus is worth: 5 kWh. */
const BONUS_TENTHS = 50;
/** A debt of a meter that has none of its own. */
const DEBT_KOBO = 50_000n;

/** The meter as the scenario has it: in debt, if it says so. */
export const meterIn = (meter: Meter, { scenario }: Chosen): Meter =>
  scenario.first === "meter_in_debt" && meter.arrearsKobo === 0n ? { ...meter, arrearsKobo: DEBT_KOBO } : meter;

/** A disco that is owed money asks for the debt and its usual minimum together. */
export const minimumOf = ({ minimumKobo, arrearsKobo }: Meter): bigint => minimumKobo + arrearsKobo;

/**
 * VAT of 7.5 % is inside the amount. The debt is taken in full and stays what it was, so that a meter which has one in a test
 * has it in the next test too.
 */
export function sell(meter: Meter, amountKobo: bigint): Sale {
  const arrearsKobo = meter.arrearsKobo < amountKobo ? meter.arrearsKobo : amountKobo;
  const gross = amountKobo - arrearsKobo;
  const energyKobo = (gross * 2_000n + 1_075n) / 2_150n;
  const unitsTenths = Number((energyKobo * 10n + RATE_KOBO - 1n) / RATE_KOBO);
  const vatKobo = gross - energyKobo;
  return {
    energyKobo,
    vatKobo,
    arrearsKobo,
    unitsTenths,
    units: kwh(unitsTenths),
    rateKobo: RATE_KOBO,
  };
}

/** Makes the tokens of an accepted vend by its scenario; they are reported from the stage that delivers them. */
export function issueTokens(world: VendorWorld, vend: Vend, { scenario }: Chosen, sale: Sale): void {
  const delivered = vend.stages.find((stage) => stage.state === "delivered");
  if (!delivered) return;
  for (const kind of scenario.tokens ?? (["credit"] as const)) {
    const units = kind === "credit" ? sale.unitsTenths : kind === "bonus" ? BONUS_TENTHS : 0;
    const at = kind === "kct2" && scenario.first === "half_first" ? delivered.at + AFTER_MS : delivered.at;
    world.field.issue(vend.recipient, kind, units, vend.id, at);
  }
}
