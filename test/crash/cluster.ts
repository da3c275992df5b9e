import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { ConfigFile } from "../../src/config/operator-file.ts";
import { SmscClient } from "../../src/simulators/smsc/client.ts";
import { readSmscLog } from "../../src/simulators/smsc/log.ts";
import { type SmscProcess, startSmsc } from "../../src/simulators/smsc/spawn.ts";
import { freePort, type Gateway, startGateway } from "../../src/testing/gateway.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type OwnPostgres, startOwnPostgres } from "./postgres.ts";

/** The running program, an SMSC and a database, each in processes of their own: whichever is killed, the others go on. */
export interface Cluster {
  readonly postgres: OwnPostgres;
  /** The SMSC's control, at the same port after a restart. */
  readonly smsc: SmscClient;
  killSmsc(): Promise<void>;
  restartSmsc(): Promise<void>;
  /** Starts node `name`; after a kill the same name starts again with the same data directory and port. */
  startNode(name: string, environment?: Readonly<Record<string, string>>): Promise<Gateway>;
  /** By order: how often the SMSC took each of its pieces, the most of them. */
  takes(): Promise<ReadonlyMap<string, number>>;
  orders(): Promise<readonly StoredOrder[]>;
  /** Waits until every order has ended, and proves: money agrees, `fail` went out at most once, `retry` at most `repeatsMax` too often (and a window's more for each standstill that a node reports). */
  provesItself(expected: { readonly repeatsMax: number }): Promise<readonly StoredOrder[]>;
}

export interface StoredOrder {
  readonly id: string;
  readonly reference: string | null;
  readonly state: string;
  readonly ambiguity: "retry" | "fail";
  readonly ended: boolean;
}

export interface ClusterOptions {
  /** Messages under way at once, on each node: what a crash may repeat is bounded by it. */
  readonly window: number;
  readonly ratePerSecond?: number;
}

const SECRET = "a secret that all nodes of the tests share";
/** The shortest there is, so that what a dead node held is taken over soon. */
export const LEASE_SECONDS = 2;

/** Everything is stopped after the file's tests. */
export async function startCluster({ window, ratePerSecond = 20_000 }: ClusterOptions): Promise<Cluster> {
  const dir = await mkdtemp(join(tmpdir(), "afara-crash-"));
  const postgres = await startOwnPostgres();
  const smscOptions = { dataDir: join(dir, "smsc"), smppPort: await freePort(), controlPort: await freePort() };
  let smsc: SmscProcess = await startSmsc(smscOptions);
  const { smppPort, controlPort } = smscOptions;
  const change = (config: ConfigFile): ConfigFile => ({
    ...config,
    simulators: { smsc: { start: false, smppPort, controlPort }, vendors: { start: false } },
    routes: config.routes.map((route) => ({ ...route, window, ratePerSecond })),
  });
  const config = await writeTestConfig(dir, change);
  const control = new SmscClient(controlPort, fetch);
  const ports = new Map<string, number>();
  const started: Gateway[] = [];

  after(async () => {
    for (const gateway of started) gateway.signal("SIGKILL");
    await Promise.all(started.map((gateway) => gateway.ended));
    await smsc.kill();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const orders = () =>
    postgres.query<StoredOrder & Record<string, unknown>>(
      "select id, reference, state, ambiguity, ended_at is not null as ended from orders",
    );

  const takes = async () => {
    const byPiece = new Map<string, number>();
    for await (const line of readSmscLog(smscOptions.dataDir)) {
      if (line.kind !== "submit" || line.messageId === null || !line.trace) continue;
      const piece = `${line.trace.orderId}/${line.trace.piece}`;
      byPiece.set(piece, (byPiece.get(piece) ?? 0) + 1);
    }
    const byOrder = new Map<string, number>();
    for (const [piece, times] of byPiece) {
      const order = piece.split("/")[0]!;
      byOrder.set(order, Math.max(byOrder.get(order) ?? 0, times));
    }
    return byOrder;
  };

  return {
    postgres,
    smsc: control,
    killSmsc: () => smsc.kill(),
    async restartSmsc() {
      smsc = await startSmsc(smscOptions);
    },
    async startNode(name, environment = {}) {
      const port = ports.get(name) ?? (await freePort());
      ports.set(name, port);
      const gateway = await startGateway({
        dataDir: join(dir, name),
        environment: {
          DATABASE_URL: postgres.url,
          AFARA_CONFIG: config.path,
          AFARA_PORT: String(port),
          AFARA_SECRET: SECRET,
          AFARA_LEASE_SECONDS: String(LEASE_SECONDS),
          ...environment,
        },
      });
      started.push(gateway);
      return gateway;
    },
    takes,
    orders,
    async provesItself({ repeatsMax }) {
      const all = await waitFor("the end of every order", async () => {
        const now = await orders();
        return now.every((order) => order.ended) ? now : undefined;
      }).catch(async (error: Error) => {
        const open = (await orders()).filter((order) => !order.ended);
        const { owed } = await control.stats();
        throw new Error(
          `${error.message}; ${open.length} are open, e.g. ${JSON.stringify(open.slice(0, 3))}; the SMSC owes ${owed} receipts`,
        );
      });
      assert.deepEqual(await ledgerFindings(postgres.connection), []);
      const taken = await takes();
      const twice = all.filter((order) => order.ambiguity === "fail" && (taken.get(order.id) ?? 0) > 1);
      assert.deepEqual(twice, [], "with `fail` nothing goes out twice");
      // A node that a busy machine lets stand still is one more that loses what it holds.
      const standstills = started.flatMap((node) => node.output().match(/this process was frozen/g) ?? []).length;
      const allowed = repeatsMax + window * standstills;
      const repeats = all.reduce((sum, order) => sum + Math.max((taken.get(order.id) ?? 0) - 1, 0), 0);
      assert.ok(repeats <= allowed, `${repeats} repeats with \`retry\`, allowed are ${allowed}`);
      // Charged and never taken would be a theft: money is taken only for what the network had.
      const free = all.filter((order) => order.state === "delivered" && !taken.has(order.id));
      assert.deepEqual(free, [], "what counts as delivered was on the wire");
      return all;
    },
  };
}
