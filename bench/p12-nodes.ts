import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { embeddedConnection } from "../src/db/embedded.ts";
import { SmscClient } from "../src/simulators/smsc/client.ts";
import { type Gateway, startGateway } from "../src/testing/gateway.ts";
import { writeTestConfig } from "../src/testing/test-config.ts";
import { cpuMsOf } from "./cpu.ts";
import { messages, startBench, usedSince } from "./gateway.ts";
import { quiet, steadyRate } from "./p2-end-to-end.ts";
import type { BenchOptions, Result } from "./result.ts";
import { deadlocksIn, sampleWaits, toldWaits } from "./waits.ts";
import { load } from "./wrk.ts";

const CONNECTIONS = 256;
const ACCOUNTS = [1, 100] as const;
const LAYOUTS: Readonly<Record<string, readonly ("all" | "api" | "dispatcher")[]>> = {
  "one node": ["all"],
  "an api and a dispatcher": ["api", "dispatcher"],
  "two of each": ["api", "api", "dispatcher", "dispatcher"],
};

/**
 * P12: P2's load on one PostgreSQL, from one account and from 100, by one node and by several of separate roles on the same cores: what is
 * accepted and what ends with a recorded receipt, where the database's sessions wait, and deadlocks.
 */
export async function measureNodes({ seconds, progress }: BenchOptions): Promise<Result> {
  const figures: Record<string, number> = {};
  for (const [layout, roles] of Object.entries(LAYOUTS))
    for (const [name, value] of Object.entries(await measureLayout(layout, roles, seconds, progress)))
      figures[`${layout}, ${name}`] = value;
  const deadlocks = Object.entries(figures).reduce((sum, [name, n]) => (name.endsWith("deadlocks") ? sum + n : sum), 0);
  const rate = (layout: string) => (figures[`${layout}, 100 accounts, receipts/s`] ?? 0).toFixed(0);
  return {
    id: "P12",
    what: "messages to their receipts from 100 accounts: one node, an api and a dispatcher, two of each",
    goal: "no deadlock",
    reached: deadlocks === 0,
    value: `${Object.keys(LAYOUTS).map(rate).join(", ")} a second; ${deadlocks} deadlocks`,
    figures,
  };
}

async function measureLayout(
  layout: string,
  roles: readonly string[],
  seconds: number,
  progress: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const dir = await mkdtemp(join(tmpdir(), "afara-bench-nodes-"));
  const config = await writeTestConfig(dir);
  // Only the first node that sends starts the SMSC.
  const others = await writeTestConfig(await mkdtemp(join(dir, "others-")), (own) => ({
    ...own,
    simulators: {
      ...own.simulators,
      smsc: { start: false, smppPort: config.smppPort, controlPort: config.controlPort },
    },
  }));
  const sender = roles.findIndex((role) => role !== "api");
  const node = (index: number) => ({
    AFARA_CONFIG: (index === sender ? config : others).path,
    AFARA_ROLE: roles[index]!,
  });
  const bench = await startBench(node(0));
  const gateways: Gateway[] = [bench.gateway];
  const watcher = new pg.Client(await embeddedConnection(bench.gateway.dataDir));
  const figures: Record<string, number> = {};
  try {
    await watcher.connect();
    for (let index = 1; index < roles.length; index++)
      gateways.push(await startGateway({ dataDir: bench.gateway.dataDir, environment: node(index) }));
    const doors = gateways.filter((_, index) => roles[index] !== "dispatcher");
    const client = new SmscClient(config.controlPort, fetch);
    const cpuMs = () => gateways.map(({ pid }) => cpuMsOf(pid));

    for (const accounts of ACCOUNTS) {
      const requests = messages(await bench.keys(accounts));
      const run = (length: number) => {
        const each = { connections: CONNECTIONS / doors.length, seconds: length, requests };
        return Promise.all(doors.map(({ base }) => load(base, each)));
      };
      await run(3);
      await quiet(client);
      const [before, cpuBefore, waits] = [await bench.used(), cpuMs(), sampleWaits(watcher)];
      const running = run(seconds);
      const receipts = await steadyRate(client, running, seconds);
      const accepted = (await running).reduce((sum, { perSecond }) => sum + perSecond, 0);
      const shares = await waits.stop();
      await quiet(client);
      const used = usedSince(before, await bench.used());
      const cores = (ms: number) => ms / (seconds * 1_000);
      const name = accounts === 1 ? "one account" : `${accounts} accounts`;
      figures[`${name}, accepted/s`] = accepted;
      figures[`${name}, receipts/s`] = receipts;
      for (const [at, share] of Object.entries(shares).slice(0, 6)) figures[`${name}, sessions at ${at}`] = share;
      const nodes = cpuMs().map((ms, index) => cores(ms - cpuBefore[index]!).toFixed(2));
      progress(
        `P12 ${layout}, ${name}: ${accepted.toFixed(0)}/s accepted, ${receipts.toFixed(0)}/s to the receipt; cores: nodes ${nodes.join(" + ")}, PostgreSQL ${cores(used.postgresMs).toFixed(2)}; sessions: ${toldWaits(shares)}`,
      );
    }
    figures.deadlocks = await deadlocksIn(watcher);
  } finally {
    await watcher.end();
    for (const gateway of gateways.slice(1)) await gateway.stop();
    await bench.stop();
    await rm(dir, { recursive: true, force: true });
  }
  return figures;
}
