import { DISCOS, parseDisco } from "../kernel/discos.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import type { Order } from "../orders/order.ts";
import type { PurchaseFacts } from "../ports/purchase-payload.ts";
import { breakdownView } from "../purchases/purchase.view.ts";
import type { ReceiptView, ServiceReceipts } from "../purchases/receipt.replies.ts";
import { amountLine, line, type ReceiptLine } from "../purchases/receipt.ts";
import { inGroups, masked } from "../purchases/tokens.ts";
import { ELECTRICITY_LINE } from "./product-line.ts";
import { storedElectricity } from "./stored.ts";

type Own = ReturnType<typeof own>;

/** Energy, VAT and arrears are the disco's own figures; a line that it does not tell is left out rather than reckoned. */
function own(order: Order, { seal, mayVend }: ReceiptView) {
  const stored = storedElectricity(order);
  const { breakdown, units_kwh: units, tariff } = (order.facts ?? {}) as PurchaseFacts;
  const disco = parseDisco(stored.disco);
  return {
    disco: { code: stored.disco, name: disco ? DISCOS[disco].name : stored.disco },
    meter_number: order.recipient,
    meter_type: stored.meter_type,
    customer: { ...stored.customer, phone: formatE164(storedMsisdn(stored.phone)) },
    tokens: seal.open(order).map(({ kind, value, units_kwh }) => ({
      kind,
      value: mayVend ? inGroups(value) : masked(value),
      ...(units_kwh !== undefined && { units_kwh }),
    })),
    ...(units !== undefined && { units_kwh: units }),
    ...(tariff !== undefined && { tariff }),
    ...(breakdown && { breakdown: breakdownView(breakdown) }),
  };
}

const TOKEN_NAMES = {
  kct1: "Key change token 1",
  kct2: "Key change token 2",
  credit: "Token",
  bonus: "Bonus token",
} as const;

/** What receipts of electricity say. */
export const ELECTRICITY_RECEIPTS: ServiceReceipts<Own> = {
  line: ELECTRICITY_LINE,
  own,
  lines: ({ disco, customer, tokens, breakdown, ...receipt }) => ({
    title: "Electricity receipt",
    subtitle: disco.name,
    tokens: tokens.map(({ kind, value }): ReceiptLine => [TOKEN_NAMES[kind], value]),
    /** Several tokens are typed in one after the other. */
    tokensNote: tokens.length > 1 ? "Enter the tokens into the meter in this order." : undefined,
    subject: [
      ...line("Customer", customer.name),
      ...line("Address", customer.address),
      ...line("Phone", customer.phone),
      ...line("Meter", receipt.meter_number),
      ...line("Meter type", receipt.meter_type),
      ...line("Tariff", receipt.tariff),
      ...line("Units", receipt.units_kwh && `${receipt.units_kwh} kWh`),
    ],
    what: "electricity",
    ofWhich: [
      ...amountLine("of which energy", breakdown?.energy),
      ...amountLine("of which VAT", breakdown?.vat),
      ...amountLine("of which arrears", breakdown?.arrears),
    ],
    unreal: "no real meter takes these tokens",
  }),
};
