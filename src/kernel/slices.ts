/** The caller has gone, so the rest of the work is dropped. */
export class CallerGone extends Error {
  constructor() {
    super("the caller has gone");
    this.name = "CallerGone";
  }
}

/**
 * Long work that pauses at each `yield`. A step between two of them takes a millisecond or two at most; what it computes is
 * returned.
 */
export type Steps<Value> = Generator<void, Value, void>;

/** Runs long work in slices, between which the event loop serves everybody else. */
export type InSlices = <Value>(work: Steps<Value>, gone?: AbortSignal) => Promise<Value>;

/** Short enough that several in a row are not noticeable. */
const SLICE_MS = 10;

/**
 * All long work of a process shares the turns that this gives: one slice in each turn of the event loop, in the order in which
 * they were asked for, however many pieces of work are under way.
 * Errors: `CallerGone` when `gone` is aborted before the work is done; whatever the work throws.
 */
export function makeSlices(nowMs: () => number): InSlices {
  const waiting: (() => void)[] = [];
  const turn = () => {
    waiting.shift()!();
    if (waiting.length > 0) setImmediate(turn);
  };
  const myTurn = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(turn);
    });

  return async (work, gone) => {
    for (;;) {
      await myTurn();
      if (gone?.aborted) throw new CallerGone();
      const endsMs = nowMs() + SLICE_MS;
      do {
        const step = work.next();
        if (step.done) return step.value;
      } while (nowMs() < endsMs);
    }
  };
}

/** The same work without pauses, if it is known to be short. */
export function atOnce<Value>(work: Steps<Value>): Value {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** As slices of nothing else: for callers that have no event loop to share, e.g. tests. */
export const unsliced: InSlices = async (work, gone) => {
  if (gone?.aborted) throw new CallerGone();
  return atOnce(work);
};
