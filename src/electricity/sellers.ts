import type { Clock } from "../kernel/clock.ts";
import { within } from "../kernel/deadline.ts";
import { DISCOS, type Disco } from "../kernel/discos.ts";
import type { Mode } from "../kernel/mode.ts";
import { queueOf } from "../orders/order.ts";
import type { Route } from "../orders/route.ts";
import type { Provider } from "../ports/provider.ts";

/** Who sells electricity of which disco, by the routes and by what the vendors say. */
export interface Sellers {
  /** Those of the mode that may sell for the disco, the likeliest first. */
  of(mode: Mode, disco: Disco): readonly Seller[];
  /** Whether a disco's electricity can be bought just now. Vendors are asked at most every few minutes. */
  statuses(mode: Mode): Promise<ReadonlyMap<Disco, boolean>>;
}

export type Seller = Pick<Provider, "name" | "verify">;

export interface SellersOptions {
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
  /** By disco, whether it can be sold now. Undefined: the vendor has never told. */
  discos: ReadonlyMap<string, boolean> | undefined;
  askAgainAtMs: number;
  asking: Promise<void> | undefined;
}

const CODES = Object.keys(DISCOS) as readonly Disco[];

export function makeSellers({ routes, clock, waitMs = ASK_WITHIN_MS }: SellersOptions): Sellers {
  const told = new Map<Provider, Told>();

  const toldBy = (provider: Provider): Told => {
    const known = told.get(provider) ?? { discos: undefined, askAgainAtMs: 0, asking: undefined };
    told.set(provider, known);
    const ask = provider.billers?.electricity;
    if (ask && !known.asking && clock.monotonicMs() >= known.askAgainAtMs)
      known.asking = ask()
        .catch(() => undefined)
        .then((discos) => {
          known.discos = discos ?? known.discos;
          known.askAgainAtMs = clock.monotonicMs() + (discos ? KNOWN_FOR_MS : ASK_AGAIN_MS);
          known.asking = undefined;
        });
    return known;
  };

  const routesOf = (mode: Mode, disco: Disco) =>
    routes().filter((route) => !route.paused && route.serves(queueOf("electricity", mode), { disco }));

  /** 2: can sell now; 1: could, but not now; 0: does not sell for the disco. A vendor that says nothing counts as its route. */
  const ability = (route: Route, disco: Disco): 0 | 1 | 2 => {
    const { discos } = toldBy(route.provider);
    const available = discos ? discos.get(disco) : true;
    if (available === undefined) return 0;
    return available && route.open() ? 2 : 1;
  };

  return {
    of: (mode, disco) =>
      routesOf(mode, disco)
        .map((route) => ({ provider: route.provider, ability: ability(route, disco) }))
        .filter((seller) => seller.ability > 0)
        .sort((a, b) => b.ability - a.ability)
        .map(({ provider }) => provider),

    async statuses(mode) {
      const providers = new Set(CODES.flatMap((disco) => routesOf(mode, disco).map(({ provider }) => provider)));
      const firstWords = [...providers].map(toldBy).flatMap(({ discos, asking }) => (discos ? [] : [asking]));
      await within(Promise.all(firstWords), waitMs);
      return new Map(CODES.map((disco) => [disco, routesOf(mode, disco).some((route) => ability(route, disco) === 2)]));
    },
  };
}
