import type { KeyRecord } from "../accounts/key-record.ts";
import { type OrderCaller, orderCallerOf } from "../accounts/order-caller.ts";
import { type Kobo, kobo, taxContained, ZERO_KOBO } from "../kernel/kobo.ts";
import { readVendorNaira } from "../kernel/naira.ts";
import type { SoldPlan } from "../kernel/sold-plan.ts";
import type { Order } from "../orders/order.ts";
import type { CustomerChannel } from "../ports/customer-message.ts";
import type { PurchaseFacts, PurchasePayload } from "../ports/purchase.ts";

/** Who buys, and on which terms. */
export interface PurchaseCaller extends OrderCaller {
  /** All of the service's, to be named when the quota is used up. */
  readonly plans: readonly SoldPlan[];
}

/** The caller that a key speaks for. */
export const purchaseCaller = <Plan extends SoldPlan>(key: KeyRecord, plan: Plan, plans: readonly SoldPlan[]) =>
  ({ ...orderCallerOf(key, plan), plans }) satisfies PurchaseCaller;

/** How the customer hears of the outcome: a message order of its own, from the same wallet. */
export interface Notify {
  readonly channel: CustomerChannel;
}

/** What every purchase takes besides what is bought. */
export interface PurchaseOptions {
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly notify?: Notify;
  readonly validate_only?: boolean;
  readonly allow_duplicate?: boolean;
}

/** What is bought, for whom, and for how much: checked and priced by its service. */
export interface Quote {
  readonly service: string;
  /** MSISDN, or the number of a meter or smartcard. */
  readonly recipient: string;
  readonly payload: PurchasePayload;
  /** What the customer receives for. */
  readonly amountKobo: Kobo;
  /** What the wallet pays. */
  readonly priceKobo: Kobo;
  /** What of the price bears no VAT: a debt that is paid with it. */
  readonly untaxedKobo?: Kobo;
  /** The vendor's breakdown decides how much of the price bears VAT in the end, so the VAT's rate is stored too. */
  readonly taxedByBreakdown?: true;
  /** What a likely repeat has in common with the first. */
  readonly twinKey: string;
}

/** What is stored of a purchase besides what its adapter needs. */
export type StoredPurchase = PurchasePayload & {
  readonly paid_for_kobo: string;
  readonly notify?: Notify;
  /** At which rate the price contains VAT, where the vendor's breakdown decides how much of it does. */
  readonly vat_basis_points?: number;
};

export const storedPurchase = (order: Pick<Order, "payload">): StoredPurchase => order.payload as StoredPurchase;

/** What was bought: the object's name, and that of its events. */
export const productOf = (order: Pick<Order, "payload">): string => storedPurchase(order).product;

/** The customer's, MSISDN without `+`: what the purchase is for, or stored with it. */
export const phoneOf = (order: Pick<Order, "payload" | "recipient">): string =>
  storedPurchase(order).phone ?? order.recipient;

export const amountOf = (order: Pick<Order, "payload">): Kobo => kobo(storedPurchase(order).paid_for_kobo);

/** The VAT that the price contains. */
export const taxOf = ({ priceKobo, untaxedKobo = ZERO_KOBO }: Quote, vatBasisPoints: number): Kobo =>
  taxContained(kobo(priceKobo - untaxedKobo), vatBasisPoints);

/**
 * The VAT in the price by what the vendor did with the amount: it may have taken other arrears than its verification told of, and
 * what pays arrears bears none. As it was quoted where the breakdown does not say.
 */
export function taxByBreakdown(order: Order, breakdown: PurchaseFacts["breakdown"]): Kobo {
  const { vat_basis_points: rate } = storedPurchase(order);
  const untaxedKobo = rate === undefined ? undefined : arrearsIn(breakdown, amountOf(order), rate);
  return rate === undefined || untaxedKobo === undefined
    ? order.taxKobo
    : taxContained(kobo(order.priceKobo - untaxedKobo), rate);
}

/** Some vendors leave arrears out when they took none: then all of the amount bears its VAT. */
function arrearsIn(breakdown: PurchaseFacts["breakdown"], amountKobo: Kobo, rate: number): Kobo | undefined {
  const arrears = readVendorNaira(breakdown?.arrears);
  if (arrears !== undefined) return arrears <= amountKobo ? arrears : undefined;
  const vat = readVendorNaira(breakdown?.vat);
  const apart = vat === undefined ? undefined : vat - taxContained(amountKobo, rate);
  return apart !== undefined && apart >= -1n && apart <= 1n ? ZERO_KOBO : undefined;
}
