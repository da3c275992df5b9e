import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureAccept } from "./p1-accept.ts";
import { measureEndToEnd } from "./p2-end-to-end.ts";
import { measurePurchase } from "./p3-purchase.ts";
import { measureBulk } from "./p4-bulk.ts";
import { measureOtp } from "./p6-otp.ts";
import { measurePressure } from "./p9-pressure.ts";
import { measureWebhooks } from "./p10-webhooks.ts";
import type { BenchOptions, Result } from "./result.ts";
import { table } from "./table.ts";

const MEASUREMENTS: Readonly<Record<string, (options: BenchOptions) => Promise<Result>>> = {
  P1: measureAccept,
  P2: measureEndToEnd,
  P3: measurePurchase,
  P4: measureBulk,
  P6: measureOtp,
  P9: measurePressure,
  P10: measureWebhooks,
};

const HELP = `npm run bench -- [--only P1,P2] [--seconds 8] [--rounds 3]

Measures Afara beside what it is compared with, in one run, and writes bench/results.json. See bench/README.md.

  npm run bench                        everything, about eight minutes
  npm run bench -- --only P1           acceptance against a bare Fastify
  npm run bench -- --only P2 --rounds 5`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const wanted = values.only?.toUpperCase().split(",") ?? Object.keys(MEASUREMENTS);
const unknown = wanted.filter((id) => !(id in MEASUREMENTS));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; there are ${Object.keys(MEASUREMENTS).join(", ")}.`);
  process.exit(1);
}

const options: BenchOptions = {
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  progress: (line) => console.error(line),
};
const results: Result[] = [];
for (const id of wanted) results.push(await MEASUREMENTS[id]!(options));

const machine = {
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
  at: new Date().toISOString(),
};
writeFileSync(join(import.meta.dirname, "results.json"), `${JSON.stringify({ machine, results }, null, 2)}\n`);
const verdict = ({ reached, note }: Result) =>
  reached === undefined ? `not compared (${note})` : reached ? "reached" : "NOT reached";
console.log(
  `\n${machine.cores} cores of ${machine.processor}, Node ${machine.node}\n\n${table(
    ["", "what", "goal", "measured", ""],
    results.map((result) => [result.id, result.what, result.goal, result.value, verdict(result)]),
  )}`,
);
