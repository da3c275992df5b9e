import type { Counter, Histogram, LabelValues, Metric, Metrics, ReadGauge } from "../ports/metrics.ts";

/**
 * Counters in memory. prom-client would hash an object of labels at each count and is 60 ms of every start; it is loaded by the first
 * scrape instead, and writes what is here (ADR 44).
 */

/** One value with its labels, as prom-client writes it. */
export interface Line {
  /** Absent: that of the metric. */
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A metric as a scrape reads it. */
export interface Collected {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  read(): readonly Line[] | Promise<readonly Line[]>;
}

/**
 * Most series of one metric. Labels come from closed lists, so this is never reached; a label that is none after all must not fill
 * the memory of the gateway and of Prometheus: what is beyond is counted together.
 */
export const SERIES_MAX = 1_000;
export const OVERFLOW = "other";

/** Metrics of one node, each name once. */
export class MemoryMetrics implements Metrics {
  readonly #collected = new Map<string, Collected>();

  get all(): readonly Collected[] {
    return [...this.#collected.values()];
  }

  counter<Label extends string = never>(metric: Metric<Label>): Counter<Label> {
    const series = new Series(metric.labels ?? [], () => ({ value: 0 }));
    this.#register({
      ...metric,
      type: "counter",
      read: () => series.all.map(({ labels, kept }) => ({ labels, value: kept.value })),
    });
    return {
      add(by, ...values) {
        series.of(values).value += by;
      },
    };
  }

  histogram<Label extends string = never>(
    metric: Metric<Label> & { readonly buckets: readonly number[] },
  ): Histogram<Label> {
    const { name, buckets } = metric;
    const series = new Series(metric.labels ?? [], () => ({ counts: buckets.map(() => 0), count: 0, sum: 0 }));
    this.#register({
      ...metric,
      type: "histogram",
      read: () =>
        series.all.flatMap(({ labels, kept: { counts, count, sum } }) => {
          let below = 0;
          return [
            ...buckets.map((le, index) => {
              below += counts[index]!;
              return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below };
            }),
            { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count },
            { metricName: `${name}_sum`, labels, value: sum },
            { metricName: `${name}_count`, labels, value: count },
          ];
        }),
    });
    return {
      observe(value, ...values) {
        const kept = series.of(values);
        const bucket = buckets.findIndex((le) => value <= le);
        if (bucket >= 0) kept.counts[bucket]! += 1;
        kept.count += 1;
        kept.sum += value;
      },
    };
  }

  gauge<Label extends string = never>(metric: Metric<Label>, read: ReadGauge<Label>): void {
    const names = metric.labels ?? [];
    this.#register({
      ...metric,
      type: "gauge",
      read: async () =>
        (await read()).slice(0, SERIES_MAX).map(({ value, labels }) => ({ value, labels: named(names, labels) })),
    });
  }

  #register({ name, help, type, read }: Collected): void {
    if (this.#collected.has(name)) throw new Error(`the metric ${name} is registered twice`);
    this.#collected.set(name, { name, help, type, read });
  }
}

const named = (names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));

interface One<Kept> {
  readonly labels: Readonly<Record<string, string>>;
  readonly kept: Kept;
}
/** By the value of a first label, of a second one, and so on: a lookup makes no text. */
type Tree<Kept> = Map<string, Tree<Kept> | One<Kept>>;

/** What is kept for each combination of label values. */
class Series<Kept> {
  readonly #names: readonly string[];
  readonly #make: () => Kept;
  readonly #tree: Tree<Kept> = new Map();
  readonly all: One<Kept>[] = [];

  constructor(names: readonly string[], make: () => Kept) {
    this.#names = names;
    this.#make = make;
    // Without labels a metric is 0 from the start, so that its first increase is seen.
    if (names.length === 0) this.#add([]);
  }

  of(values: LabelValues<string>): Kept {
    let found: Tree<Kept> | One<Kept> | undefined = this.#names.length === 0 ? this.all[0] : this.#tree;
    for (const value of values) found = (found as Tree<Kept> | undefined)?.get(value);
    if (found) return (found as One<Kept>).kept;
    const isFull = this.all.length >= SERIES_MAX && values.some((value) => value !== OVERFLOW);
    return isFull ? this.of(values.map(() => OVERFLOW)) : this.#add(values);
  }

  #add(values: readonly string[]): Kept {
    const one = { labels: named(this.#names, values), kept: this.#make() };
    this.all.push(one);
    let tree = this.#tree;
    for (const value of values.slice(0, -1)) {
      const next = (tree.get(value) ?? new Map()) as Tree<Kept>;
      tree.set(value, next);
      tree = next;
    }
    const last = values.at(-1);
    if (last !== undefined) tree.set(last, one);
    return one.kept;
  }
}
