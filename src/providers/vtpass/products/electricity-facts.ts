import { kobo } from "../../../kernel/kobo.ts";
import type { ElectricityPayload, PurchaseFacts, TokenParcel } from "../../../ports/purchase-payload.ts";
import { readBreakdown } from "../../../vendor-text/breakdown.ts";
import { type Fields, factIn } from "../../../vendor-text/fields.ts";
import { readUnits } from "../../../vendor-text/sts.ts";
import { costIn } from "./sold.ts";

/** What a disco takes besides VAT and debt. */
const CHARGES = [
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
const BREAKDOWN = {
  energy: ["energyAmt", "tokenAmount", "mainsTokenAmount", "mainTokenAmount", "Amount"],
  vat: ["taxAmount", "mainTokenTax", "Tax", "vat"],
  arrears: ["debtAmount", "DebtAmount", "appliedToArrears", "arrears", "debtDescription"],
  charges: CHARGES,
};
const RECEIPT_KEYS = ["Receipt", "invoiceNumber", "exchangeReference"];
const TARIFF_KEYS = ["tariff", "Tariff", "tariffIndex"];
const UNITS_KEYS = ["units", "Units", "mainTokenUnits"];

/** What the answer to a delivered purchase teaches. */
export function factsOf(
  payload: Pick<ElectricityPayload, "amount_kobo">,
  body: Fields,
  tokens: readonly TokenParcel[],
): PurchaseFacts {
  const units = readUnits(factIn(body, UNITS_KEYS));
  const receipt = factIn(body, RECEIPT_KEYS);
  const tariff = factIn(body, TARIFF_KEYS);
  const breakdown = readBreakdown(body, kobo(payload.amount_kobo), BREAKDOWN);
  return {
    ...(tokens.length > 0 ? { tokens } : {}),
    ...(breakdown ? { breakdown } : {}),
    ...(units === undefined ? {} : { units_kwh: units }),
    ...(receipt === undefined ? {} : { receipt_number: receipt }),
    ...(tariff === undefined ? {} : { tariff }),
    ...costIn(body),
  };
}
