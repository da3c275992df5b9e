import { dirname } from "node:path";
import { projectRoot } from "../config.ts";
import { runCli } from "./program.ts";

/** `./afara …`: the environment in, an exit code out. */
process.exitCode = await runCli(
  process.argv.slice(2),
  {
    environment: process.env,
    root: dirname(projectRoot(import.meta.filename)),
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
  },
  {
    print: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
  },
);
