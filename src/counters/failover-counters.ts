import type { Log } from "../kernel/log.ts";
import type { Consumed, Consumption, Counters } from "./memory-counters.ts";

export interface FailoverOptions {
  /** Rejects while it is away. */
  readonly shared: Counters;
  readonly local: Counters;
  /** How many nodes share the limits now. May fail: the last answer then goes on counting. */
  readonly nodes: () => Promise<number>;
  readonly log: Log;
}

const PROBE_MS = 250;
const NODES_MS = 2_000;
const FIRST_ANSWER_MS = 1_000;
const RETRY_MS = 20;

/** A take that counts against nothing but is counted: a server that only reads, or is full, is away as well. */
const PROBE: Consumption = {
  limits: [{ name: "probe", limit: Number.MAX_SAFE_INTEGER, windowSeconds: 60 }],
  points: 1,
};

/** Whether shared counters count. Rejects with the reason when they don't. */
const probe = async (counters: Counters): Promise<void> => void (await counters.consume([PROBE]));

/** The connection is made in the background: until it stands, a failure says nothing. Rejects with the last one. */
export async function probeUntil(counters: Counters, withinMs: number): Promise<void> {
  for (let triesLeft = withinMs / RETRY_MS; ; triesLeft -= 1) {
    try {
      return await probe(counters);
    } catch (error) {
      if (triesLeft <= 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/**
 * Counters that all nodes share; while those are away, each node counts its share (limit ÷ nodes) in its own memory.
 * After the first failure no request waits any more: a probe finds out when the shared ones are back. In the minute of a
 * change up to twice a limit may pass, as neither side knows what the other has counted; a server that forgets adds one each time.
 */
export class FailoverCounters implements Counters {
  readonly #options: FailoverOptions;
  /** What was counted here and not by the shared counters: it is given back here. */
  readonly #countedHere = new WeakSet<Consumed>();
  #nodes = 1;
  #away = false;
  #probing = false;
  #counting = false;
  #timers: NodeJS.Timeout[] = [];

  constructor(options: FailoverOptions) {
    this.#options = options;
  }

  /** Resolves when it is known whether the shared counters are there. */
  async start(): Promise<void> {
    await this.#countNodes();
    await probeUntil(this.#options.shared, FIRST_ANSWER_MS).catch((error: unknown) => this.#lost(error));
    this.#timers = [
      setInterval(() => void this.#countNodes(), NODES_MS),
      setInterval(() => void this.#probeWhenAway(), PROBE_MS),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  consume(consumptions: readonly Consumption[]): readonly Consumed[] | Promise<readonly Consumed[]> {
    return this.#away ? this.#consumeHere(consumptions) : this.#consumeShared(consumptions);
  }

  async giveBack(consumed: readonly Consumed[]): Promise<void> {
    const here = consumed.filter((one) => this.#countedHere.has(one));
    const shared = consumed.filter((one) => !this.#countedHere.has(one));
    await this.#options.local.giveBack(here);
    if (shared.length === 0 || this.#away) return;
    try {
      await this.#options.shared.giveBack(shared);
    } catch (error) {
      this.#lost(error);
    }
  }

  async #consumeShared(consumptions: readonly Consumption[]): Promise<readonly Consumed[]> {
    try {
      return await this.#options.shared.consume(consumptions);
    } catch (error) {
      this.#lost(error);
      return this.#consumeHere(consumptions);
    }
  }

  async #consumeHere(consumptions: readonly Consumption[]): Promise<readonly Consumed[]> {
    const shares = consumptions.map(({ points, limits }) => ({
      points,
      limits: limits.map((count) => ({ ...count, limit: this.#shareOf(count.limit) })),
    }));
    const consumed = await this.#options.local.consume(shares);
    for (const one of consumed) this.#countedHere.add(one);
    return consumed;
  }

  /** At least one, so that a limit smaller than the number of nodes shuts nobody out. */
  #shareOf(limit: number): number {
    return limit === 0 ? 0 : Math.max(1, Math.floor(limit / this.#nodes));
  }

  #lost(error: unknown): void {
    if (this.#away) return;
    this.#away = true;
    this.#options.log.warn(
      { error: (error as Error).message, nodes: this.#nodes },
      "shared counters are away: this node counts its share of each limit in memory",
    );
  }

  async #probeWhenAway(): Promise<void> {
    if (!this.#away || this.#probing) return;
    this.#probing = true;
    try {
      await probe(this.#options.shared);
      this.#away = false;
      this.#options.log.info({}, "shared counters are back: limits are exact over all nodes again");
    } catch {
      // still away
    } finally {
      this.#probing = false;
    }
  }

  async #countNodes(): Promise<void> {
    if (this.#counting) return; // a database that hangs is asked once
    this.#counting = true;
    try {
      this.#nodes = Math.max(1, await this.#options.nodes());
    } catch {
      // the database is away as well: the last number stands
    } finally {
      this.#counting = false;
    }
  }
}
