import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { load, startBench } from "./gateway.ts";
import type { BenchOptions, Result } from "./result.ts";
import { median } from "./table.ts";

const CONNECTIONS = 256;
const GOAL = 0.5;

/**
 * P1: how many messages a second are accepted and committed, against a Fastify that stores nothing. The gateway runs as an
 * `api` node: what is measured is acceptance, and the dispatcher is P2's.
 */
export async function measureAccept({ seconds, rounds, progress }: BenchOptions): Promise<Result> {
  const bare = spawn(process.execPath, [join(import.meta.dirname, "bare-fastify.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(bare.stdout, "data")) as [Buffer];
  const bareBase = line.toString().trim();
  const bench = await startBench({ AFARA_ROLE: "api" });
  const ours: number[] = [];
  const theirs: number[] = [];
  let refused = 0;
  try {
    progress("P1: warming up …");
    await load(bareBase, CONNECTIONS, 2);
    await load(bench.gateway.base, CONNECTIONS, 3);
    for (let round = 1; round <= rounds; round++) {
      const bareRun = await load(bareBase, CONNECTIONS, seconds);
      const run = await load(bench.gateway.base, CONNECTIONS, seconds);
      refused += run.non2xx + run.errors;
      theirs.push(bareRun.requests.average);
      ours.push(run.requests.average);
      progress(
        `P1 ${round}/${rounds}: bare ${bareRun.requests.average.toFixed(0)}/s, Afara ${run.requests.average.toFixed(0)}/s`,
      );
    }
  } finally {
    bare.stdin.end();
    await bench.stop();
  }
  const ratio = median(ours.map((rate, round) => rate / theirs[round]!));
  return {
    id: "P1",
    what: `POST /sms/send accepted and committed, ${CONNECTIONS} connections, against a bare Fastify`,
    goal: `≥ ${GOAL} of its rate`,
    reached: ratio >= GOAL && refused === 0,
    value: `${ratio.toFixed(2)} of its rate`,
    figures: { ratio, afaraPerSecond: ours, barePerSecond: theirs, refused },
  };
}
