import type { OwedCallback, VendorStore } from "./store.repo.ts";
import type { VendorSimulator } from "./vendor.ts";

/** Between two looks at what is due, and between two tries of one callback. */
const LOOK_MS = 50;
const AGAIN_MS = 1_000;
const TIMEOUT_MS = 5_000;

export interface CallbackSenderOptions {
  readonly store: VendorStore;
  readonly vendors: readonly VendorSimulator[];
  readonly now: () => number;
  readonly fetch: typeof fetch;
  /** Where a vendor calls back; undefined: nowhere, and what is owed waits. */
  readonly urlOf: (vendor: string) => string | undefined;
}

/** Sends what the vendors owe: each up to five times, until the receiver says that it has it. */
export class CallbackSender {
  readonly #options: CallbackSenderOptions;
  readonly #underWay = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: CallbackSenderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  #look(): void {
    const { store, now, urlOf } = this.#options;
    for (const callback of store.dueCallbacks(now())) {
      const url = urlOf(callback.vendor);
      if (url === undefined || this.#underWay.has(callback.id)) continue;
      this.#underWay.add(callback.id);
      void this.#send(callback, url);
    }
  }

  async #send(callback: OwedCallback, url: string): Promise<void> {
    const { store, vendors, now } = this.#options;
    const vendor = vendors.find(({ name }) => name === callback.vendor);
    let taken = false;
    try {
      const response = await this.#options.fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...callback.headers },
        body: callback.body,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      taken = vendor?.isTaken?.(response.status, text) ?? response.ok;
    } catch {
      // Nobody listens, or not in time: it comes again.
    }
    // While it was under way the simulator may have been stopped, and its store closed.
    if (!this.#stopped) store.callbackTried(callback.id, taken, now() + AGAIN_MS);
    this.#underWay.delete(callback.id);
  }
}
