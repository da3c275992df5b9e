import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { embeddedConnection } from "../../src/db/embedded.ts";
import { endWithFile } from "../../src/testing/end-with-file.ts";
import { PLACE_OF_RUN } from "../../src/testing/run-environment.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/** A program of its own whose output is kept. */
export interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

export interface Start {
  readonly command: readonly [string, ...string[]];
  readonly cwd?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Another user to run it as; only root may. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** A process group of its own, as a terminal gives it: Ctrl-C is then a signal to the group. */
  readonly detached?: boolean;
}

export function startProgram({ command: [program, ...args], cwd, environment, user, detached }: Start): Running {
  const child = spawn(program, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...PLACE_OF_RUN, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
    ...(detached && { detached }),
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  endWithFile(child, { group: detached === true });
  return { child, output: () => output, ended };
}

/** The first line of the output that matches. */
export const lineOf = (running: Running, pattern: RegExp, timeoutMs?: number): Promise<string> =>
  waitFor(
    `a line like ${pattern}`,
    () => {
      if (running.child.exitCode !== null) throw new Error(`it ended:\n${running.output()}`);
      return running
        .output()
        .split("\n")
        .find((line) => pattern.test(line));
    },
    timeoutMs,
  );

export const MAIN = join(import.meta.dirname, "..", "..", "src", "main.ts");

/** A user without rights that every Unix has. */
export const NOBODY = { uid: 65_534, gid: 65_534 };
export const needsRoot: string | false = process.getuid?.() === 0 ? false : "needs to run as root to become others";

/** Asks the database that a gateway with this data directory runs. */
export async function askDatabase<Row extends pg.QueryResultRow>(dataDir: string, question: string): Promise<Row> {
  const client = new pg.Client(await embeddedConnection(dataDir));
  await client.connect();
  try {
    return (await client.query<Row>(question)).rows[0]!;
  } finally {
    await client.end();
  }
}

/** The embedded server of a data directory: its process and where its files are. It must be running. */
export async function postgresOf(dataDir: string): Promise<{ readonly pid: number; readonly directory: string }> {
  const { data_directory: directory } = await askDatabase<{ data_directory: string }>(dataDir, "show data_directory");
  return { pid: Number(readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n")[0]), directory };
}

/** Whether a server runs in a database directory: it removes its lock file when it ends in order. */
export const isRunning = (directory: string): boolean => existsSync(join(directory, "postmaster.pid"));
