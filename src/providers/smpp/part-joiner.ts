import { addressKey } from "../../kernel/address.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type Deadline, deadline } from "../../kernel/deadline.ts";
import { addressOf } from "./address-of.ts";
import type { Delivery } from "./session.ts";
import { type ConcatPart, parseSar, type UserData } from "./wire/concat.ts";

/** A delivery without its header; with `concat`, a part of a longer message. */
export interface Part {
  readonly delivery: Delivery;
  readonly userData: UserData;
  readonly concat: ConcatPart | undefined;
}

export const partOf = (delivery: Delivery, userData: UserData): Part => ({
  delivery,
  userData,
  concat: userData.concat ?? parseSar(delivery.tlvs),
});

/** The received parts of one message, recorded together. */
export interface Gathered {
  /** In their order, each once. */
  readonly parts: readonly Part[];
  /** Parts recorded shortly before, as they had waited too long. */
  readonly earlier: readonly Part[];
  /** Parts whose position had another text: the other parts can't be assigned. */
  readonly displaced: readonly Part[];
  /** Whether `parts` and `earlier` are complete. */
  readonly isWhole: boolean;
}

type Places = ReadonlyMap<number, Part>;

/** Parts of one long message. All their promises settle together, after the commit of what they carry. */
interface Assembly {
  readonly total: number;
  readonly parts: Map<number, Part>;
  readonly displaced: Part[];
  earlier: Places;
  readonly committed: PromiseWithResolvers<void>;
  readonly limit: Deadline;
}

/** Messages being put together, and those remembered; above it parts are recorded alone, so that a peer which never finishes one fills no memory. */
const ASSEMBLIES_MAX = 500;
/** How long parts that were recorded alone are remembered at least: an SMSC with a window of one sends the next one only then. */
const REMEMBERED_MS_MIN = 5_000;

const NONE: Places = new Map();

export interface PartJoinerOptions {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** How long parts wait for each other; 0: each is recorded on arrival. */
  readonly joinMs: number;
  /** Resolves after the commit. */
  readonly record: (gathered: Gathered) => Promise<void>;
  /** Whether the first part to come needs no other. */
  readonly standsAlone?: (part: Part) => boolean;
}

/**
 * Puts the parts of long messages together. A part is acknowledged after the commit of the whole, never before: held parts are
 * therefore repeated by the SMSC when the process dies. They wait only for a moment, because an SMSC with a window of one does not
 * send the second before the first is acknowledged; then what is there is recorded, and remembered for what comes next.
 */
export class PartJoiner {
  readonly #options: PartJoinerOptions;
  readonly #assemblies = new Map<string, Assembly>();
  /** The oldest first. */
  readonly #remembered = new Map<string, { readonly places: Places; readonly untilMs: number }>();

  constructor(options: PartJoinerOptions) {
    this.#options = options;
  }

  /** Resolves after the part's commit; rejects if it failed. */
  receive(part: Part): Promise<void> {
    const { concat } = part;
    if (concat === undefined || concat.total === 1) return this.#alone(part);
    const key = keyOf(part.delivery, concat);
    const open = this.#assemblies.get(key);
    const assembly = open ?? this.#begin(key, concat.total);
    if (assembly === undefined) return this.#alone(part);
    put(assembly, concat.part, part);
    const { joinMs, standsAlone } = this.#options;
    if (isWhole(assembly) || joinMs === 0 || (open === undefined && standsAlone?.(part))) this.#finish(key, assembly);
    return assembly.committed.promise;
  }

  /** Records held parts. */
  async stop(): Promise<void> {
    const held = [...this.#assemblies];
    for (const [key, assembly] of held) this.#finish(key, assembly);
    await Promise.allSettled(held.map(([, assembly]) => assembly.committed.promise));
  }

  #alone(part: Part): Promise<void> {
    return this.#options.record({
      parts: [part],
      earlier: [],
      displaced: [],
      isWhole: (part.concat?.total ?? 1) === 1,
    });
  }

  #begin(key: string, total: number): Assembly | undefined {
    if (this.#assemblies.size >= ASSEMBLIES_MAX) return undefined;
    const limit = deadline(this.#options.joinMs, () => this.#finish(key, assembly));
    const committed = Promise.withResolvers<void>();
    const assembly: Assembly = { total, parts: new Map(), displaced: [], earlier: this.#recall(key), committed, limit };
    this.#assemblies.set(key, assembly);
    return assembly;
  }

  #finish(key: string, assembly: Assembly): void {
    const { parts, displaced, earlier, limit, committed } = assembly;
    limit.cancel();
    this.#assemblies.delete(key);
    const whole = isWhole(assembly);
    if (!whole && displaced.length === 0) this.#remember(key, new Map([...earlier, ...parts]));
    const before = [...earlier].filter(([place]) => !parts.has(place));
    const gathered = {
      parts: inOrder(parts),
      earlier: inOrder(before),
      displaced,
      isWhole: whole,
    };
    this.#options.record(gathered).then(committed.resolve, committed.reject);
  }

  #recall(key: string): Places {
    const found = this.#remembered.get(key);
    this.#remembered.delete(key);
    return found !== undefined && this.#options.clock.monotonicMs() < found.untilMs ? found.places : NONE;
  }

  #remember(key: string, places: Places): void {
    const untilMs = this.#options.clock.monotonicMs() + Math.max(this.#options.joinMs, REMEMBERED_MS_MIN);
    this.#remembered.set(key, { places, untilMs });
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= ASSEMBLIES_MAX) return;
      this.#remembered.delete(oldest);
    }
  }
}

const keyOf = (
  { source_addr, source_addr_ton, destination_addr, dest_addr_ton }: Delivery,
  concat: ConcatPart,
): string =>
  JSON.stringify([
    addressKey(addressOf(source_addr, source_addr_ton)),
    addressKey(addressOf(destination_addr, dest_addr_ton)),
    concat.referenceBits,
    concat.reference,
    concat.total,
  ]);

const inOrder = (places: Iterable<readonly [number, Part]>): readonly Part[] =>
  [...places].sort(([a], [b]) => a - b).map(([, part]) => part);

const isWhole = ({ total, parts, earlier }: Assembly): boolean =>
  new Set([...parts.keys(), ...earlier.keys()]).size === total;

function put(assembly: Assembly, place: number, part: Part): void {
  const there = assembly.parts.get(place);
  if (there !== undefined && !isSameText(there, part)) assembly.displaced.push(there);
  const before = assembly.earlier.get(place);
  // The reference has come round: what was recorded under it is another message.
  if (before !== undefined && !isSameText(before, part)) assembly.earlier = NONE;
  assembly.parts.set(place, part);
}

const isSameText = (one: Part, other: Part): boolean =>
  one.delivery.data_coding === other.delivery.data_coding && one.userData.body.equals(other.userData.body);
