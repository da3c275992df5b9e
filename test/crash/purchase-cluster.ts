import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { ConfigFile } from "../../src/config/operator-file.ts";
import type { Database } from "../../src/db/database.ts";
import { VendorClient } from "../../src/simulators/vendors/client.ts";
import { startVendors } from "../../src/simulators/vendors/spawn.ts";
import { makeTestDatabase, type TestDatabase } from "../../src/testing/database.ts";
import { freePort, type Gateway, startGateway } from "../../src/testing/gateway.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";

/** Gateways on one database, and the vendors in a process of their own: whichever gateway is killed, the others go on. */
export interface PurchaseCluster {
  readonly db: Database;
  readonly connection: TestDatabase["connection"];
  /** The vendors' control. */
  readonly vendors: VendorClient;
  /** A directory that goes with the file's tests. */
  readonly dir: string;
  /** Starts node `name`; after a kill the same name starts again with the same data directory and port. */
  startNode(name: string, environment?: Readonly<Record<string, string>>): Promise<Gateway>;
}

/** What all nodes share; the pepper of their keys. */
export const SECRET = "a secret that all nodes of the tests share";

export type TestRoute = Pick<ConfigFile["routes"][number], "provider" | "service" | "only">;

/** Only what is bought of the vendors is configured. Everything is stopped after the file's tests. */
export async function startPurchaseCluster(routes: readonly TestRoute[]): Promise<PurchaseCluster> {
  const started: Gateway[] = [];
  const ends: (() => Promise<void>)[] = [];
  // Registered before the database's own, so that nothing is at work when that one is dropped.
  after(async () => {
    for (const gateway of started) gateway.signal("SIGKILL");
    await Promise.all(started.map((gateway) => gateway.ended));
    for (const end of ends) await end();
  });
  const database = await makeTestDatabase();
  const dir = await mkdtemp(join(tmpdir(), "afara-crash-"));
  const running = await startVendors({ dataDir: join(dir, "vendors") });
  ends.push(
    () => running.kill(),
    () => rm(dir, { recursive: true, force: true }),
  );
  const { ports, controlPort } = running;
  const config = await writeTestConfig(dir, ({ providers, ...own }) => ({
    ...own,
    simulators: { vendors: { start: false, ports, controlPort } },
    providers: Object.fromEntries(
      Object.entries(providers).filter(([name]) => routes.some(({ provider }) => provider === name)),
    ),
    routes: routes.map((route) => ({ ...route, modes: ["test"], window: 50, ratePerSecond: 100 })),
  }));
  const nodePorts = new Map<string, number>();
  return {
    db: database.open(),
    connection: database.connection,
    vendors: new VendorClient(controlPort, fetch),
    dir,
    async startNode(name, environment = {}) {
      const port = nodePorts.get(name) ?? (await freePort());
      nodePorts.set(name, port);
      const gateway = await startGateway({
        dataDir: join(dir, name),
        environment: {
          DATABASE_URL: database.url,
          AFARA_CONFIG: config.path,
          AFARA_PORT: String(port),
          AFARA_SECRET: SECRET,
          ...environment,
        },
      });
      started.push(gateway);
      return gateway;
    },
  };
}
