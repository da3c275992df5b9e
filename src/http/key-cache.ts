import type { Clock } from "../kernel/clock.ts";
import type { KeyLookup, KeyRecord } from "./edge.ts";

interface Entry {
  readonly found: Promise<KeyRecord | undefined>;
  /** Set when the look-up has answered: a cached key then costs no promise. */
  record: KeyRecord | null | undefined;
  readonly staleAtMs: number;
}

/** A revoked key works for at most this long on another node. Under the promised 5 s with time for the request itself. */
const CACHED_MS = 4_000;

/** Keys remembered at once, known and unknown together; about 1 kB each. */
const ENTRIES_MAX = 10_000;

/**
 * Look-ups by hash, remembered for 4 s, also those that found nothing. Requests that ask while a look-up is under way share it.
 * When full the oldest entry goes: with so short a life that is as good as the least used one.
 */
export class KeyCache {
  readonly #lookup: KeyLookup;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(lookup: KeyLookup, clock: Clock) {
    this.#lookup = lookup;
    this.#clock = clock;
  }

  /** The record, null for a key known to be unknown, undefined when it must be looked up first. */
  peek(hash: Buffer): KeyRecord | null | undefined {
    const entry = this.#entries.get(hash.toString("latin1"));
    return entry !== undefined && entry.staleAtMs > this.#clock.monotonicMs() ? entry.record : undefined;
  }

  /** Errors: rejects when storage is away; that is not remembered. */
  find(hash: Buffer): Promise<KeyRecord | undefined> {
    const name = hash.toString("latin1");
    const now = this.#clock.monotonicMs();
    const known = this.#entries.get(name);
    if (known !== undefined && known.staleAtMs > now) return known.found;

    const entry: Entry = { found: this.#lookup.find(hash), record: undefined, staleAtMs: now + CACHED_MS };
    this.#entries.delete(name); // so that a renewed entry is the youngest again
    this.#entries.set(name, entry);
    if (this.#entries.size > ENTRIES_MAX) this.#forgetOldest();
    entry.found.then(
      (record) => {
        entry.record = record ?? null;
      },
      () => {
        if (this.#entries.get(name) === entry) this.#entries.delete(name);
      },
    );
    return entry.found;
  }

  /** Forgets every record, e.g. when told that a key was revoked. */
  clear(): void {
    this.#entries.clear();
  }

  #forgetOldest(): void {
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }
}
