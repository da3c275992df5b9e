import type { KeyRecord } from "../accounts/key-record.ts";
import type { Clock } from "../kernel/clock.ts";

interface Entry {
  readonly found: Promise<KeyRecord | undefined>;
  /** Set when the look-up has answered: a cached key then costs no promise. */
  record: KeyRecord | null | undefined;
  readonly staleAtMs: number;
}

/**
 * A revoked key works for at most this long on another node. Under the promised 5 s with time for the request itself.
 */
const CACHED_MS = 4_000;

/** Keys remembered at once, known and unknown together; about 1 kB each. */
const ENTRIES_MAX = 10_000;

/**
 * Look-ups, remembered for 4 s, also those that found nothing. Requests that ask while a look-up is under way share it.
 *
 * Entries are named by the key's own text: HMAC and checksum of a known key would cost a twelfth of a small request. So
 * that no key stays in memory for long after its last request, each look-up forgets all stale entries; when full the
 * oldest goes too.
 */
export class KeyCache {
  readonly #find: (key: string) => Promise<KeyRecord | undefined>;
  readonly #clock: Clock;
  /** In the order of their age, as every entry lives equally long and a renewed one is put at the end. */
  readonly #entries = new Map<string, Entry>();

  constructor(find: (key: string) => Promise<KeyRecord | undefined>, clock: Clock) {
    this.#find = find;
    this.#clock = clock;
  }

  /** The record, null for a key known to be unknown, undefined when it must be looked up first. */
  peek(key: string): KeyRecord | null | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.staleAtMs > this.#clock.monotonicMs() ? entry.record : undefined;
  }

  /** Errors: rejects when storage is away; that is not remembered. */
  find(key: string): Promise<KeyRecord | undefined> {
    const now = this.#clock.monotonicMs();
    this.#forgetStale(now);
    const known = this.#entries.get(key);
    if (known !== undefined) return known.found;

    const entry: Entry = { found: this.#find(key), record: undefined, staleAtMs: now + CACHED_MS };
    this.#entries.set(key, entry);
    entry.found.then(
      (record) => {
        entry.record = record ?? null;
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.found;
  }

  /** Forgets every record, e.g. when told that a key was revoked. */
  clear(): void {
    this.#entries.clear();
  }

  #forgetStale(now: number): void {
    for (const [key, entry] of this.#entries) {
      if (entry.staleAtMs > now && this.#entries.size < ENTRIES_MAX) return;
      this.#entries.delete(key);
    }
  }
}
