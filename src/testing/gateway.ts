import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endWithFile } from "./end-with-file.ts";
import { PLACE_OF_RUN } from "./run-environment.ts";
import { waitFor } from "./wait-for.ts";

export { makeDataDir } from "./data-dir.ts";

/** The running program, as an operator runs it, in a process of its own with a data directory of its own. */
export interface Gateway {
  readonly base: string;
  readonly key: string;
  readonly pid: number;
  readonly dataDir: string;
  /** What it has printed so far, both streams. */
  readonly output: () => string;
  /** A call with the test key; `body` makes it a POST. */
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Any signal, e.g. SIGKILL or SIGSTOP; does not wait. */
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<number | null>;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A test key with a right checksum, the same for every gateway of the tests. */
export const TEST_KEY = "afara_test_0123456789ABCDEFGHIJabcdefghij29pf72";

const MAIN = join(import.meta.dirname, "..", "main.ts");

/** Below the ports that the system gives to outgoing connections, of which a test run opens thousands. */
const PORTS = { from: 15_000, to: 32_000 };

/**
 * A port that is free now and that no other file of the run is given: between our look and its use it would look free to
 * others, and who then asks the wrong gateway is told that his key is unknown. Claims last as long as the run's directory.
 */
export async function freePort(): Promise<number> {
  const claims = join(tmpdir(), "afara-ports");
  await mkdir(claims, { recursive: true });
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const isOurs = await mkdir(join(claims, String(port))).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false; // another file's
        throw error;
      },
    );
    if (isOurs && (await isFree(port))) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

export interface GatewayStart {
  readonly dataDir: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a gateway and waits until it is ready. `environment` adds to, or overrides, what the tests set. */
export async function startGateway(options: GatewayStart): Promise<Gateway> {
  const port = Number(options.environment?.AFARA_PORT ?? (await freePort()));
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...PLACE_OF_RUN,
      AFARA_DATA_DIR: options.dataDir,
      AFARA_PORT: String(port),
      AFARA_TEST_KEY: TEST_KEY,
      AFARA_LOG_LEVEL: "warn",
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithFile(child);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let exited = false;
  void ended.then(() => (exited = true));

  const base = `http://127.0.0.1:${port}`;
  const isUp = async () => {
    if (exited) throw new Error(`the gateway ended:\n${output}`);
    if (options.environment?.AFARA_ROLE === "dispatcher") return output.includes("dispatches") || undefined;
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    return answer?.ok;
  };
  await waitFor("the gateway's /readyz", isUp);

  return {
    base,
    key: TEST_KEY,
    pid: child.pid as number,
    dataDir: options.dataDir,
    output: () => output,
    ended,
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill("SIGTERM");
      return ended;
    },
    async call<Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          "x-api-key": TEST_KEY,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: (text === "" ? undefined : JSON.parse(text)) as Body,
      };
    },
  };
}
