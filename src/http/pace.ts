export interface PaceOptions {
  readonly bytesPerSecond: number;
  /** Taken at once after a quiet time. */
  readonly burst: number;
}

/** A rate that many connections share: whoever finds nothing left stops reading, and goes on in its turn. */
export interface Pace {
  /** Counts bytes that came. False: nothing is left for now. */
  take(bytes: number): boolean;
  /** Calls `resume` in its turn, once there is something left; not after the returned function was called. */
  wait(resume: () => void): () => void;
}

const REFILL_MS = 20;
/** What one read of a socket brings at most. */
const READ_BYTES = 64 * 1024;

export function makePace({ bytesPerSecond, burst }: PaceOptions): Pace {
  /** In the order of their turns. */
  const waiting = new Set<() => void>();
  let left = burst;
  let timer: NodeJS.Timeout | undefined;

  /** A stall refills nothing: what could not be read meanwhile need not be read at once after it. */
  const refill = () => {
    left = Math.min(burst, left + (bytesPerSecond * REFILL_MS) / 1000);
    let turns = Math.ceil(left / READ_BYTES);
    for (const resume of waiting) {
      if (turns <= 0) break;
      turns -= 1;
      waiting.delete(resume);
      resume();
    }
    if (left < burst || waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    take(bytes) {
      left -= bytes;
      if (timer === undefined) timer = setInterval(refill, REFILL_MS).unref();
      return left > 0;
    },
    wait(resume) {
      waiting.add(resume);
      return () => void waiting.delete(resume);
    },
  };
}
