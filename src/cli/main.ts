import { userInfo } from "node:os";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { projectRoot } from "../config.ts";
import { runCli } from "./program.ts";

/** `./afara …`: the environment in, an exit code out. */
process.exitCode = await runCli(
  process.argv.slice(2),
  {
    environment: process.env,
    root: dirname(projectRoot(import.meta.filename)),
    ...systemUser(),
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
    readInput,
  },
  {
    print: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
  },
);

function readInput(hint: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(`${hint}\n`);
  return text(process.stdin);
}

/** In a container the user may have a number and no name. */
function systemUser(): { readonly user?: string } {
  try {
    return { user: userInfo().username };
  } catch {
    return {};
  }
}
