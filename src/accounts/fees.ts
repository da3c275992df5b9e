import { type Kobo, kobo } from "../kernel/kobo.ts";
import { lagosDaysLeft } from "../kernel/lagos.ts";

/**
 * A monthly fee prorated from now to the end of the month in Lagos: by days, including today, half a kobo rounded up.
 */
export function proRated(monthKobo: Kobo, at: Date): Kobo {
  const { left, of } = lagosDaysLeft(at);
  const [days, month] = [BigInt(left), BigInt(of)];
  return kobo((monthKobo * days * 2n + month) / (month * 2n));
}
