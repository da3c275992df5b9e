import { kobo, koboToNaira } from "../../kernel/kobo.ts";
import type { MeterQuery } from "../../ports/meter.ts";
import type { ElectricityPayload } from "../../ports/purchase-payload.ts";

/** The vendor writes phones with the trunk 0. */
const national = (msisdn: string): string => msisdn.replace(/^234/, "0");

/** Whole naira without places, as in the vendor's samples. */
const naira = (amountKobo: string): string => koboToNaira(kobo(amountKobo)).replace(/\.00$/, "");

/** The body of `POST /vend`. */
export const vendBody = (
  payload: ElectricityPayload,
  { reference, meter, disco }: { reference: string; meter: string; disco: string },
): Readonly<Record<string, string>> => ({
  orderId: reference,
  meter,
  disco,
  phone: national(payload.phone),
  paymentType: "B2B",
  vendType: "PREPAID",
  vertical: "ELECTRICITY",
  amount: naira(payload.amount_kobo),
  name: payload.customer.name,
});

/** The query of `GET /check/meter`. `orderId=false`: the vendor makes no order of a look-up. */
export const meterQuery = ({ meterNumber, meterType }: MeterQuery, disco: string): string =>
  new URLSearchParams({
    meter: meterNumber,
    disco,
    vendType: meterType.toUpperCase(),
    vertical: "ELECTRICITY",
    orderId: "false",
  }).toString();
