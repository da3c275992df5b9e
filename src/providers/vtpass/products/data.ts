import { kobo, koboForPeople } from "../../../kernel/kobo.ts";
import { readVendorNaira } from "../../../kernel/naira.ts";
import type { DataPayload } from "../../../ports/purchase-payload.ts";
import type { Fields } from "../../../vendor-text/fields.ts";
import { quoted } from "../../../vendor-text/words.ts";
import { transactionOf } from "../answer.ts";
import { type PlanServices, splitPlanCode } from "../plans.ts";
import { type Attempt, costIn, forPhone, national, type Sold } from "./sold.ts";

/** The vendor's `serviceID`s with plans of data. Source: the vendor's GET services. */
export const DATA_SERVICES = [
  ["mtn-data", "mtn"],
  ["airtel-data", "airtel"],
  ["glo-data", "glo"],
  ["glo-sme-data", "glo"],
  ["etisalat-data", "9mobile"],
  ["9mobile-sme-data", "9mobile"],
] as const satisfies PlanServices;

export function data({ recipient, payload }: Attempt<DataPayload>): Sold {
  const { serviceId, variation } = splitPlanCode(payload.plan.code);
  const phone = national(recipient);
  return {
    ...forPhone(recipient),
    body: { serviceID: serviceId, billersCode: phone, variation_code: variation, phone },
    delivery(_text, body) {
      const doubt = whyAnotherPlan(payload, body);
      // The vendor delivered what was bought, so the number is on the network that it was bought for.
      const facts = { network: payload.network, ...costIn(body) };
      return { facts, ...(doubt !== undefined && { doubts: [doubt] }) };
    },
  };
}

/** What a bundle costs is the vendor's word, but one that is cheaper than its list may be another. */
function whyAnotherPlan({ plan }: DataPayload, body: Fields): string | undefined {
  const { unit_price: unitPrice, amount, variation_code: code } = transactionOf(body);
  const listed = kobo(plan.cost_kobo);
  const price = readVendorNaira(unitPrice) ?? readVendorNaira(amount);
  if (price !== undefined && price < listed)
    return `the plan was delivered at ${koboForPeople(price)}, and its list has ${koboForPeople(listed)}: is it another?`;
  const { variation } = splitPlanCode(plan.code);
  return typeof code === "string" && code !== "" && code !== variation
    ? `the plan that was delivered is called ${quoted(code)}, and ${quoted(variation)} was bought`
    : undefined;
}
