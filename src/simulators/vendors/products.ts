import { magicCard, magicMeter, magicPhone } from "./magic.ts";
import type { ScenarioName } from "./scenarios.ts";

/** A product as all vendors sell it. */
interface SoldHere {
  /**
   * Where it arrives: `GET /control/<far end>/<recipient>` shows what has come, by product. Absent where that is more than the
   * arrivals, and has a path of its own.
   */
  readonly farEnd?: string;
  /** Recipients of test mode that choose a scenario; undefined: an ordinary one. */
  magic(recipient: string): Magic | undefined;
}

interface Magic {
  readonly scenario?: ScenarioName;
  /** So many calls in a row, then one that is ordinary, and so on; every call when absent. */
  readonly times?: number;
}

/** What can be bought of the simulated vendors, one entry each. The names are those of the purchases' payloads. */
export const PRODUCTS = {
  airtime: { farEnd: "phones", magic: magicPhone },
  data: { farEnd: "phones", magic: magicPhone },
  electricity: { magic: magicMeter },
  // Showmax is bought for a phone.
  cable: { farEnd: "smartcards", magic: (recipient) => magicPhone(recipient) ?? magicCard(recipient) },
} as const satisfies Readonly<Record<string, SoldHere>>;

export type Product = keyof typeof PRODUCTS;

export const soldHere = (product: Product): SoldHere => PRODUCTS[product];

/** The far ends that show what has come, each with the products that do. */
export const FAR_ENDS: ReadonlyMap<string, readonly Product[]> = Map.groupBy(
  (Object.keys(PRODUCTS) as Product[]).filter((product) => soldHere(product).farEnd !== undefined),
  (product) => soldHere(product).farEnd ?? "",
);
