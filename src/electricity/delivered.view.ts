import { parseKobo } from "../kernel/kobo.ts";
import { moneyOf } from "../kernel/money.ts";
import type { ElectricityFacts } from "../ports/electricity-payload.ts";

/** What the vendor says of a delivery, as a purchase and its receipt show it. Its figures are kept as naira with two places. */
export const deliveredView = ({ units_kwh: units, breakdown }: ElectricityFacts) => ({
  ...(units !== undefined && { units_kwh: units }),
  ...(breakdown && { breakdown: breakdownView(breakdown) }),
});

const breakdownView = ({ energy, vat, arrears }: NonNullable<ElectricityFacts["breakdown"]>) => ({
  ...(energy !== undefined && { energy: moneyOf(parseKobo(energy)) }),
  ...(vat !== undefined && { vat: moneyOf(parseKobo(vat)) }),
  ...(arrears !== undefined && { arrears: moneyOf(parseKobo(arrears)) }),
});
