/**
 * A time limit for somebody else's answer. It counts only the time in which we were able to hear: while the event loop stands
 * still (a long computation, a frozen process) answers lie unread in the sockets, and after such a gap Node runs timers before it
 * reads them. A plain timer would take our own stall for the other side's silence.
 */
export interface Deadline {
  /** The answer is there, or is no longer waited for. Safe to call twice, and after the time is up. */
  cancel(): void;
}

/**
 * The grain of all limits. A slice counts once its timer has fired and the sockets have been read after it, so a gap of any length
 * counts as one slice. No clock is read: a loop that stands still does not tick.
 */
const SLICE_MS = 25;

/** Slices so far in which this process could hear, and what is to be done after which of them. */
let heard = 0;
const due = new Map<number, Set<() => void>>();
let waiting = 0;
let ticker: NodeJS.Timeout | undefined;

/** Calls `onSilence` once, after `ms` of hearing nothing: never earlier, and with a turn for every socket right before. */
export function deadline(ms: number, onSilence: () => void): Deadline {
  // The slice under way is not a whole one.
  const at = heard + Math.ceil(Math.max(ms, 0) / SLICE_MS) + 1;
  const callback = () => onSilence();
  due.set(at, (due.get(at) ?? new Set()).add(callback));
  waiting += 1;
  // The poll phase, in which sockets are read, is between timers and immediates.
  ticker ??= setInterval(() => setImmediate(countSlice), SLICE_MS);
  return {
    cancel() {
      const slice = due.get(at);
      if (slice?.delete(callback) !== true) return;
      if (slice.size === 0) due.delete(at);
      settled();
    },
  };
}

function countSlice(): void {
  heard += 1;
  const silent = due.get(heard);
  if (silent === undefined) return;
  for (const callback of silent) {
    // One that is called may cancel another.
    silent.delete(callback);
    settled();
    callback();
  }
  due.delete(heard);
}

function settled(): void {
  waiting -= 1;
  if (waiting > 0) return;
  clearInterval(ticker);
  ticker = undefined;
}

/** The answer, or undefined when it takes longer than `ms`; what is waited for goes on. */
export function within<T>(answer: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const limit = deadline(ms, () => resolve(undefined));
  answer.finally(() => limit.cancel()).then(resolve, reject);
  return promise;
}
