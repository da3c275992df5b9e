/**
 * What a part counts about itself. Counting is an addition in memory; what is read (`gauge`) is read when somebody scrapes. Values
 * of labels come from closed lists (services, providers, outcomes, routes of the API): never ids, numbers, accounts or texts.
 */
export interface Metrics {
  /** Ends in `_total`. */
  counter<Label extends string = never>(metric: Metric<Label>): Counter<Label>;
  /** Ends in its unit. `buckets`: upper bounds, ascending. */
  histogram<Label extends string = never>(
    metric: Metric<Label> & { readonly buckets: readonly number[] },
  ): Histogram<Label>;
  /** Read at each scrape. Errors: a read that throws leaves the metric out of that scrape. */
  gauge<Label extends string = never>(metric: Metric<Label>, read: ReadGauge<Label>): void;
}

export interface Metric<Label extends string = string> {
  /** `afara_` and words in snake case, units last. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** Values of labels, in the order in which the metric declares them. */
export type LabelValues<Label extends string> = [Label] extends [never] ? readonly [] : readonly string[];

export interface Counter<Label extends string = never> {
  add(by: number, ...values: LabelValues<Label>): void;
}

export interface Histogram<Label extends string = never> {
  observe(value: number, ...values: LabelValues<Label>): void;
}

export interface Sample<Label extends string> {
  readonly value: number;
  readonly labels: LabelValues<Label>;
}

export type ReadGauge<Label extends string> = () => readonly Sample<Label>[] | Promise<readonly Sample<Label>[]>;

/** For parts that nobody watches: tests and commands. */
export const NO_METRICS: Metrics = {
  counter: () => ({ add: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
  gauge: () => undefined,
};
