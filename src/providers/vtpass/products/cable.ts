import { kobo, koboForPeople } from "../../../kernel/kobo.ts";
import { readVendorNaira } from "../../../kernel/naira.ts";
import { type BouquetPayload, type CablePayload, TV_PROVIDERS, type TvProvider } from "../../../ports/cable-payload.ts";
import type { Fields, Member } from "../../../vendor-text/fields.ts";
import { transactionOf } from "../answer.ts";
import { type PlanServices, splitPlanCode } from "../plans.ts";
import { type ReadVouchers, readVouchers } from "./cable-vouchers.ts";
import { isSameCard } from "./smartcard.ts";
import { type Attempt, costIn, type Delivery, forPhone, nairaNumber, national, type Sold } from "./sold.ts";

/** The vendor's category of the TV providers. */
export const TV_CATEGORY = "tv-subscription";

/** The vendor's `serviceID`s of the TV providers are our codes. */
export const TV_SERVICES: PlanServices = TV_PROVIDERS.map((provider) => [provider, provider]);

/** Of each TV provider: whether a purchase says if it renews, and whether it yields a voucher. Source: the vendor's page of each; docs/providers/vtpass.md. */
const SERVICES: Readonly<Record<TvProvider, { readonly isTyped: boolean; readonly givesVoucher: boolean }>> = {
  dstv: { isTyped: true, givesVoucher: false },
  gotv: { isTyped: true, givesVoucher: false },
  startimes: { isTyped: false, givesVoucher: false },
  showmax: { isTyped: false, givesVoucher: true },
};

export function cable({ recipient, payload }: Attempt<CablePayload>): Sold {
  const { tv_provider: serviceId, kind } = payload;
  const { isTyped, givesVoucher } = SERVICES[serviceId];
  const vouchersIn = (body: Fields) => readVouchers(body, [recipient, payload.phone]);
  return {
    ...(givesVoucher ? forPhone(recipient) : forCard(recipient)),
    body: {
      serviceID: serviceId,
      billersCode: givesVoucher ? national(recipient) : recipient,
      ...(isTyped && { subscription_type: kind }),
      ...whatOf(payload),
      phone: national(payload.phone),
    },
    ...(kind === "renew" && { amountKobo: kobo(payload.amount_kobo) }),
    delivery: (_text, body) => deliveryOf(payload, givesVoucher ? vouchersIn(body) : undefined, body),
    ...(givesVoucher && { hasToken: (body: Fields) => vouchersIn(body).vouchers.length > 0 }),
  };
}

/**
 * An amount credits the decoder, whether it is enough for a bouquet or not, so it is sent of a renewal alone, which has no other price.
 * A bouquet goes at the vendor's list price.
 */
const whatOf = (payload: CablePayload): Fields =>
  payload.kind === "renew"
    ? { amount: nairaNumber(payload.amount_kobo) }
    : { variation_code: splitPlanCode(payload.plan.code).variation };

const forCard = (recipient: string): Pick<Sold, "isAnothers"> => ({
  isAnothers: ({ name, text }: Member) => name === "unique_element" && !isSameCard(text, recipient),
});

/** `read`: undefined where a purchase yields no voucher. */
function deliveryOf(payload: CablePayload, read: ReadVouchers | undefined, body: Fields): Delivery {
  const { vouchers, unread } = read ?? { vouchers: [], unread: [] };
  const otherPrice = payload.kind === "change" ? whyAnotherPrice(payload, body) : undefined;
  return {
    facts: {
      ...(vouchers.length > 0 && { tokens: vouchers.map((value) => ({ kind: "voucher", value })) }),
      ...costIn(body),
    },
    doubts: [
      ...(otherPrice === undefined ? [] : [otherPrice]),
      ...(unread.length > 0 ? ["what stands where its voucher should be is of a form that is not known"] : []),
    ],
    ...(vouchers.length > 1 && { unreadable: "it is said to be delivered, and has two different vouchers" }),
    // A Showmax purchase is its voucher.
    isIncomplete: read !== undefined && vouchers.length === 0,
  };
}

/** The list's price had changed, or it is another bouquet. */
function whyAnotherPrice({ plan }: BouquetPayload, body: Fields): string | undefined {
  const { unit_price: unitPrice, amount, variation_code: code } = transactionOf(body);
  const listed = kobo(plan.cost_kobo);
  const price = readVendorNaira(unitPrice) ?? readVendorNaira(amount);
  if (price !== undefined && price !== listed)
    return `the bouquet was delivered at ${koboForPeople(price)}, and its list had ${koboForPeople(listed)}`;
  const isAnother = typeof code === "string" && code !== "" && code !== splitPlanCode(plan.code).variation;
  return isAnother ? "another bouquet was delivered than was bought" : undefined;
}
