import { type Kobo, kobo } from "../kernel/kobo.ts";
import { lagosDaysLeft } from "../kernel/lagos.ts";

/**
 * What a month's fee comes to from this moment to the end of the month in Lagos: by days, this one included, half a kobo up.
 */
export function proRated(monthKobo: Kobo, at: Date): Kobo {
  const { left, of } = lagosDaysLeft(at);
  const [days, month] = [BigInt(left), BigInt(of)];
  return kobo((monthKobo * days * 2n + month) / (month * 2n));
}
