import { DISCOS, parseDisco } from "../kernel/discos.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import type { Order } from "../orders/order.ts";
import type { ElectricityFacts, ElectricityToken } from "../ports/electricity-payload.ts";
import type { ReceiptView, ServiceReceipts } from "../purchases/receipt.replies.ts";
import { amountLine, line, type ReceiptLine } from "../purchases/receipt.ts";
import { tokensView } from "../purchases/tokens.ts";
import { deliveredView } from "./delivered.view.ts";
import { ELECTRICITY_LINE } from "./product-line.ts";
import { storedElectricity } from "./stored.ts";
import { ELECTRICITY_TOKENS } from "./token-form.ts";

type Own = ReturnType<typeof own>;

/** Energy, VAT and arrears are the disco's own figures; a line that it does not tell is left out rather than reckoned. */
function own(order: Order, { seal, mayVend }: ReceiptView) {
  const stored = storedElectricity(order);
  const facts = (order.facts ?? {}) as ElectricityFacts;
  const { units_kwh, breakdown } = deliveredView(facts);
  const disco = parseDisco(stored.disco);
  return {
    disco: { code: stored.disco, name: disco ? DISCOS[disco].name : stored.disco },
    meter_number: order.recipient,
    meter_type: stored.meter_type,
    customer: { ...stored.customer, phone: formatE164(storedMsisdn(stored.phone)) },
    tokens: tokensView(seal.open(order), ELECTRICITY_TOKENS, mayVend),
    ...(units_kwh !== undefined && { units_kwh }),
    ...(facts.tariff !== undefined && { tariff: facts.tariff }),
    ...(breakdown && { breakdown }),
  };
}

const TOKEN_NAMES: Readonly<Record<ElectricityToken["kind"], string>> = {
  kct1: "Key change token 1",
  kct2: "Key change token 2",
  credit: "Token",
  bonus: "Bonus token",
};

/** What receipts of electricity say. */
export const ELECTRICITY_RECEIPTS: ServiceReceipts<Own> = {
  line: ELECTRICITY_LINE,
  own,
  lines: ({ disco, customer, tokens, breakdown, ...receipt }) => ({
    title: "Electricity receipt",
    subtitle: disco.name,
    tokens: tokens.map(({ kind, value }): ReceiptLine => [TOKEN_NAMES[kind as ElectricityToken["kind"]], value]),
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
