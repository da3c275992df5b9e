import { kobo, koboToNaira } from "../../kernel/kobo.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import type { ElectricityPayload, PurchaseFacts, TokenParcel } from "../../ports/purchase-payload.ts";
import { readBreakdown } from "../../vendor-text/breakdown.ts";
import { type Fields, factIn } from "../../vendor-text/fields.ts";
import { type SaidToken, saidTokens } from "../../vendor-text/said-tokens.ts";
import { readUnits } from "../../vendor-text/sts.ts";
import { distinct, orderTokens, type TokenOrder, valuesOf } from "../../vendor-text/token-order.ts";

/** The tokens of a delivered purchase, with their units, and what speaks against them. */
export interface ReadTokens extends Pick<TokenOrder, "doubts"> {
  readonly tokens: readonly TokenParcel[];
  /** Of a key change there is one token of each kind, and `token` is one of the energy tokens, of which there may be several. */
  readonly isTwice: boolean;
}

/**
 * Reads the tokens of a delivered purchase: the parcels, or `token` without them. `units` and `freeUnits` belong to the energy and the
 * bonus; which of several they belong to can't be told. `ours`: what we said.
 */
export function readTokens(text: string, data: Fields, ours: readonly string[]): ReadTokens {
  const said = saidTokens(text, ours);
  const credits = said.tokens.filter(({ kind }) => kind === "credit");
  const parcels = distinct(credits.filter(isParcel).map(({ value }) => value));
  const named = distinct(credits.filter(({ name }) => name === "token").map(({ value }) => value));
  const [only, ...others] = valuesOf(said, "credit");
  const other = only !== undefined && others.length === 0 ? [only] : [];
  const energy = parcels.length > 0 ? parcels : named.length > 0 ? named : other;
  const { tokens, twice, doubts } = orderTokens(said, energy);
  const isOther = parcels.length > 0 ? named.some((value) => !parcels.includes(value)) : named.length > 1;
  return {
    tokens: tokens.map((one): TokenParcel => {
      const units = tokens.filter(({ kind }) => kind === one.kind).length === 1 ? unitsOf(one.kind, data) : undefined;
      return { ...one, ...(units !== undefined && { units_kwh: units }) };
    }),
    isTwice: isOther || twice === "kct1" || twice === "kct2",
    doubts,
  };
}

const isParcel = ({ name, within }: SaidToken): boolean => name === "parcels" || within.at(-1) === "parcels";

function unitsOf(kind: TokenParcel["kind"], data: Fields): string | undefined {
  if (kind === "credit") return readUnits(factIn(data, ["units"]));
  return kind === "bonus" ? readUnits(factIn(data, ["freeUnits"])) : undefined;
}

const BREAKDOWN = { energy: ["amountGenerated"], vat: ["tax"], arrears: ["debtAmount"], charges: ["charges"] };

/** What the answer to a delivered purchase teaches. */
export function factsOf(
  { amount_kobo: amountKobo }: Pick<ElectricityPayload, "amount_kobo">,
  data: Fields,
  tokens: readonly TokenParcel[],
): PurchaseFacts {
  const amount = kobo(amountKobo);
  const units = readUnits(factIn(data, ["units"]));
  const receipt = factIn(data, ["receiptNo"]);
  const tariff = factIn(data, ["tariffClass", "tariff", "tariffIndex"]);
  const breakdown = readBreakdown(data, amount, BREAKDOWN);
  const cost = readVendorNaira(data.totalAmountPaid);
  const delivered = deliveredOf(data, amount);
  return {
    ...(tokens.length > 0 ? { tokens } : {}),
    ...(breakdown ? { breakdown } : {}),
    ...(units === undefined ? {} : { units_kwh: units }),
    ...(receipt === undefined ? {} : { receipt_number: receipt }),
    ...(tariff === undefined ? {} : { tariff }),
    ...(cost === undefined || cost <= 0n ? {} : { cost: koboToNaira(cost) }),
    ...(delivered === undefined ? {} : { delivered_amount: delivered }),
  };
}

/** What was vended after `charges`, where these were taken from the amount. Debts are no less: they are paid with it. */
function deliveredOf(data: Fields, amount: bigint): string | undefined {
  const charges = readVendorNaira(data.charges) ?? 0n;
  const debt = readVendorNaira(data.debtAmount) ?? 0n;
  const vended = readVendorNaira(data.vendAmount);
  const isLess = charges > 0n && (vended === amount - charges || (debt > 0n && vended === amount - debt - charges));
  return isLess ? koboToNaira(kobo(amount - charges)) : undefined;
}
