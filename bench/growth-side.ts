import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Uuid } from "../src/kernel/ids.ts";
import { readSecret } from "../src/testing/account.ts";
import { type Gateway, startGateway } from "../src/testing/gateway.ts";
import { signInPerson } from "../src/testing/signed-in-person.ts";
import { residentMBOf, watchMemory } from "./cpu.ts";
import { type Bench, startBench } from "./gateway.ts";

const AFARA = join(import.meta.dirname, "..", "afara");

/** How long something took, and the memory of its processes at most. */
export interface Took {
  readonly seconds: number;
  readonly residentMB: number;
}

/**
 * One side of P5: an `api` node, which keeps the database running, and beside it a node that does everything, which comes and goes, so
 * that its start with what is stored can be timed.
 */
export class GrowthSide {
  readonly bench: Bench;
  readonly accountId: Uuid;
  /** What the browser of the account's owner sends. */
  readonly session: Readonly<Record<string, string>>;
  #worker: Gateway | undefined;

  private constructor(bench: Bench, accountId: Uuid, session: Readonly<Record<string, string>>) {
    this.bench = bench;
    this.accountId = accountId;
    this.session = session;
  }

  static async start(): Promise<GrowthSide> {
    const bench = await startBench({ AFARA_ROLE: "api" });
    const { rows } = await bench.database.query<{ id: Uuid }>("select id from accounts");
    const secret = await readSecret(bench.gateway.dataDir);
    const { headers } = await signInPerson(bench.database, secret, rows[0]!.id, "owner");
    return new GrowthSide(bench, rows[0]!.id, headers);
  }

  get worker(): Gateway {
    if (!this.#worker) throw new Error("The worker is not started.");
    return this.#worker;
  }

  async startWorker(): Promise<Took> {
    const startedMs = performance.now();
    this.#worker = await startGateway({ dataDir: this.bench.gateway.dataDir });
    return { seconds: (performance.now() - startedMs) / 1_000, residentMB: residentMBOf(this.#worker.pid) };
  }

  async stopWorker(): Promise<void> {
    await this.#worker?.stop();
    this.#worker = undefined;
  }

  /** On disk, with all indexes. */
  async bytes(): Promise<number> {
    const { rows } = await this.bench.database.query<{ bytes: string }>(
      "select pg_database_size(current_database()) as bytes",
    );
    return Number(rows[0]!.bytes);
  }

  /** `./afara` on this gateway's data. */
  async command(...args: readonly string[]): Promise<Took> {
    const startedMs = performance.now();
    const child = spawn(AFARA, args, {
      env: { ...process.env, AFARA_DATA_DIR: this.bench.gateway.dataDir },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint += text;
    });
    const memory = watchMemory(child.pid!);
    const [code] = (await once(child, "close")) as [number];
    const took = { seconds: (performance.now() - startedMs) / 1_000, residentMB: memory.stop() };
    if (code !== 0) throw new Error(`./afara ${args.join(" ")} ended with ${code}: ${complaint}`);
    return took;
  }

  /** A backup into a file that is removed at once. */
  async backup(): Promise<Took> {
    const file = join(this.bench.gateway.dataDir, "growth.backup");
    const took = await this.command("backup", file);
    await rm(file);
    return took;
  }

  async stop(): Promise<void> {
    await this.stopWorker();
    await this.bench.stop();
  }
}
