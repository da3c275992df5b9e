import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SmscClient } from "../src/simulators/smsc/client.ts";
import { writeTestConfig } from "../src/testing/test-config.ts";
import { startBare } from "./bare.ts";
import { cpuMsOf } from "./cpu.ts";
import { messages, startBench, usedSince } from "./gateway.ts";
import { quiet } from "./p2-end-to-end.ts";
import type { BenchOptions, Result } from "./result.ts";
import { median } from "./table.ts";
import { load } from "./wrk.ts";

const CONNECTIONS = 256;
const GOAL = { gateway: 5, postgres: 4, walKB: 2.5 };

/**
 * P8: what an SMS costs from its request to its recorded receipt: CPU of the gateway and of PostgreSQL, counted in requests to a bare
 * Fastify of the same form, which stores nothing; and bytes of the write-ahead log.
 */
export async function measureCost({ seconds, rounds, progress }: BenchOptions): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), "afara-bench-cost-"));
  const config = await writeTestConfig(dir);
  const bare = await startBare();
  const bench = await startBench({ AFARA_CONFIG: config.path });
  const client = new SmscClient(config.controlPort, fetch);
  const bareMs: number[] = [];
  const gateway: number[] = [];
  const postgres: number[] = [];
  const walKB: number[] = [];
  const options = (length: number) => ({ connections: CONNECTIONS, seconds: length, requests: messages() });
  try {
    progress("P8: warming up …");
    await load(bare.base, options(2));
    await load(bench.gateway.base, options(5));
    await quiet(client);
    for (let round = 1; round <= rounds; round++) {
      const bareBeforeMs = cpuMsOf(bare.pid);
      const bareRun = await load(bare.base, options(seconds));
      const eachMs = (cpuMsOf(bare.pid) - bareBeforeMs) / bareRun.answers;
      const [before, receiptsBefore] = [await bench.used(), (await client.stats()).receiptsAcknowledged];
      await load(bench.gateway.base, options(seconds));
      await quiet(client);
      const used = usedSince(before, await bench.used());
      const sms = (await client.stats()).receiptsAcknowledged - receiptsBefore;
      bareMs.push(eachMs);
      gateway.push(used.gatewayMs / sms / eachMs);
      postgres.push(used.postgresMs / sms / eachMs);
      walKB.push(used.walBytes / sms / 1_000);
      progress(
        `P8 ${round}/${rounds}: a bare request ${eachMs.toFixed(3)} ms; an SMS ${gateway.at(-1)!.toFixed(1)} of it in the gateway and ${postgres.at(-1)!.toFixed(1)} in PostgreSQL, ${walKB.at(-1)!.toFixed(1)} kB of log`,
      );
    }
  } finally {
    bare.stop();
    await bench.stop();
    await rm(dir, { recursive: true, force: true });
  }
  const [ours, database, log] = [median(gateway), median(postgres), median(walKB)];
  return {
    id: "P8",
    what: "CPU of an SMS from request to receipt, in bare requests; bytes of the write-ahead log",
    goal: `gateway ≤ ${GOAL.gateway}, PostgreSQL ≤ ${GOAL.postgres}, ≤ ${GOAL.walKB} kB`,
    reached: ours <= GOAL.gateway && database <= GOAL.postgres && log <= GOAL.walKB,
    value: `gateway ${ours.toFixed(1)}, PostgreSQL ${database.toFixed(1)}, ${log.toFixed(1)} kB`,
    figures: { gateway, postgres, walKB, bareMs },
  };
}
