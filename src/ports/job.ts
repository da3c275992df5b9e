/** Work that every node repeats, possibly on several nodes at once. A failed run is logged and tried again; runs of one job never overlap. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

export const jobsOf = (...parts: readonly { readonly jobs: readonly Job[] }[]): readonly Job[] =>
  parts.flatMap(({ jobs }) => jobs);
