import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

interface Stat {
  readonly parent: number;
  readonly cpuMs: number;
  /** Of children that have ended. */
  readonly endedMs: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number); // from the third on
    const ticks = (from: number) => (fields[from - 3] ?? 0) + (fields[from - 2] ?? 0);
    return { parent: fields[1] ?? 0, cpuMs: ticks(14) * TICK_MS, endedMs: ticks(16) * TICK_MS };
  } catch {
    return undefined; // it has ended
  }
}

/** CPU time of a process so far, its threads included, in ms. */
export const cpuMsOf = (pid: number): number => statOf(pid)?.cpuMs ?? 0;

/** A process and all below it. */
function treeOf(root: number): readonly (readonly [pid: number, Stat])[] {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat) stats.set(Number(name), stat);
  }
  const isBelow = (pid: number): boolean => {
    for (let at = pid; at > 1; at = stats.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  return [...stats].filter(([pid]) => isBelow(pid));
}

/** CPU time of a process and all below it, those that have ended included, in ms. */
export const cpuMsOfTree = (root: number): number =>
  treeOf(root).reduce((sum, [, { cpuMs, endedMs }]) => sum + cpuMs + endedMs, 0);

/** The process that a PostgreSQL session belongs to, by the session's own. */
export const parentOf = (pid: number): number => statOf(pid)?.parent ?? 0;

const LOOK_MS = 100;

/** CPU time of a process that ends by itself: looked at until then, as nobody knows it after. */
export function watchCpu(pid: number): { stop(): number } {
  let cpuMs = 0;
  const timer = setInterval(() => {
    cpuMs = Math.max(cpuMs, cpuMsOf(pid));
  }, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      return cpuMs;
    },
  };
}

const KB_PER_MB = 1_000;

/** The resident set of a process; 0 when it has ended. */
export function residentMBOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / KB_PER_MB;
  } catch {
    return 0;
  }
}

/** The resident sets of a process and all below it together: the largest that was seen. */
export function watchMemory(root: number): { stop(): number } {
  let mostMB = 0;
  const timer = setInterval(() => {
    mostMB = Math.max(
      mostMB,
      treeOf(root).reduce((sum, [pid]) => sum + residentMBOf(pid), 0),
    );
  }, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      return mostMB;
    },
  };
}
