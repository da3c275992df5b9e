/** Money inside Afara: whole kobo (₦1 = 100 kobo) as a branded bigint. No float ever holds money. */
export type Kobo = bigint & { readonly __unit: "kobo" };

export const kobo = (value: bigint | number | string): Kobo => BigInt(value) as Kobo;

export const ZERO_KOBO = kobo(0);

export const sumKobo = (values: Iterable<Kobo>): Kobo => {
  let total = 0n;
  for (const value of values) total += value;
  return total as Kobo;
};

/** Wire form of an amount: naira with two places, e.g. `150050n` → `"1500.50"`. Negative amounts keep their sign. */
export function koboToNaira(value: Kobo): string {
  const sign = value < 0n ? "-" : "";
  const absolute = value < 0n ? -value : value;
  return `${sign}${absolute / 100n}.${String(absolute % 100n).padStart(2, "0")}`;
}

/** For people: `₦1,500.50`. */
export function koboForPeople(value: Kobo): string {
  const [naira, places] = koboToNaira(value).split(".") as [string, string];
  return `₦${naira.replace(/\B(?=(\d{3})+$)/g, ",")}.${places}`;
}

/**
 * VAT contained in a price that includes it: `price × rate / (10000 + rate)`, half up.
 * Units: `rateBasisPoints` in 1/100 of a percent (Nigeria's 7.5 % is 750).
 */
export function taxContained(price: Kobo, rateBasisPoints: number): Kobo {
  const rate = BigInt(rateBasisPoints);
  const denominator = 10_000n + rate;
  return ((price * rate * 2n + denominator) / (denominator * 2n)) as Kobo;
}

/** Naira as a decimal string with at most two places ("4", "4.5", "4.00") to kobo. Throws on anything else: for what we wrote ourselves. */
export function parseKobo(naira: string): Kobo {
  const match = /^(\d{1,16})(?:\.(\d{1,2}))?$/.exec(naira);
  if (!match) throw new Error(`"${naira}" is not an amount of naira`);
  return kobo(BigInt(match[1]!) * 100n + BigInt((match[2] ?? "").padEnd(2, "0")));
}
