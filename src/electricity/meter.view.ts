import { encodeId } from "../kernel/ids.ts";
import { boundsView, moneyOf } from "../kernel/money.ts";
import { expiresAt, type Verification } from "./electricity.ts";

export const arrearsView = ({ arrearsKobo }: Pick<Verification, "arrearsKobo">) =>
  arrearsKobo === null ? {} : { arrears: moneyOf(arrearsKobo) };

/** A verified meter as subscribers see it. */
export const meterView = (meter: Verification) => ({
  object: "verification" as const,
  verification_id: encodeId("ver", meter.id),
  meter_number: meter.meterNumber,
  disco: meter.disco,
  meter_type: meter.meterType,
  customer: { ...meter.customer },
  ...(meter.tariff !== null && { tariff: meter.tariff }),
  ...arrearsView(meter),
  ...boundsView(meter),
  expires_at: expiresAt(meter).toISOString(),
});
