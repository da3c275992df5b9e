import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SmscClient } from "../src/simulators/smsc/client.ts";
import { needs } from "../src/testing/needs.ts";
import { writeTestConfig } from "../src/testing/test-config.ts";
import { messages, startBench, usedSince } from "./gateway.ts";
import { loadKannel, startKannel } from "./kannel.ts";
import type { BenchOptions, Result } from "./result.ts";
import { median } from "./table.ts";
import { load } from "./wrk.ts";

const CONNECTIONS = 256;
const GOAL = 3;

/**
 * P2: end to end, from the HTTP request to the delivery receipt that the sender's side has recorded and acknowledged, against
 * Kannel at the same SMSC. The SMSC counts: acknowledged receipts a second in the middle of a steady load. Kannel stores its
 * messages in its spool and its receipts' addresses in memory, and calls a URL for each receipt, as it does in production.
 */
export async function measureEndToEnd({ seconds, rounds, progress }: BenchOptions): Promise<Result> {
  const missing = needs("kannel");
  const dir = await mkdtemp(join(tmpdir(), "afara-bench-smsc-"));
  const config = await writeTestConfig(dir);
  const bench = await startBench({ AFARA_CONFIG: config.path });
  const client = new SmscClient(config.controlPort, fetch);
  const kannel = missing ? undefined : await startKannel(config.smppPort);
  const ours: number[] = [];
  const theirs: number[] = [];
  /** Cores used meanwhile. */
  const cores = { kannel: [] as number[], gateway: [] as number[], postgres: [] as number[] };
  const coresOf = (ms: number) => ms / (seconds * 1_000);
  try {
    progress("P2: warming up …");
    await steadyRate(
      client,
      load(bench.gateway.base, { connections: CONNECTIONS, seconds: 5, requests: messages() }),
      5,
    );
    await quiet(client);
    for (let round = 1; round <= rounds; round++) {
      if (kannel) {
        const beforeMs = kannel.cpuMs();
        theirs.push(await steadyRate(client, loadKannel(kannel, CONNECTIONS, seconds), seconds));
        cores.kannel.push(coresOf(kannel.cpuMs() - beforeMs));
      }
      await quiet(client);
      const options = { connections: CONNECTIONS, seconds, requests: messages() };
      const before = await bench.used();
      ours.push(await steadyRate(client, load(bench.gateway.base, options), seconds));
      const used = usedSince(before, await bench.used());
      cores.gateway.push(coresOf(used.gatewayMs));
      cores.postgres.push(coresOf(used.postgresMs));
      await quiet(client);
      const last = (values: readonly number[]) => values.at(-1)!.toFixed(2);
      const other = kannel ? `Kannel ${theirs.at(-1)!.toFixed(0)}/s (cores: ${last(cores.kannel)}), ` : "";
      progress(
        `P2 ${round}/${rounds}: ${other}Afara ${ours.at(-1)!.toFixed(0)}/s end to end (cores: itself ${last(cores.gateway)}, PostgreSQL ${last(cores.postgres)})`,
      );
    }
  } finally {
    await kannel?.stop();
    await bench.stop();
    await rm(dir, { recursive: true, force: true });
  }
  const figures = {
    afaraPerSecond: ours,
    kannelPerSecond: theirs,
    kannelCores: cores.kannel,
    gatewayCores: cores.gateway,
    postgresCores: cores.postgres,
  };
  const base = {
    id: "P2" as const,
    what: "accepted → submit_sm → receipt recorded, against Kannel 1.4.5 at the same SMSC",
    goal: `≥ ${GOAL} × its rate`,
  };
  if (!kannel)
    return { ...base, reached: undefined, value: `${median(ours).toFixed(0)}/s`, figures, note: missing || "" };
  const ratio = median(ours.map((rate, round) => rate / theirs[round]!));
  return { ...base, reached: ratio >= GOAL, value: `${ratio.toFixed(1)} × its rate`, figures: { ratio, ...figures } };
}

/** Receipts acknowledged a second, over the middle of a load: its first and last fifth are start and end, not steady. */
export async function steadyRate(client: SmscClient, running: Promise<unknown>, seconds: number): Promise<number> {
  const pause = (share: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000 * share));
  const look = async () => ({ receipts: (await client.stats()).receiptsAcknowledged, atMs: performance.now() });
  await pause(0.2);
  const first = await look();
  await pause(0.6);
  const last = await look();
  await running;
  return ((last.receipts - first.receipts) / (last.atMs - first.atMs)) * 1_000;
}

/** Until nothing more arrives: a backlog of one side must not run into the other's round. */
export async function quiet(client: SmscClient): Promise<void> {
  for (let before = -1, now = 0; before !== now; ) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    now = (await client.stats()).receiptsAcknowledged;
  }
}
