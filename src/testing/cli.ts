import { join } from "node:path";
import { runCli } from "../cli/program.ts";

const ROOT = join(import.meta.dirname, "..", "..");

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What `--json` printed. */
  readonly json: <Value = Record<string, unknown>>() => Value;
}

export type Afara = (
  args: readonly string[],
  more?: Readonly<Record<string, string>>,
  /** What comes on the standard input. */
  input?: string,
) => Promise<CliRun>;

/** `./afara …` in this process, in an environment of its own. */
export const makeCli =
  (environment: Readonly<Record<string, string>>): Afara =>
  async (args, more = {}, input = "") => {
    let out = "";
    let err = "";
    const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
    const code = await runCli(
      args,
      { environment: { ...environment, ...more }, root: ROOT, clock, readInput: async () => input },
      { print: (text) => (out += `${text}\n`), complain: (text) => (err += `${text}\n`) },
    );
    return { code, out, err, json: <Value>() => JSON.parse(out) as Value };
  };
