import { encodeId } from "../kernel/ids.ts";
import { type Kobo, kobo, koboForPeople, parseKobo, taxContained, ZERO_KOBO } from "../kernel/kobo.ts";
import { type MoneyView, moneyOf, type PriceView, pricedAt } from "../kernel/money.ts";
import { readVendorNaira } from "../kernel/naira.ts";
import type { Order } from "../orders/order.ts";
import type { PurchaseFacts } from "../ports/purchase.ts";
import { amountOf, productOf, storedPurchase, taxByBreakdown } from "./purchase.ts";
import { type Seller, sellerView } from "./seller.ts";

/**
 * A successful purchase as it is written down for whoever paid. What every service's receipt says is here; a service adds what was
 * bought (`own`), and its lines.
 */
export function receiptOf<Own extends object>(order: Order, own: Own, seller: Seller | undefined) {
  const facts = (order.facts ?? {}) as PurchaseFacts;
  const { receipt_number: vendorNumber, delivered_amount: delivered } = facts;
  const { amountKobo, discountKobo, feeKobo, feeTaxKobo, totalKobo, taxKobo } = sumsOf(order);
  return {
    object: "receipt" as const,
    product: productOf(order),
    receipt_number: encodeId("pur", order.id),
    mode: order.mode,
    issued_at: (order.endedAt ?? order.updatedAt).toISOString(),
    ...(seller && { seller: sellerView(seller) }),
    ...own,
    amount: moneyOf(amountKobo),
    ...(delivered !== undefined && { delivered_amount: moneyOf(parseKobo(delivered)) }),
    discount: moneyOf(discountKobo),
    fee: pricedAt(feeKobo, feeTaxKobo),
    total: pricedAt(totalKobo, taxKobo),
    ...(vendorNumber !== undefined && { vendor_receipt_number: vendorNumber }),
    ...(order.reference !== null && { reference: order.reference }),
  };
}

export type Receipt = ReturnType<typeof receiptOf>;

/** Amount less discount and with the fee is the total, whose VAT is that of the purchase's `price`. */
function sumsOf(order: Order) {
  const amountKobo = amountOf(order);
  const totalKobo = order.priceKobo;
  const facts = (order.facts ?? {}) as PurchaseFacts;
  const taxKobo = taxByBreakdown(order, facts.breakdown);
  const feeKobo = totalKobo > amountKobo ? kobo(totalKobo - amountKobo) : ZERO_KOBO;
  return {
    amountKobo,
    discountKobo: amountKobo > totalKobo ? kobo(amountKobo - totalKobo) : ZERO_KOBO,
    feeKobo,
    feeTaxKobo: feeTax(order, { feeKobo, taxKobo, vendorVat: readVendorNaira(facts.breakdown?.vat) }),
    totalKobo,
    taxKobo,
  };
}

/** Each figure is rounded by itself: the vendor's, the fee's and that of the price. */
const ROUNDING_KOBO = 2n;

/**
 * The VAT in the fee. Where the vendor's VAT on the amount is known it is what that leaves of the price's, so that both add up to the
 * kobo; where that can't be a matter of rounding, the vendor reckons otherwise and the fee's own share counts.
 */
function feeTax(
  order: Order,
  {
    feeKobo,
    taxKobo,
    vendorVat,
  }: { readonly feeKobo: Kobo; readonly taxKobo: Kobo; readonly vendorVat: bigint | undefined },
): Kobo {
  if (feeKobo === 0n) return ZERO_KOBO;
  const { vat_basis_points: rate } = storedPurchase(order);
  const share = rate === undefined ? (taxKobo * feeKobo) / order.priceKobo : taxContained(feeKobo, rate);
  const own = share < taxKobo ? share : taxKobo;
  const left = vendorVat === undefined ? undefined : taxKobo - vendorVat;
  const isLeft =
    left !== undefined && left >= 0n && left <= feeKobo && left - own <= ROUNDING_KOBO && own - left <= ROUNDING_KOBO;
  return kobo(isLeft ? left : own);
}

/** One line of a receipt: what it is, and what stands there. */
export type ReceiptLine = readonly [label: string, value: string];

/** What both the page and the PDF say, part by part. Plain data, as it goes to the thread that writes PDFs. */
export interface ReceiptDocument {
  readonly title: string;
  /** Whose product it is: the disco, the network. */
  readonly subtitle: string;
  readonly number: string;
  /** RFC 3339. */
  readonly issuedAt: string;
  readonly seller: Seller | undefined;
  /** Undefined in live mode. */
  readonly testNote: string | undefined;
  readonly tokens: readonly ReceiptLine[];
  readonly tokensNote?: string | undefined;
  readonly subject: readonly ReceiptLine[];
  /** The last one is the total. */
  readonly money: readonly ReceiptLine[];
  /** The last one is the VAT in the total, and the sum of those before it. */
  readonly tax: readonly ReceiptLine[];
  readonly footer: readonly ReceiptLine[];
}

/** What a service writes on its receipts. */
export interface ServiceLines {
  readonly title: string;
  readonly subtitle: string;
  readonly tokens?: readonly ReceiptLine[];
  readonly tokensNote?: string | undefined;
  readonly subject: readonly ReceiptLine[];
  /** What the amount is for, as it stands after "Paid for" and "VAT on": "electricity", "the TV subscription". */
  readonly what: string;
  /** Parts of the amount. */
  readonly ofWhich?: readonly ReceiptLine[];
  /** Test mode: what nobody really got. */
  readonly unreal: string;
}

/** A line, or none where there is nothing to say. */
export const line = (label: string, value: string | null | undefined): readonly ReceiptLine[] =>
  value === undefined || value === null || value === "" ? [] : [[label, value]];

/** A line of money, or none. */
export const amountLine = (label: string, value: MoneyView | undefined): readonly ReceiptLine[] =>
  value ? [[label, koboForPeople(parseKobo(value.amount))]] : [];

/** Lagos keeps one time all the year. */
const LAGOS = new Intl.DateTimeFormat("en-NG", { timeZone: "Africa/Lagos", dateStyle: "long", timeStyle: "medium" });

/** The receipt as it is read by people. */
export function receiptDocument(receipt: Receipt, own: ServiceLines, seller: Seller | undefined): ReceiptDocument {
  const { amount, discount, fee, total } = receipt;
  return {
    title: own.title,
    subtitle: own.subtitle,
    number: receipt.receipt_number,
    issuedAt: receipt.issued_at,
    seller,
    testNote: receipt.mode === "test" ? `Test mode: nothing was paid, and ${own.unreal}.` : undefined,
    tokens: own.tokens ?? [],
    tokensNote: own.tokensNote,
    subject: own.subject,
    money: [
      ...amountLine(`Paid for ${own.what}`, amount),
      ...amountLine("of which delivered after charges", receipt.delivered_amount),
      ...(own.ofWhich ?? []),
      ...(isZero(discount) ? [] : [["Discount", `−${koboForPeople(parseKobo(discount.amount))}`] as const]),
      ...(isZero(fee) ? [] : amountLine("Service fee", fee)),
      ...amountLine("Total", total),
    ],
    tax: taxLines(own.what, fee, total),
    footer: [
      ...line("Date", `${LAGOS.format(new Date(receipt.issued_at))} (Lagos)`),
      ...line("Receipt number", receipt.receipt_number),
      ...line("Vendor's receipt", receipt.vendor_receipt_number),
      ...line("Reference", receipt.reference),
    ],
  };
}

const isZero = ({ amount }: MoneyView): boolean => parseKobo(amount) === 0n;

function taxLines(what: string, fee: PriceView, total: PriceView): readonly ReceiptLine[] {
  const vat = (label: string, tax: Kobo): ReceiptLine => [label, koboForPeople(tax)];
  const [feeTaxKobo, taxKobo] = [parseKobo(fee.tax), parseKobo(total.tax)];
  return [
    ...(isZero(fee)
      ? []
      : [vat(`VAT on ${what}`, kobo(taxKobo - feeTaxKobo)), vat("VAT on the service fee", feeTaxKobo)]),
    vat("VAT in the total", taxKobo),
  ];
}
