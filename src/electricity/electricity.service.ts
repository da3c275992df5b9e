import type { Clock } from "../kernel/clock.ts";
import type { Disco } from "../kernel/discos.ts";
import { decodeId } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import { type Fault, type FaultCode, type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { Orders } from "../orders/orders.ts";
import type { ElectricityPayload } from "../ports/electricity-payload.ts";
import { isSameCustomer } from "../purchases/customer-name.ts";
import type { PurchaseCaller, Quote } from "../purchases/purchase.ts";
import type { ElectricityPlan } from "./electricity.settings.ts";
import {
  boundsRefusal,
  electricityPrice,
  expiresAt,
  type MeterType,
  parseMeterNumber,
  readDisco,
  type Verification,
  wholeNairaFault,
} from "./electricity.ts";
import type { AskedMeter, Meters } from "./meters.service.ts";

export interface ElectricityCaller extends PurchaseCaller {
  readonly plan: ElectricityPlan;
}

/** Prepaid electricity: whose meter it is, and what a purchase for it costs. Moves nothing. */
export interface Electricity {
  verify(caller: Pick<ElectricityCaller, "accountId" | "mode">, meter: VerifyRequest): Promise<Result<Verification>>;
  /** Checks everything about a purchase. The meter is verified anew unless a fresh verification is named. */
  quote(caller: ElectricityCaller, request: PurchaseRequest): Promise<Result<MeterQuote>>;
}

export interface VerifyRequest {
  readonly meter_number: string;
  readonly disco: string;
  readonly meter_type?: MeterType;
}

export interface PurchaseRequest {
  readonly meter_number: string;
  readonly disco: string;
  readonly amountKobo: Kobo;
  readonly to: string;
  readonly verification_id?: string;
}

export interface MeterQuote extends Quote {
  readonly meter: Verification;
}

export interface ElectricityOptions {
  readonly meters: Meters;
  readonly clock: Clock;
  readonly refusalOf: Orders["refusalOf"];
  /** How a verification is shown: a changed one stands in its refusal. */
  readonly view: (meter: Verification) => unknown;
}

export function makeElectricity({ meters, clock, refusalOf, view }: ElectricityOptions): Electricity {
  /** The meter by what the caller was told before, as long as that holds; else by what a vendor says now. */
  const meterFor = async (
    caller: ElectricityCaller,
    asked: AskedMeter,
    verificationId: string | undefined,
  ): Promise<Result<Verification>> => {
    if (verificationId === undefined) return meters.verify(caller, asked);
    const id = decodeId("ver", verificationId);
    const before = id && (await meters.find(caller, id));
    if (!before) return refuse(NO_VERIFICATION);
    if (before.meterNumber !== asked.meterNumber || before.disco !== asked.disco) return refuse(OF_ANOTHER_METER);
    if (clock.now() < expiresAt(before)) return ok(before);
    const now = await meters.verify(caller, asked);
    if (!now.ok || isSameCustomer(before.customer.name, now.value.customer.name)) return now;
    return refuse(changed(view(now.value)));
  };

  return {
    async verify(caller, { meter_number, disco, meter_type }) {
      const meter = readMeter(meter_number, disco);
      return meter.ok
        ? meters.verify(caller, { ...meter.value, meterType: meter_type })
        : refuse(refusalOf(meter.error));
    },

    async quote(caller, { meter_number, disco, amountKobo, to, verification_id }) {
      const asked = readMeter(meter_number, disco);
      const phone = parseMsisdn(to, caller.mode);
      const withKobo = wholeNairaFault(amountKobo);
      const faults: Fault[] = [
        ...(asked.ok ? [] : asked.error),
        ...(withKobo ? [withKobo] : []),
        ...(phone.ok ? [] : [{ pointer: "/to", code: phone.error.code, detail: phone.error.detail }]),
      ];
      if (!asked.ok || !phone.ok || faults.length > 0) return refuse(refusalOf(faults));
      const found = await meterFor(caller, asked.value, verification_id);
      if (!found.ok) return found;
      const meter = found.value;
      if (meter.meterType === "postpaid") return refuse(POSTPAID);
      const outOfBounds = boundsRefusal(meter, amountKobo);
      if (outOfBounds) return refuse(outOfBounds);
      const payload: ElectricityPayload = {
        product: "electricity",
        disco: meter.disco,
        meter_type: "prepaid",
        amount_kobo: String(amountKobo),
        phone: phone.value,
        customer: meter.customer,
      };
      return ok({
        service: "electricity",
        recipient: meter.meterNumber,
        payload,
        amountKobo,
        priceKobo: electricityPrice(caller.plan, amountKobo),
        ...(meter.arrearsKobo !== null && { untaxedKobo: lesser(meter.arrearsKobo, amountKobo) }),
        taxedByBreakdown: true,
        twinKey: `electricity ${meter.meterNumber} ${amountKobo}`,
        meter,
      });
    },
  };
}

function lesser(one: Kobo, other: Kobo): Kobo {
  if (one < other) return one;
  return other;
}

function readMeter(
  number: string,
  name: string,
): Result<{ readonly disco: Disco; readonly meterNumber: string }, readonly Fault[]> {
  const meterNumber = parseMeterNumber(number);
  const disco = readDisco(name);
  if (meterNumber.ok && disco.ok) return ok({ disco: disco.value, meterNumber: meterNumber.value });
  return refuse([...(meterNumber.ok ? [] : [meterNumber.error]), ...(disco.ok ? [] : [disco.error])]);
}

const atVerification = (code: FaultCode, detail: string): { readonly errors: readonly Fault[] } => ({
  errors: [{ pointer: "/verification_id", code, detail }],
});

const UNKNOWN =
  "There is no such verification in this account and mode, or it is more than a day old. Verify the meter again.";
const NO_VERIFICATION = refusal("not_found", UNKNOWN, atVerification("not_found", UNKNOWN));

const OTHER_METER = "This verification is of another meter or disco than the purchase.";
const OF_ANOTHER_METER = refusal("validation_failed", OTHER_METER, atVerification("other_meter", OTHER_METER));

const POSTPAID_DETAIL = "This meter is postpaid: it takes no tokens, and its bills can't be paid here.";
const POSTPAID = refusal("meter_is_postpaid", POSTPAID_DETAIL, {
  errors: [{ pointer: "/meter_number", code: "meter_is_postpaid", detail: POSTPAID_DETAIL }],
});

const changed = (verification: unknown): Refusal =>
  refusal(
    "meter_changed",
    "The meter has another customer than when it was verified. Show the new name to whoever pays, and buy with the new `verification_id`.",
    { members: { verification } },
  );
