/** What one measurement says. Ratios count; absolute figures are this machine's of this minute. */
export interface Result {
  readonly id: "P1" | "P2" | "P3" | "P4" | "P5" | "P6" | "P7" | "P8" | "P9" | "P10" | "P11" | "P12";
  readonly what: string;
  readonly goal: string;
  /** Undefined: not measured, and `note` says why. */
  readonly reached: boolean | undefined;
  /** In a few words, e.g. `0.52 of bare Fastify's rate`. */
  readonly value: string;
  readonly figures: Readonly<Record<string, number | readonly number[]>>;
  readonly note?: string;
}

export interface BenchOptions {
  /** Seconds of load a round. */
  readonly seconds: number;
  /** Rounds, each of both sides in turn, so that a drifting machine touches both. */
  readonly rounds: number;
  /** Orders stored in each step of P5, growing; those that go through in P7: the first. */
  readonly orders: readonly number[];
  readonly progress: (line: string) => void;
}
