import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface SmscProcessOptions {
  readonly dataDir: string;
  readonly host?: string;
  /** 0 or absent: a free one. */
  readonly smppPort?: number;
  readonly controlPort?: number;
  /** Passwords by system id; without any, every system id may bind. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** False: it outlives this process. */
  readonly exitWithParent?: boolean;
}

export interface SmscProcess {
  readonly smppPort: number;
  readonly controlPort: number;
  readonly pid: number;
  /** Settles when the process has ended, however that came about. */
  readonly ended: Promise<void>;
  /** Ends it in order, by force when that takes too long, and waits for the end. Safe to call twice. */
  stop(): Promise<void>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
}

/** Longer than any simulator in order takes to unbind its sessions. */
const STOP_MS_MAX = 5_000;

/** What is kept of stderr for the error message. */
const COMPLAINT_CHARACTERS = 4_000;

/**
 * What the simulator keeps is bounded and needs half of this; without a limit the collector lets the process grow to several
 * times as much before it looks.
 */
const HEAP_LIMIT = "--max-old-space-size=512";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

/** Starts the simulator in a process of its own. Resolves when it listens; rejects with what it said when it ends before. */
export async function startSmsc(options: SmscProcessOptions): Promise<SmscProcess> {
  const child = spawn(process.execPath, [HEAP_LIMIT, MAIN, ...argumentsOf(options)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_CHARACTERS);
  });
  await once(child, "spawn");
  const ready = await readyLine(child);
  if (!ready || child.pid === undefined) {
    await ended;
    throw new Error(`the SMSC simulator did not start: ${complaint.trim() || `exit code ${child.exitCode}`}`);
  }
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  const stop = async () => {
    // One that ends with its parent takes the end of its stdin for the parent's, and no signal but SIGKILL.
    child.stdin.end();
    if (options.exitWithParent === false) child.kill("SIGTERM");
    const force = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
    await ended;
    clearTimeout(force);
  };
  return { ...ready, pid: child.pid, ended, stop, kill };
}

function argumentsOf(options: SmscProcessOptions): string[] {
  const { dataDir, host = "127.0.0.1", smppPort = 0, controlPort = 0, accounts = {}, exitWithParent = true } = options;
  return [
    `--data=${dataDir}`,
    `--host=${host}`,
    `--port=${smppPort}`,
    `--control-port=${controlPort}`,
    ...Object.entries(accounts).map(([systemId, password]) => `--account=${systemId}:${password}`),
    ...(exitWithParent ? ["--exit-with-parent"] : []),
  ];
}

/** Ports from the first line, or undefined when the process ends without one. */
async function readyLine(child: ChildProcess): Promise<{ smppPort: number; controlPort: number } | undefined> {
  if (!child.stdout) return undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const { smppPort, controlPort } = JSON.parse(line);
    // Whatever follows is read and dropped: an unread pipe would keep the process's end from being seen.
    child.stdout.resume();
    return { smppPort, controlPort };
  }
  return undefined;
}
