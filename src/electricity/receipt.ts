import { DISCOS, parseDisco } from "../kernel/discos.ts";
import { encodeId } from "../kernel/ids.ts";
import { kobo, koboForPeople, parseKobo } from "../kernel/kobo.ts";
import { type MoneyView, moneyOf } from "../kernel/money.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import type { PurchaseFacts } from "../kernel/purchase-payload.ts";
import type { Order } from "../orders/order.ts";
import { amountOf, phoneOf, storedPurchase } from "../purchases/purchase.ts";
import { breakdownView } from "../purchases/purchase.view.ts";
import { inGroups, masked, type TokenSeal } from "../purchases/tokens.ts";

/**
 * A successful purchase as it is written down for whoever paid. Energy, VAT and arrears are the disco's own figures; a line that
 * it does not tell is left out rather than reckoned.
 */
export function receiptOf(order: Order, { seal, mayVend }: { readonly seal: TokenSeal; readonly mayVend: boolean }) {
  const stored = storedPurchase(order);
  if (stored.product !== "electricity") throw new Error(`${order.id} is no purchase of electricity`);
  const facts = (order.facts ?? {}) as PurchaseFacts;
  const { breakdown, units_kwh: units, tariff, receipt_number: receiptNumber, delivered_amount: delivered } = facts;
  const disco = parseDisco(stored.disco);
  const amount = amountOf(order);
  return {
    object: "receipt" as const,
    receipt_number: encodeId("pur", order.id),
    mode: order.mode,
    issued_at: (order.endedAt ?? order.updatedAt).toISOString(),
    disco: { code: stored.disco, name: disco ? DISCOS[disco].name : stored.disco },
    meter_number: order.recipient,
    meter_type: stored.meter_type,
    customer: { ...stored.customer, phone: formatE164(storedMsisdn(phoneOf(order))) },
    tokens: seal.open(order).map(({ kind, value, units_kwh }) => ({
      kind,
      value: mayVend ? inGroups(value) : masked(value),
      ...(units_kwh !== undefined && { units_kwh }),
    })),
    ...(units !== undefined && { units_kwh: units }),
    ...(tariff !== undefined && { tariff }),
    ...(breakdown && { breakdown: breakdownView(breakdown) }),
    amount: moneyOf(amount),
    ...(delivered !== undefined && { delivered_amount: moneyOf(parseKobo(delivered)) }),
    fee: moneyOf(kobo(order.priceKobo - amount)),
    total: moneyOf(order.priceKobo),
    ...(receiptNumber !== undefined && { vendor_receipt_number: receiptNumber }),
    ...(order.reference !== null && { reference: order.reference }),
  };
}

export type Receipt = ReturnType<typeof receiptOf>;

/** One line of a receipt: what it is, and what stands there. */
export type ReceiptLine = readonly [label: string, value: string];

const forPeople = ({ amount }: MoneyView): string => koboForPeople(parseKobo(amount));

const TOKEN_NAMES = {
  kct1: "Key change token 1",
  kct2: "Key change token 2",
  credit: "Token",
  bonus: "Bonus token",
} as const;

/** Lagos keeps one time all the year. */
const LAGOS = new Intl.DateTimeFormat("en-NG", { timeZone: "Africa/Lagos", dateStyle: "long", timeStyle: "medium" });

/** What both the page and the PDF say, part by part. */
export function receiptParts(receipt: Receipt) {
  const { customer, breakdown } = receipt;
  const lines = (...all: readonly (ReceiptLine | undefined)[]): readonly ReceiptLine[] =>
    all.filter((line) => line !== undefined);
  const line = (label: string, value: string | null | undefined): ReceiptLine | undefined =>
    value === undefined || value === null || value === "" ? undefined : [label, value];
  const amount = (label: string, value: MoneyView | undefined) => line(label, value && forPeople(value));
  return {
    title: "Electricity receipt",
    isTest: receipt.mode === "test",
    issuer: receipt.disco.name,
    tokens: receipt.tokens.map(({ kind, value }): ReceiptLine => [TOKEN_NAMES[kind], value]),
    /** Several tokens are typed in one after the other. */
    tokensNote: receipt.tokens.length > 1 ? "Enter the tokens into the meter in this order." : undefined,
    customer: lines(
      line("Customer", customer.name),
      line("Address", customer.address),
      line("Phone", customer.phone),
      line("Meter", receipt.meter_number),
      line("Meter type", receipt.meter_type),
      line("Tariff", receipt.tariff),
      line("Units", receipt.units_kwh === undefined ? undefined : `${receipt.units_kwh} kWh`),
    ),
    money: lines(
      amount("Paid for electricity", receipt.amount),
      amount("of which delivered after charges", receipt.delivered_amount),
      amount("of which energy", breakdown?.energy),
      amount("of which VAT", breakdown?.vat),
      amount("of which arrears", breakdown?.arrears),
      amount("Service fee", receipt.fee),
      amount("Total", receipt.total),
    ),
    footer: lines(
      line("Date", `${LAGOS.format(new Date(receipt.issued_at))} (Lagos)`),
      line("Receipt number", receipt.receipt_number),
      line("Vendor's receipt", receipt.vendor_receipt_number),
      line("Reference", receipt.reference),
    ),
  };
}
