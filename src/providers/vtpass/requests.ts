import type { PurchasePayload } from "../../ports/purchase-payload.ts";
import { AIRTIME_SERVICES, splitPlanCode } from "./services.ts";

export interface PayTask {
  readonly reference: string;
  readonly recipient: string;
  readonly payload: PurchasePayload;
}

/** The vendor writes phones with the trunk 0. */
const national = (msisdn: string): string => msisdn.replace(/^234/, "0");

/** Whole naira as such, others with two places: both are exact as JSON numbers up to the largest amount that is sold. */
const nairaNumber = (kobo: string): number => Number(kobo) / 100;

/** The body of `pay`. */
export function payBody({ reference, recipient, payload }: PayTask): Readonly<Record<string, unknown>> {
  switch (payload.product) {
    case "airtime":
      return {
        request_id: reference,
        serviceID: AIRTIME_SERVICES[payload.network],
        amount: nairaNumber(payload.amount_kobo),
        phone: national(recipient),
      };
    case "data": {
      const { serviceId, variation } = splitPlanCode(payload.plan.code);
      const phone = national(recipient);
      return { request_id: reference, serviceID: serviceId, billersCode: phone, variation_code: variation, phone };
    }
    case "electricity":
      return {
        request_id: reference,
        serviceID: payload.disco,
        billersCode: recipient,
        variation_code: payload.meter_type,
        amount: nairaNumber(payload.amount_kobo),
        phone: national(payload.phone),
      };
  }
}
