import { encodeId } from "../kernel/ids.ts";
import { type Kobo, koboToNaira } from "../kernel/kobo.ts";
import { expiresAt, type Verification } from "./electricity.ts";

const money = (value: Kobo) => ({ amount: koboToNaira(value), currency: "NGN" as const });

export const arrearsView = ({ arrearsKobo }: Pick<Verification, "arrearsKobo">) =>
  arrearsKobo === null ? {} : { arrears: money(arrearsKobo) };

/** A verified meter as subscribers see it. */
export const meterView = (meter: Verification) => ({
  verification_id: encodeId("ver", meter.id),
  meter_number: meter.meterNumber,
  disco: meter.disco,
  meter_type: meter.meterType,
  customer: { ...meter.customer },
  ...(meter.tariff !== null && { tariff: meter.tariff }),
  ...arrearsView(meter),
  minimum_amount: money(meter.minimumKobo),
  maximum_amount: money(meter.maximumKobo),
  expires_at: expiresAt(meter).toISOString(),
});
