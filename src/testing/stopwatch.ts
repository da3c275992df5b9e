import { readFileSync } from "node:fs";

/**
 * The milliseconds since now, without those in which processes of this machine waited for a processor: a bound on them is a
 * bound on the program, however many tests of others run beside. Linux counts the waits every two seconds; elsewhere they
 * are not taken off.
 */
export function startStopwatch(): () => number {
  const [startedMs, stalledMs] = [performance.now(), stalled()];
  return () => performance.now() - startedMs - (stalled() - stalledMs);
}

function stalled(): number {
  try {
    return Number(/^some .*total=(\d+)/m.exec(readFileSync("/proc/pressure/cpu", "utf8"))?.[1] ?? 0) / 1_000;
  } catch {
    return 0; // not told here
  }
}
