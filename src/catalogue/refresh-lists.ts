import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/duration.ts";

/** Keeps copies of what vendors sell up to date: fetched at start, every hour, and when a vendor reports a change. */
export interface ListRefresher {
  /** Fetches the lists that are due; a job of every node, of which the first does it. Does not wait for vendors. */
  refreshDue(): Promise<void>;
  /** The provider reports that its list changed. */
  changed(provider: string): void;
  /** Drops what is being fetched. */
  stop(): void;
}

export interface ListRefresherOptions<Source extends { readonly provider: string }> {
  readonly clock: Clock;
  readonly sources: readonly Source[];
  /** Time of the last fetch of each provider's list; absent when it was never fetched. */
  readonly fetchTimes: (providers: readonly string[]) => Promise<ReadonlyMap<string, Date>>;
  /** Fetches a list and stores it, unless it is stopped meanwhile. Never rejects. */
  readonly fetchList: (source: Source, isStopped: () => boolean) => Promise<void>;
  /** Pause between two fetches of one list, however often a change is reported: anybody may call some vendors' webhooks. */
  readonly restMs?: number;
}

const REST_MS = 2_000;

export function makeListRefresher<Source extends { readonly provider: string }>(
  options: ListRefresherOptions<Source>,
): ListRefresher {
  const { clock, sources, fetchTimes, fetchList, restMs = REST_MS } = options;
  const underWay = new Map<string, { again: boolean }>();
  let started = false;
  let stopped = false;

  const refresh = async (source: Source) => {
    const running = underWay.get(source.provider);
    if (running) {
      running.again = true;
      return;
    }
    const run = { again: true };
    underWay.set(source.provider, run);
    while (run.again && !stopped) {
      run.again = false;
      await fetchList(source, () => stopped);
      await new Promise((resolve) => setTimeout(resolve, restMs).unref());
    }
    underWay.delete(source.provider);
  };

  return {
    async refreshDue() {
      const fetched = await fetchTimes(sources.map(({ provider }) => provider));
      for (const source of sources) {
        const ageMs = clock.now().getTime() - (fetched.get(source.provider)?.getTime() ?? 0);
        if (!started || ageMs >= HOUR_MS) void refresh(source);
      }
      started = true;
    },
    changed(provider) {
      const source = sources.find((candidate) => candidate.provider === provider);
      if (source) void refresh(source);
    },
    stop() {
      stopped = true;
    },
  };
}
