export interface PaceOptions {
  readonly bytesPerSecond: number;
  /** Burst size after a quiet time. */
  readonly burst: number;
}

/** A read rate shared by many connections: beyond it, a connection pauses and resumes in its turn. */
export interface Pace {
  /** Counts bytes that came. False: nothing is left for now. */
  take(bytes: number): boolean;
  /** Calls `resume` in its turn once capacity is available, unless the returned function was called. */
  wait(resume: () => void): () => void;
}

const REFILL_MS = 20;
/** The most that one socket read returns. */
const READ_BYTES = 64 * 1024;

export function makePace({ bytesPerSecond, burst }: PaceOptions): Pace {
  /** Waiting connections, in turn order. */
  const waiting = new Set<() => void>();
  let left = burst;
  let timer: NodeJS.Timeout | undefined;

  /** A stall adds no capacity: the backlog need not be read in one burst afterwards. */
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
