import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The Fastify that P1 and P8 compare with, in a process of its own. */
export interface Bare {
  readonly base: string;
  readonly pid: number;
  stop(): void;
}

export async function startBare(): Promise<Bare> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare-fastify.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { base: line.toString().trim(), pid: child.pid!, stop: () => child.stdin.end() };
}
