import type { Clock } from "../kernel/clock.ts";
import { within } from "../kernel/deadline.ts";
import type { Mode } from "../kernel/mode.ts";
import { queueOf } from "../orders/order.ts";
import type { Route } from "../orders/route.ts";
import type { Provider } from "../ports/provider.ts";

/** Who sells for which biller (a disco), by the routes and by what the vendors say. */
export interface Sellers<Biller extends string> {
  /** Those of the mode that may sell for the biller, the likeliest first. */
  of(mode: Mode, biller: Biller): readonly Seller[];
  /** Whether something of a biller's can be bought just now. Vendors are asked at most every few minutes. */
  statuses(mode: Mode): Promise<ReadonlyMap<Biller, boolean>>;
}

export type Seller = Pick<Provider, "name" | "verify">;

export interface SellersOptions<Biller extends string> {
  /** As in `ServiceDefinition`. */
  readonly service: string;
  /** As in `Provider.billers`. */
  readonly product: string;
  readonly billers: readonly Biller[];
  /** The labels of an order for the biller, by which routes are limited. */
  readonly labels: (biller: Biller) => Readonly<Record<string, string>>;
  readonly routes: () => readonly Route[];
  readonly clock: Clock;
  /** How long a list waits for a vendor that has not told anything yet. */
  readonly waitMs?: number;
}

const KNOWN_FOR_MS = 5 * 60_000;
/** After an answer that could not be had. */
const ASK_AGAIN_MS = 15_000;
const ASK_WITHIN_MS = 5_000;

interface Told {
  /** By biller, whether it can be sold for now. Undefined: the vendor has never told. */
  billers: ReadonlyMap<string, boolean> | undefined;
  askAgainAtMs: number;
  asking: Promise<void> | undefined;
}

export function makeSellers<Biller extends string>(options: SellersOptions<Biller>): Sellers<Biller> {
  const { service, product, labels, routes, clock, waitMs = ASK_WITHIN_MS } = options;
  const told = new Map<Provider, Told>();

  const toldBy = (provider: Provider): Told => {
    const known = told.get(provider) ?? { billers: undefined, askAgainAtMs: 0, asking: undefined };
    told.set(provider, known);
    const ask = provider.billers?.[product];
    if (ask && !known.asking && clock.monotonicMs() >= known.askAgainAtMs)
      known.asking = ask()
        .catch(() => undefined)
        .then((billers) => {
          known.billers = billers ?? known.billers;
          known.askAgainAtMs = clock.monotonicMs() + (billers ? KNOWN_FOR_MS : ASK_AGAIN_MS);
          known.asking = undefined;
        });
    return known;
  };

  const routesOf = (mode: Mode, biller: Biller) =>
    routes().filter((route) => !route.paused && route.serves(queueOf(service, mode), labels(biller)));

  /** 2: can sell now; 1: could, but not now; 0: does not sell for the biller. A vendor that says nothing counts as its route. */
  const ability = (route: Route, biller: Biller): 0 | 1 | 2 => {
    const { billers } = toldBy(route.provider);
    const available = billers ? billers.get(biller) : true;
    if (available === undefined) return 0;
    return available && route.open() ? 2 : 1;
  };

  return {
    of: (mode, biller) =>
      routesOf(mode, biller)
        .map((route) => ({ provider: route.provider, ability: ability(route, biller) }))
        .filter((seller) => seller.ability > 0)
        .sort((a, b) => b.ability - a.ability)
        .map(({ provider }) => provider),

    async statuses(mode) {
      const providers = new Set(
        options.billers.flatMap((biller) => routesOf(mode, biller).map(({ provider }) => provider)),
      );
      const firstWords = [...providers].map(toldBy).flatMap(({ billers, asking }) => (billers ? [] : [asking]));
      await within(Promise.all(firstWords), waitMs);
      const isSold = (biller: Biller) => routesOf(mode, biller).some((route) => ability(route, biller) === 2);
      return new Map(options.billers.map((biller) => [biller, isSold(biller)]));
    },
  };
}
