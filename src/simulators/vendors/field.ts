import { type Meter, magicMeter } from "./magic.ts";
import type { Product } from "./products.ts";
import type { Stage, Vend, VendorStore } from "./store.repo.ts";
import { makeToken, readToken } from "./tokens.ts";

/** Something came to a recipient: a top-up to a phone, or its bundle. */
export interface Arrival {
  readonly vendor: string;
  readonly reference: string;
  readonly amountKobo: string;
  readonly plan: string | null;
  readonly at: string;
  /** The vendor took it back later. */
  readonly reversed: boolean;
}

export interface MeterToken {
  readonly value: string;
  readonly kind: "kct1" | "kct2" | "credit" | "bonus";
  readonly unitsKwh: string;
  readonly vendor: string;
  readonly reference: string;
  readonly at: string;
  readonly enteredAt: string | null;
}

export type Entered =
  | { readonly result: "accepted"; readonly kind: MeterToken["kind"]; readonly unitsKwh: string }
  | { readonly result: "used" | "invalid" | "wrong_meter" };

/** What a meter may be steered to be. */
export type MeterChanges = Partial<Pick<Meter, "name" | "address" | "type">> & {
  readonly arrearsKobo?: string;
  readonly minimumKobo?: string;
  readonly maximumKobo?: string;
};

const MINIMUM_KOBO = 100_000n;
const MAXIMUM_KOBO = 50_000_000n;

/** The far end, which all vendors share: phones that were topped up, and meters that take tokens. */
export class Field {
  readonly #store: VendorStore;
  readonly #now: () => number;

  constructor(store: VendorStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** What has come to a recipient, the oldest first. */
  arrivals(product: Product, recipient: string): Arrival[] {
    const now = this.#now();
    return this.#store.vendsOfRecipient(recipient, 0).flatMap((vend) => {
      const arrived = vend.product === product ? arrivalOf(vend, now) : undefined;
      return arrived ? [arrived] : [];
    });
  }

  /** Undefined: there is no such meter. */
  meter(number: string): Meter | undefined {
    const changes = this.#store.meterChanges(number) as MeterChanges;
    const known = magicMeter(number);
    if (!known && Object.keys(changes).length === 0) return undefined;
    return {
      number,
      type: changes.type ?? known?.type ?? "prepaid",
      name: changes.name ?? `TEST CUSTOMER ${number.slice(-4)}`,
      address: changes.address === undefined ? `${number.slice(-2)} SAMPLE CLOSE` : changes.address,
      arrearsKobo: BigInt(changes.arrearsKobo ?? known?.arrearsKobo ?? 0n),
      minimumKobo: BigInt(changes.minimumKobo ?? MINIMUM_KOBO),
      maximumKobo: BigInt(changes.maximumKobo ?? MAXIMUM_KOBO),
    };
  }

  /** All that the meter was sold, from the moment on from which the vendor tells it. */
  tokens(meter: string): MeterToken[] {
    const vends = new Map(this.#store.vendsOfRecipient(meter, 0).map((vend) => [vend.id, vend]));
    return this.#store.tokensOfMeter(meter).flatMap((token) => {
      const vend = vends.get(token.vendId);
      if (!vend || token.at > this.#now()) return [];
      const enteredAt = token.enteredAt === null ? null : iso(token.enteredAt);
      const { value, kind, unitsTenths, at } = token;
      const { vendor, reference } = vend;
      return [{ value, kind, unitsKwh: kwh(unitsTenths), vendor, reference, at: iso(at), enteredAt }];
    });
  }

  /** Somebody types a token into the meter. */
  enter(meter: string, token: string): Entered {
    const content = readToken(meter, token);
    const issued = this.#store.token(token);
    if (!content || issued?.meter !== meter) return { result: issued ? "wrong_meter" : "invalid" };
    if (issued.enteredAt !== null) return { result: "used" };
    this.#store.enterToken(token, this.#now());
    return { result: "accepted", kind: content.kind, unitsKwh: kwh(content.unitsTenths) };
  }

  /** A new token for the meter; the next serial, so no two are alike. `at`: from when the vendor tells it. */
  issue(meter: string, kind: MeterToken["kind"], unitsTenths: number, vendId: number, at: number): string {
    const serial = this.#store.lastSerial(meter) + 1;
    const value = makeToken(meter, { kind, serial, unitsTenths });
    this.#store.addToken({ value, meter, kind, unitsTenths, serial, vendId, at, enteredAt: null });
    return value;
  }
}

/** Kobo in naira as a text with two places. */
export const naira = (kobo: bigint): string => `${kobo / 100n}.${String(kobo % 100n).padStart(2, "0")}`;

/** Units as vendors print them. */
export const kwh = (tenths: number): string => `${Math.floor(tenths / 10)}.${tenths % 10}`;

const iso = (ms: number): string => new Date(ms).toISOString();

const came = (stages: readonly Stage[], state: Stage["state"], now: number): Stage | undefined =>
  stages.find((stage) => stage.state === state && stage.at <= now);

function arrivalOf(vend: Vend, now: number): Arrival | undefined {
  const delivered = came(vend.stages, "delivered", now) ?? came(vend.stages, "tokenless", now);
  return (
    delivered && {
      vendor: vend.vendor,
      reference: vend.reference,
      amountKobo: String(vend.amountKobo),
      plan: vend.plan,
      at: iso(delivered.at),
      reversed: came(vend.stages, "reversed", now) !== undefined,
    }
  );
}
