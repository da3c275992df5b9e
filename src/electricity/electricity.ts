import { DISCOS, type Disco, parseDisco } from "../kernel/discos.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo, koboForPeople, parseKobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { boundsView } from "../kernel/money.ts";
import { type Fault, type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { ElectricityPlan } from "./electricity.settings.ts";

/** Meters, bounds and prices of electricity. Pure. */

export type MeterType = "prepaid" | "postpaid";

/** A meter as a vendor described it. */
export interface Verification {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly disco: Disco;
  readonly meterNumber: string;
  readonly meterType: MeterType;
  readonly customer: { readonly name: string; readonly address: string | null };
  readonly tariff: string | null;
  readonly arrearsKobo: Kobo | null;
  readonly minimumKobo: Kobo;
  readonly maximumKobo: Kobo;
  readonly provider: string;
  readonly verifiedAt: Date;
}

const FRESH_MS = 15 * 60_000;

/** Until then a purchase takes the vendor's word without asking again. */
export const expiresAt = ({ verifiedAt }: Pick<Verification, "verifiedAt">): Date =>
  new Date(verifiedAt.getTime() + FRESH_MS);

/** Prepaid meters have 11 or 13 digits; account numbers of postpaid ones differ from disco to disco. */
const METER_NUMBER = /^\d{6,20}$/;

/** The digits, without the spaces and dashes that people read them in. */
export function parseMeterNumber(text: string): Result<string, Fault> {
  const digits = text.replaceAll(/[\s-]/g, "");
  return METER_NUMBER.test(digits)
    ? ok(digits)
    : refuse({
        pointer: "/meter_number",
        code: "wrong_format",
        detail: "A meter number has 6 to 20 digits, as they stand on the meter or the bill.",
      });
}

export function readDisco(text: string): Result<Disco, Fault> {
  const disco = parseDisco(text);
  return disco
    ? ok(disco)
    : refuse({
        pointer: "/disco",
        code: "unknown_disco",
        detail: `There is no such disco. There are ${Object.keys(DISCOS).join(", ")}.`,
      });
}

/** What the disco takes where a meter says nothing. */
export const boundsOf = (disco: Disco): Bounds => ({
  minimumKobo: nairaToKobo(DISCOS[disco].minimum),
  maximumKobo: nairaToKobo(DISCOS[disco].maximum),
});

/** What a meter takes at a time; with `minimumKobo` above `maximumKobo` nothing. */
export interface Bounds {
  readonly minimumKobo: Kobo;
  readonly maximumKobo: Kobo;
}

/**
 * The bounds that a vendor told of a meter, and the disco's own where it said nothing. A minimum is never lowered, or an amount would
 * seem enough that the vendor then refuses: what is owed may have pushed it above the maximum. A maximum below what the disco takes
 * of any meter, and below the meter's minimum, is a slip.
 */
export function boundsOfMeter(disco: Disco, told: { readonly [Bound in keyof Bounds]?: Kobo | undefined }): Bounds {
  const usual = boundsOf(disco);
  const { minimumKobo = usual.minimumKobo, maximumKobo = usual.maximumKobo } = told;
  const isSlip = maximumKobo < minimumKobo && maximumKobo < usual.minimumKobo;
  return { minimumKobo, maximumKobo: isSlip ? usual.maximumKobo : maximumKobo };
}

const NAIRA_KOBO = 100;
const nairaToKobo = (naira: number): Kobo => kobo(naira * NAIRA_KOBO);

/** Vendors take whole naira, though not all say so. */
export const wholeNairaFault = (amountKobo: Kobo): Fault | undefined =>
  amountKobo % BigInt(NAIRA_KOBO) === 0n
    ? undefined
    : {
        pointer: "/amount",
        code: "amount_out_of_bounds",
        detail: "Electricity is sold in whole naira: send the amount without kobo.",
      };

/** Why the amount can't be bought for this meter; undefined when it can. What is owed may have raised the minimum. */
export function boundsRefusal(meter: Verification, amountKobo: Kobo): Refusal | undefined {
  const { minimumKobo, maximumKobo } = meter;
  if (amountKobo >= minimumKobo && amountKobo <= maximumKobo) return undefined;
  const detail = boundsInWords(meter);
  return refusal("amount_out_of_bounds", detail, {
    errors: [{ pointer: "/amount", code: "amount_out_of_bounds", detail }],
    members: boundsView(meter),
  });
}

function boundsInWords({ minimumKobo, maximumKobo, arrearsKobo }: Verification): string {
  const [least, most] = [koboForPeople(minimumKobo), koboForPeople(maximumKobo)];
  const owed = arrearsKobo === null ? "" : ` It owes ${koboForPeople(arrearsKobo)}, which is taken first.`;
  if (minimumKobo <= maximumKobo) return `This meter takes ${least} to ${most} at a time.${owed}`;
  const wayOut = arrearsKobo === null ? "Ask the disco why." : "The debt has to be paid to the disco first.";
  return `Nothing can be bought for this meter now: the disco takes no less than ${least}, and no more than ${most} goes at a time.${owed} ${wayOut}`;
}

/** The amount and the plan's fee for the purchase. */
export const electricityPrice = ({ prices }: ElectricityPlan, amountKobo: Kobo): Kobo =>
  kobo(amountKobo + parseKobo(prices.fee));
