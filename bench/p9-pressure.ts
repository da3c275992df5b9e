import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { makeTestAccount, readSecret } from "../src/testing/account.ts";
import type { BystanderData, BystanderTimes } from "./bystander.ts";
import { startBench } from "./gateway.ts";
import type { BenchOptions, Result } from "./result.ts";
import { percentile } from "./table.ts";

const GOAL_MS = 500;
const RECIPIENTS = 10_000;
const IDLE_SECONDS = 5;
const PATIENCE_MS = 30_000;

/** What one subscriber sends at once, on which plan. */
const LOADS: readonly (readonly [name: string, plan: string, bulks: number])[] = [
  ["one bulk of 3.7 MB", "scale", 1],
  ["20 at once", "scale", 20],
  ["60 by a key of the plan growth", "growth", 60],
  ["200 at once", "scale", 200],
];

/** P9: how long a bystander waits for the 202 of a single message while one other subscriber sends large bulks. */
export async function measurePressure({ progress }: BenchOptions): Promise<Result> {
  const bench = await startBench();
  const { base, dataDir, pid } = bench.gateway;
  const secret = await readSecret(dataDir);
  const account = (plan: string) => makeTestAccount(bench.database, { secret, plan, balance: "1000000000.00" });
  const bystander = new Worker(new URL("./bystander.ts", import.meta.url), {
    workerData: {
      base,
      key: (await account("scale")).key,
      everyMs: 50,
      patienceMs: PATIENCE_MS,
    } satisfies BystanderData,
  });
  const through = async (act: () => Promise<unknown>): Promise<BystanderTimes> => {
    bystander.postMessage("start");
    await act();
    const told = once(bystander, "message");
    bystander.postMessage("stop");
    return (await told)[0] as BystanderTimes;
  };
  const figures: Record<string, number> = {};
  let worst = 0;
  try {
    await through(() => wait(1_000)); // warm-up
    const idle = await through(() => wait(IDLE_SECONDS * 1_000));
    const idleP99 = percentile(idle.ms, 0.99);
    figures["idle p99"] = idleP99;
    progress(`P9 idle: p99 ${idleP99.toFixed(0)} ms`);
    for (const [name, plan, bulks] of LOADS) {
      const { key } = await account(plan);
      const bodies = Array.from({ length: bulks }, (_, index) => bulkBody(index));
      let statuses: Record<string, number> = {};
      const startedMs = performance.now();
      const times = await through(async () => {
        statuses = tally(await Promise.all(bodies.map((body) => post(base, key, body))));
        await wait(500);
      });
      const p99 = percentile(times.ms, 0.99);
      worst = Math.max(worst, p99);
      const peakMiB = await peakMemory(pid);
      Object.assign(figures, {
        [`${name} p99`]: p99,
        [`${name} refused`]: times.failed.length,
        [`${name} peak MiB`]: peakMiB,
      });
      progress(
        `P9 ${name}: p50 ${percentile(times.ms, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${times.ms.length}, ${times.failed.length} failed ${[...new Set(times.failed)]}; bulks ${JSON.stringify(statuses)} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s; peak ${peakMiB} MiB`,
      );
    }
  } finally {
    await bystander.terminate();
    await bench.stop();
  }
  return {
    id: "P9",
    what: "a bystander's single send while another subscriber sends bulks of 3.7 MB, p99",
    goal: `≤ ${GOAL_MS} ms`,
    reached: worst <= GOAL_MS,
    value: `${Math.round(worst)} ms`,
    figures,
  };
}

const TEXT =
  "Dear customer, your order is ready at our branch. Kindly come with your receipt and this code to the counter. ";

const bulkBody = (bulk: number): string =>
  JSON.stringify({
    messages: Array.from({ length: RECIPIENTS }, (_, index) => ({
      to: `+234803${String(bulk * RECIPIENTS + index).padStart(7, "0")}`,
      message: `${index} ${TEXT.repeat(3).slice(0, 250)}`,
      reference: `order-${bulk}-${index}`,
    })),
  });

const tally = (words: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

/** The status, or why there is none. A connection of its own for each, as many clients have it. */
const post = (base: string, key: string, body: string): Promise<string> =>
  new Promise((resolve) => {
    const sent = request(`${base}/sms/bulk`, {
      method: "POST",
      agent: false,
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), "x-api-key": key },
    });
    sent.on("response", (answer) => {
      answer.resume();
      answer.once("end", () => resolve(String(answer.statusCode)));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    sent.end(body);
  });

const peakMemory = async (pid: number): Promise<number> =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
