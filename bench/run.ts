import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { needs } from "../src/testing/needs.ts";
import { measureAccept } from "./p1-accept.ts";
import { measureEndToEnd } from "./p2-end-to-end.ts";
import { measurePurchase } from "./p3-purchase.ts";
import { measureBulk } from "./p4-bulk.ts";
import { measureGrowth } from "./p5-growth.ts";
import { measureOtp } from "./p6-otp.ts";
import { measureMemory } from "./p7-memory.ts";
import { measureCost } from "./p8-cost.ts";
import { measurePressure } from "./p9-pressure.ts";
import { measureWebhooks } from "./p10-webhooks.ts";
import { measureLatency } from "./p11-latency.ts";
import { measureNodes } from "./p12-nodes.ts";
import { profileLoad } from "./profile.ts";
import { RESULTS, type Run, readRun, verdictOf, writeReport } from "./report.ts";
import type { BenchOptions, Result } from "./result.ts";
import { table } from "./table.ts";

const MEASUREMENTS: Readonly<Record<string, (options: BenchOptions) => Promise<Result>>> = {
  P1: measureAccept,
  P2: measureEndToEnd,
  P3: measurePurchase,
  P4: measureBulk,
  P6: measureOtp,
  P8: measureCost,
  P9: measurePressure,
  P10: measureWebhooks,
  P11: measureLatency,
  P12: measureNodes,
};

const HELP = `npm run bench -- [--only P1,P2] [--seconds 8] [--rounds 3]

Measures Afara beside what it is compared with, in one run, and writes bench/results.json, bench/report.html
and bench/summary.svg. See bench/README.md.

  npm run bench                        everything but P5 and P7, about eighteen minutes
  npm run bench -- --only P1           acceptance against a bare Fastify
  npm run bench -- --only P2 --rounds 5
  npm run bench -- --only P5 --orders 1000000,3000000
                                       growth, and bench/plans.txt: some 4 minutes and 2.5 GB for each million
                                       orders (otherwise 1, 3 and 10 million)
  npm run bench -- --only P7 --orders 1000000
                                       memory: some 15 minutes for a million orders
  npm run bench -- --profile           where the time of P2's load goes: bench/profiles/gateway.svg, a flame graph,
                                       and PostgreSQL's functions
  npm run bench -- --report            bench/report.html and bench/summary.svg from the stored run

The load comes from Debian's wrk.`;

const OPTIONS = {
  only: { type: "string" },
  seconds: { type: "string", default: "8" },
  rounds: { type: "string", default: "3" },
  orders: { type: "string", default: "1000000,3000000,10000000" },
  profile: { type: "boolean", default: false },
  report: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

function argsGiven() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    return process.exit(1);
  }
}
const values = argsGiven();
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (values.report) {
  writeReport(readRun());
  process.exit(0);
}
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const missing = needs("wrk");
if (missing) {
  console.error(`The load comes from wrk: ${missing}.`);
  process.exit(1);
}
function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  console.error(`--${option} takes whole numbers from 1, not "${text}".`);
  process.exit(1);
}
if (values.profile) {
  const svg = join(import.meta.dirname, "profiles", "gateway.svg");
  console.log(await profileLoad(svg, `The gateway under P2's load, ${commit}`, numberOf("seconds", values.seconds)));
  console.log(`\nThe gateway: ${svg}`);
  process.exit(0);
}
/** Takes much longer, and a disk: only when it is asked for. */
const LONG: typeof MEASUREMENTS = { P5: measureGrowth, P7: measureMemory };
const ALL = { ...MEASUREMENTS, ...LONG };
const wanted = values.only?.toUpperCase().split(",") ?? Object.keys(MEASUREMENTS);
const unknown = wanted.filter((id) => !(id in ALL));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; there are ${Object.keys(ALL).join(", ")}.`);
  process.exit(1);
}

const options: BenchOptions = {
  seconds: numberOf("seconds", values.seconds),
  rounds: numberOf("rounds", values.rounds),
  orders: values.orders.split(",").map((text) => numberOf("orders", text)),
  progress: (line) => console.error(line),
};
const results: Result[] = [];
/** One that breaks off must not cost the others what they have measured. */
const broken: string[] = [];
for (const id of wanted)
  try {
    results.push(await ALL[id]!(options));
  } catch (error) {
    console.error(`${id} broke off: ${(error as Error).stack}`);
    broken.push(id);
  }

if (results.length === 0) {
  console.error("Nothing was measured; the stored run stays.");
  process.exit(1);
}
const machine = {
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  commit,
  at: new Date().toISOString(),
};
const run: Run = { machine, results };
writeFileSync(RESULTS, `${JSON.stringify(run, null, 2)}\n`);
writeReport(run);
console.log(
  `\n${machine.cores} cores of ${machine.processor}, Node ${machine.node}\n\n${table(
    ["", "what", "goal", "measured", ""],
    results.map((result) => [result.id, result.what, result.goal, result.value, verdictOf(result)]),
  )}`,
);
if (broken.length > 0) {
  console.error(`Not measured, as they broke off: ${broken.join(", ")}`);
  process.exitCode = 1;
}
