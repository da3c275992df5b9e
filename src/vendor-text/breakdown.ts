import { type Kobo, koboToNaira } from "../kernel/kobo.ts";
import { readVendorNaira } from "../kernel/naira.ts";
import type { PurchaseFacts } from "../ports/purchase-payload.ts";
import type { Fields } from "./fields.ts";

/** The names of a vendor's fields, by what stands there. */
export interface BreakdownKeys {
  readonly energy: readonly string[];
  readonly vat: readonly string[];
  readonly arrears: readonly string[];
  /** Each of its own: what a disco takes besides. */
  readonly charges: readonly string[];
}

/** Vendors round each figure by itself. */
const ROUNDING_KOBO = 2n;

/**
 * Where the customer's money went, by the vendor's own figures, if these come to the amount. VAT is in every sale of energy, so a zero
 * there is a field that is not filled in, and of the rest nothing is known but the arrears. Without a figure for the energy it is what
 * VAT, debt and charges leave.
 */
export function readBreakdown(fields: Fields, amount: Kobo, keys: BreakdownKeys): PurchaseFacts["breakdown"] {
  const vat = figureOf(fields, keys.vat) ?? 0n;
  const arrears = figureOf(fields, keys.arrears);
  const charges = keys.charges.reduce((sum, key) => sum + (figureOf(fields, [key]) ?? 0n), 0n);
  const parts = vat + (arrears ?? 0n);
  // Some write the whole amount there: that is no figure of the energy's.
  const energies = keys.energy
    .flatMap((key) => figureOf(fields, [key]) ?? [])
    .filter((one) => one > 0n && one !== amount);
  // Whether charges are in the energy's figure no document says.
  const energy = energies.find((one) => isAbout(one + parts + charges, amount) || isAbout(one + parts, amount));
  if (energy === undefined && energies.length > 0) return undefined;
  const rest = energy ?? amount - parts - charges;
  if (rest < 0n) return undefined;
  if (vat > 0n)
    return shown({ energy: rest, vat, arrears: energy === undefined && arrears === 0n ? undefined : arrears });
  return arrears !== undefined && arrears > 0n ? shown({ arrears }) : undefined;
}

const isAbout = (sum: bigint, amount: bigint): boolean =>
  sum - amount <= ROUNDING_KOBO && amount - sum <= ROUNDING_KOBO;

function shown(figures: Readonly<Record<string, bigint | undefined>>): PurchaseFacts["breakdown"] {
  const filled = Object.entries(figures).flatMap(([name, figure]) =>
    figure === undefined ? [] : [[name, koboToNaira(figure as Kobo)] as const],
  );
  return Object.fromEntries(filled);
}

/** The first of the keys that is filled in; a zero where none is, and one says so. */
function figureOf(fields: Fields, keys: readonly string[]): bigint | undefined {
  const figures = keys.flatMap((key) => {
    const figure = Object.hasOwn(fields, key) ? readVendorNaira(fields[key]) : undefined;
    return figure === undefined || figure < 0n ? [] : [figure];
  });
  return figures.find((figure) => figure > 0n) ?? figures[0];
}
