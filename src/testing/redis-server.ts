import { spawn } from "node:child_process";
import { connect } from "node:net";
import { endWithFile } from "./end-with-file.ts";
import { freePort } from "./gateway.ts";
import { waitFor } from "./wait-for.ts";

export interface RedisServer {
  readonly url: string;
  /** SIGKILL, or e.g. SIGSTOP: a server that keeps its connections and says nothing. */
  signal(name: NodeJS.Signals): void;
  /** Kills it and waits for its end. */
  kill(): Promise<void>;
  /** Starts it anew, empty, on the same port. */
  start(): Promise<void>;
}

/** Debian's redis-server without files, on a free port. It ends with the test file. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const run = async () => {
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    const child = spawn("redis-server", args, { stdio: "ignore" });
    endWithFile(child);
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    await waitFor("redis-server to listen", () => listens(port));
    return { child, ended };
  };
  let running = await run();
  return {
    url: `redis://127.0.0.1:${port}`,
    signal: (name) => void running.child.kill(name),
    async kill() {
      running.child.kill("SIGKILL");
      await running.ended;
    },
    async start() {
      running = await run();
    },
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
