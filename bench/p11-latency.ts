import { setTimeout as wait } from "node:timers/promises";
import { makePartitions } from "../src/db/partitions.ts";
import { startGateway } from "../src/testing/gateway.ts";
import { type Bench, drained, messages, startBench } from "./gateway.ts";
import { type Latency, openLoop } from "./open-loop.ts";
import { numbers } from "./p4-bulk.ts";
import type { BenchOptions, Result } from "./result.ts";
import { load } from "./wrk.ts";

const CONNECTIONS = 256;
const SHARES = [0.1, 0.5, 0.8] as const;
/** Share of the highest rate at which what disturbs is tried. */
const DISTURBED = 0.5;
const BULK = 10_000;

/** The farthest month's, which are empty. */
const LAST_MONTH = `select name || to_char(now() at time zone 'UTC' + interval '3 months', '_YYYY_MM') as name
  from partitioned_tables`;

/** What goes on in the middle of a load. */
const DISTURBANCES: Readonly<Record<string, (bench: Bench) => Promise<unknown>>> = {
  checkpoint: ({ database }) => database.query("checkpoint"),
  "partitions removed and made": async ({ database }) => {
    const { rows } = await database.query<{ name: string }>(LAST_MONTH);
    // Each in a transaction of its own, as they are made: several would deadlock with the orders.
    for (const { name } of rows) await database.query(`drop table ${name}`);
    await makePartitions(database);
  },
  "a bulk of 10,000": ({ gateway }) =>
    gateway.call("POST", "/sms/bulk", { to: numbers(0, BULK), message: "We open at nine" }),
  "another node starts and stops": async ({ gateway }) => {
    const other = await startGateway({ dataDir: gateway.dataDir });
    await other.stop();
  },
};

/**
 * P11: the time to a committed 202 at a share of the highest rate, in open loop: requests leave on schedule and count from then. The
 * gateway does everything (role `all`), and what disturbs happens in mid-load.
 */
export async function measureLatency({ seconds, progress }: BenchOptions): Promise<Result> {
  const bench = await startBench();
  const figures: Record<string, number> = {};
  const take = (name: string, { p50, p99, p999, failed }: Latency) => {
    Object.assign(figures, { [`${name} p50`]: p50, [`${name} p99`]: p99, [`${name} p99.9`]: p999 });
    figures.failed = (figures.failed ?? 0) + failed;
    const ms = [p50, p99, p999].map((each) => each.toFixed(each < 10 ? 1 : 0)).join(", ");
    progress(`P11 ${name}: p50, p99, p99.9: ${ms} ms${failed > 0 ? `; ${failed} failed` : ""}`);
  };
  try {
    progress("P11: looking for the highest rate …");
    await load(bench.gateway.base, { connections: CONNECTIONS, seconds: 3, requests: messages() });
    const highest = await load(bench.gateway.base, { connections: CONNECTIONS, seconds, requests: messages() });
    figures.highestPerSecond = highest.perSecond;
    progress(`P11: ${highest.perSecond.toFixed(0)}/s at most`);
    const at = (share: number) => ({ perSecond: highest.perSecond * share, seconds, requests: messages() });
    await drained(bench);
    for (const share of SHARES) {
      take(`at ${share * 100} %`, await openLoop(bench.gateway.base, at(share)));
      await drained(bench);
    }
    for (const [name, disturb] of Object.entries(DISTURBANCES)) {
      const running = openLoop(bench.gateway.base, at(DISTURBED));
      await wait((seconds * 1_000) / 4);
      await disturb(bench);
      take(`${name}, at ${DISTURBED * 100} %`, await running);
      await drained(bench);
    }
  } finally {
    await bench.stop();
  }
  const [half, most] = [figures["at 50 % p99"]!, figures["at 80 % p99"]!];
  return {
    id: "P11",
    what: "time to a committed 202, in open loop, at shares of the highest rate",
    goal: "told, no goal",
    reached: undefined,
    value: `p99 ${half.toFixed(0)} ms at 50 %, ${most.toFixed(0)} ms at 80 %`,
    figures,
    note: "no goal",
  };
}
