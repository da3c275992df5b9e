import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A simulator in a process of its own. */
export interface SimulatorProcess {
  readonly pid: number;
  /** Settles when the process has ended, however that came about. */
  readonly ended: Promise<void>;
  /** Ends it in order, by force when that takes too long, and waits for the end. Safe to call twice. */
  stop(): Promise<void>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
}

export interface ChildOptions {
  /** In messages. */
  readonly name: string;
  /** Its program. */
  readonly main: URL;
  readonly args: readonly string[];
  readonly heapMegabytesMax: number;
  /** False: it outlives this process. */
  readonly exitWithParent: boolean;
}

/** Longer than any simulator in order takes to hang up on its peers. */
const STOP_MS_MAX = 5_000;

/** What is kept of stderr for the error message. */
const COMPLAINT_CHARACTERS = 4_000;

/** Starts it. Resolves with what its ready line says once it listens; rejects with what it said when it ends before. */
export async function startChild<Ready>(options: ChildOptions): Promise<SimulatorProcess & { readonly ready: Ready }> {
  const { name, main, args, heapMegabytesMax, exitWithParent } = options;
  const flags = exitWithParent ? ["--exit-with-parent"] : [];
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMegabytesMax}`, fileURLToPath(main), ...args, ...flags],
    { stdio: ["pipe", "pipe", "pipe"] },
  );
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_CHARACTERS);
  });
  await once(child, "spawn");
  const line = await readyLine(child);
  if (line === undefined || child.pid === undefined) {
    await ended;
    throw new Error(`${name} did not start: ${complaint.trim() || `exit code ${child.exitCode}`}`);
  }
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  const stop = async () => {
    // One that ends with its parent takes the end of its stdin for the parent's, and no signal but SIGKILL.
    child.stdin.end();
    if (!exitWithParent) child.kill("SIGTERM");
    const force = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
    await ended;
    clearTimeout(force);
  };
  // Both ends are of one version: the program is this folder's.
  return { ready: JSON.parse(line) as Ready, pid: child.pid, ended, stop, kill };
}

/** The first line, or undefined when the process ends without one. */
async function readyLine(child: ChildProcess): Promise<string | undefined> {
  if (!child.stdout) return undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    // Whatever follows is read and dropped: an unread pipe would keep the process's end from being seen.
    child.stdout.resume();
    return line;
  }
  return undefined;
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** In the child: when to end. */
export function endInOrder(stop: () => Promise<void>, exitWithParent: boolean): void {
  const end = async (): Promise<void> => {
    await stop();
    process.exit(0);
  };
  if (exitWithParent) {
    process.stdin.on("end", end).on("error", end).resume();
    // Ctrl-C and a service manager's SIGTERM reach the whole group of processes, but it is the parent that knows in which
    // order they end: its requests still need somebody who takes them.
    for (const signal of SIGNALS) process.on(signal, () => undefined);
  } else for (const signal of SIGNALS) process.on(signal, end);
}
