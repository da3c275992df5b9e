import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { SmscClient } from "../src/simulators/smsc/client.ts";
import { writeTestConfig } from "../src/testing/test-config.ts";
import { waitFor } from "../src/testing/wait-for.ts";
import { flameGraph } from "./flame.ts";
import { messages, startBench } from "./gateway.ts";
import { quiet } from "./p2-end-to-end.ts";
import { table } from "./table.ts";
import { load } from "./wrk.ts";

const CONNECTIONS = 256;
const WARM_UP_SECONDS = 5;
const PROFILED = pathToFileURL(join(import.meta.dirname, "profiled.ts")).href;

/** Functions with less are left out, in µs of a message. */
const LEAST_US = 1;

/**
 * Where the time of P2's load goes: a flame graph of the gateway's main thread into `svg`, and PostgreSQL's functions by message, as a
 * table.
 */
export async function profileLoad(svg: string, title: string, seconds: number): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "afara-bench-profile-"));
  const file = join(dir, "gateway.cpuprofile");
  const config = await writeTestConfig(dir);
  const bench = await startBench({
    AFARA_CONFIG: config.path,
    AFARA_BENCH_PROFILE: file,
    NODE_OPTIONS: `--import=${PROFILED}`,
  });
  const client = new SmscClient(config.controlPort, fetch);
  const options = (length: number) => ({ connections: CONNECTIONS, seconds: length, requests: messages() });
  try {
    await bench.database.query("alter system set track_functions = 'all'");
    await bench.database.query("select pg_reload_conf()");
    await load(bench.gateway.base, options(WARM_UP_SECONDS));
    await quiet(client);
    await bench.database.query("select pg_stat_reset()");
    const before = (await client.stats()).receiptsAcknowledged;
    process.kill(bench.gateway.pid, "SIGUSR2");
    await load(bench.gateway.base, options(seconds));
    process.kill(bench.gateway.pid, "SIGUSR2");
    await quiet(client);
    await waitFor("the profile", () => existsSync(file));
    const count = (await client.stats()).receiptsAcknowledged - before;
    await writeFile(svg, flameGraph(JSON.parse(await readFile(file, "utf8")), title));
    return await functionsOf(bench.database, count);
  } finally {
    await bench.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** By the time of its own, without that of functions that it calls. */
async function functionsOf(database: pg.Client, count: number): Promise<string> {
  const { rows } = await database.query<{ name: string; calls: number; ms: number; own: number }>(
    `select funcname as name, calls::float8 as calls, total_time / calls as ms, self_time as own
       from pg_stat_user_functions where calls > 0 order by self_time desc`,
  );
  const shown = rows
    .map((row) => ({ ...row, us: (row.own * 1_000) / count }))
    .filter(({ us }) => us >= LEAST_US)
    .map(({ name, calls, ms, us }) => [name, us.toFixed(0), (count / calls).toFixed(0), ms.toFixed(2)]);
  return table(["function", "µs of a message", "messages a call", "ms a call"], shown);
}
