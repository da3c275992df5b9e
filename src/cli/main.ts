import { userInfo } from "node:os";
import { dirname } from "node:path";
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
  },
  {
    print: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
  },
);

/** In a container the user may have a number and no name. */
function systemUser(): { readonly user?: string } {
  try {
    return { user: userInfo().username };
  } catch {
    return {};
  }
}
