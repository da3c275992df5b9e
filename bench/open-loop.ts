import { once } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { Pool } from "undici";
import { percentile } from "./table.ts";
import type { Sent } from "./wrk.ts";

/**
 * Requests that leave on schedule, whatever became of those before, and whose time counts from the schedule: a stall of the gateway
 * is then in the figures of all that came during it. A thread of its own, so that the bench's own work is not.
 */
export interface OpenLoopOptions {
  readonly perSecond: number;
  readonly seconds: number;
  readonly requests: readonly Sent[];
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly answers: number;
  /** Other statuses than 2xx, and requests without an answer. */
  readonly failed: number;
}

interface Work extends OpenLoopOptions {
  readonly base: string;
}

/** Connections are opened as they are needed, up to this. */
const CONNECTIONS_MAX = 512;
const PATIENCE_MS = 30_000;

export async function openLoop(base: string, options: OpenLoopOptions): Promise<Latency> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { base, ...options } satisfies Work });
  const [told] = (await once(worker, "message")) as [{ readonly ms: Float64Array; readonly failed: number }];
  const ms = [...told.ms];
  return {
    p50: percentile(ms, 0.5),
    p99: percentile(ms, 0.99),
    p999: percentile(ms, 0.999),
    answers: ms.length,
    failed: told.failed,
  };
}

async function run({ base, perSecond, seconds, requests }: Work): Promise<void> {
  const pool = new Pool(base, { connections: CONNECTIONS_MAX, pipelining: 1, bodyTimeout: PATIENCE_MS });
  const count = Math.round(perSecond * seconds);
  const ms = new Float64Array(count);
  let failed = 0;
  const send = async (index: number, dueMs: number): Promise<void> => {
    const { method = "GET", path, headers = {}, body = null } = requests[index % requests.length]!;
    try {
      const answer = await pool.request({ method, path, headers, body });
      await answer.body.dump();
      if (answer.statusCode >= 300) failed += 1;
    } catch {
      failed += 1;
    }
    ms[index] = performance.now() - dueMs;
  };
  const startedMs = performance.now();
  const running: Promise<void>[] = [];
  // Timers are not exact to the millisecond: what is due by now leaves, and its time counts from when it was due.
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(count, Math.floor(((performance.now() - startedMs) / 1_000) * perSecond));
      while (running.length < due) running.push(send(running.length, startedMs + (running.length * 1_000) / perSecond));
      if (running.length < count) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  await Promise.all(running);
  await pool.close();
  parentPort!.postMessage({ ms, failed });
}

if (parentPort) await run(workerData as Work);
