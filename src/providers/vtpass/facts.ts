import { type Kobo, kobo, koboToNaira, ZERO_KOBO } from "../../kernel/kobo.ts";
import type { PurchaseFacts, PurchasePayload } from "../../kernel/purchase-payload.ts";
import { readUnits } from "../../kernel/sts.ts";
import { type Fields, fieldsOf, textOf } from "../../kernel/vendor-fields.ts";
import { readVendorNaira } from "../../kernel/vendor-naira.ts";
import { readTokens } from "./tokens.ts";

const VAT_KEYS = ["taxAmount", "mainTokenTax", "Tax", "vat"];
const ARREARS_KEYS = ["debtAmount", "DebtAmount", "appliedToArrears", "arrears", "debtDescription"];
const ENERGY_KEYS = ["energyAmt"];
/** What a disco takes besides VAT and debt. */
const CHARGE_KEYS = [
  "fixChargeAmount",
  "FixedAmount",
  "penalty",
  "meterCost",
  "currentCharge",
  "lossOfRevenue",
  "revenueLoss",
  "installationFee",
  "reconnectionFee",
  "meterServiceCharge",
  "administrativeCharge",
  "appliedToWallet",
];
const RECEIPT_KEYS = ["Receipt", "invoiceNumber", "exchangeReference"];
const TARIFF_KEYS = ["tariff", "Tariff", "tariffIndex"];

/** What the answer to a delivered purchase teaches. */
export function factsOf(payload: PurchasePayload, body: Fields): PurchaseFacts {
  const transaction = transactionOf(body);
  const cost = readVendorNaira(transaction.total_amount);
  const paid = cost === undefined ? {} : { cost: koboToNaira(cost) };
  // The vendor delivered what was bought, so the number is on the network that it was bought for.
  if (payload.product !== "electricity") return { network: payload.network, ...paid };
  const tokens = readTokens(body, transaction.extras);
  const units = readUnits(textOf(body, ["units", "Units", "mainTokenUnits"]));
  const receipt = textOf(body, RECEIPT_KEYS);
  const tariff = textOf(body, TARIFF_KEYS);
  const breakdown = breakdownOf(body, kobo(payload.amount_kobo));
  return {
    ...(tokens.length > 0 ? { tokens } : {}),
    ...(breakdown ? { breakdown } : {}),
    ...(units === undefined ? {} : { units_kwh: units }),
    ...(receipt === undefined ? {} : { receipt_number: receipt }),
    ...(tariff === undefined ? {} : { tariff }),
    ...paid,
  };
}

export const transactionOf = (body: Fields): Fields => fieldsOf(fieldsOf(body.content).transactions);

/**
 * Where the customer's money went. The energy's share is the vendor's own figure, or what the amount leaves of VAT, debt and
 * charges; without the VAT it can't be told, and is left out.
 */
function breakdownOf(body: Fields, amount: Kobo): PurchaseFacts["breakdown"] {
  const vat = amountAt(body, VAT_KEYS);
  const arrears = amountAt(body, ARREARS_KEYS);
  let rest = vat === undefined ? undefined : amount - vat - (arrears ?? ZERO_KOBO);
  for (const key of CHARGE_KEYS) if (rest !== undefined) rest -= amountAt(body, [key]) ?? ZERO_KOBO;
  const energy = amountAt(body, ENERGY_KEYS) ?? (rest !== undefined && rest >= 0n ? kobo(rest) : undefined);
  if (vat === undefined && arrears === undefined && energy === undefined) return undefined;
  return {
    ...(energy === undefined ? {} : { energy: koboToNaira(energy) }),
    ...(vat === undefined ? {} : { vat: koboToNaira(vat) }),
    ...(arrears === undefined ? {} : { arrears: koboToNaira(arrears) }),
  };
}

function amountAt(body: Fields, keys: readonly string[]): Kobo | undefined {
  for (const key of keys) {
    const amount = Object.hasOwn(body, key) ? readVendorNaira(body[key]) : undefined;
    if (amount !== undefined && amount >= 0n) return amount;
  }
  return undefined;
}
