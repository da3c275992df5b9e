import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { startEmbedded } from "../db/embedded.ts";
import { migrateAt, readSchema } from "../db/migrate.ts";
import { makeDataDir } from "./data-dir.ts";

/**
 * One real PostgreSQL for all test files of a run: started by the runner (`--test-global-setup`), found by the files through
 * the environment. A file that is run alone has one of its own.
 */
const VARIABLE = "AFARA_TEST_SERVER";

export const MIGRATIONS_DIR = join(import.meta.dirname, "..", "..", "migrations");

/** A migrated database that nobody connects to: a copy of it is there in a tenth of the time that the migrations take. */
const TEMPLATE = "afara_template";

/** For all files that run at once, each with a pool of its own and a gateway or two. */
const CONNECTIONS = 400;

let server: TestServer | undefined;

export async function globalSetup(): Promise<void> {
  server = await startTestServer();
  process.env[VARIABLE] = JSON.stringify(server.connection);
}

export async function globalTeardown(): Promise<void> {
  await server?.remove();
}

interface TestServer {
  readonly connection: pg.ClientConfig;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** Of this process only: runs beside each other, of one checkout or of several, do not share it. */
async function startTestServer(): Promise<TestServer> {
  const data = await makeDataDir("server");
  const start = () => startEmbedded(data.dir, { progress: () => undefined });
  const begun = await start();
  await onServer(begun.connection, (client) => client.query(`alter system set max_connections = ${CONNECTIONS}`));
  await begun.stop();
  const { connection, stop } = await start();
  // Nothing of it outlives the run. The tests that kill a database server have one of their own, which keeps these on.
  await onServer(connection, async (client) => {
    for (const setting of ["fsync", "full_page_writes"]) await client.query(`alter system set ${setting} = off`);
    // Where the system can: then a copy of the template costs a sixth of the time.
    const clones = "select 1 from pg_settings where name = 'file_copy_method' and 'clone' = any(enumvals)";
    if ((await client.query(clones)).rowCount === 1) await client.query("alter system set file_copy_method = clone");
    await client.query("select pg_reload_conf()");
    await client.query(`create database ${TEMPLATE}`);
  });
  await migrateAt({ ...connection, database: TEMPLATE }, readSchema(MIGRATIONS_DIR));
  return {
    connection,
    async remove() {
      await stop();
      await data.remove();
    },
  };
}

let own: Promise<TestServer> | undefined;
let users = 0;

/** The run's server or, for a file that is run alone, one of its own, which goes with the last who has released it. */
export async function useTestServer(): Promise<{ connection: pg.ClientConfig; release(): Promise<void> }> {
  const shared = process.env[VARIABLE];
  if (shared !== undefined)
    return { connection: JSON.parse(shared) as pg.ClientConfig, release: async () => undefined };
  users += 1;
  own ??= startTestServer();
  const { connection, remove } = await own;
  return {
    connection,
    async release() {
      users -= 1;
      if (users > 0) return;
      own = undefined;
      await remove();
    },
  };
}

/** A new, migrated database on a test server; gives its name. The copy by files is the quick one where nothing is flushed. */
export const createMigrated = (connection: pg.ClientConfig): Promise<string> =>
  create(connection, `template ${TEMPLATE} strategy file_copy`);

/** A new database without a table on a test server; gives its name. */
export const createEmpty = (connection: pg.ClientConfig): Promise<string> => create(connection, "");

async function create(connection: pg.ClientConfig, options: string): Promise<string> {
  const name = `t_${Date.now().toString(36)}_${randomBytes(4).toString("hex")}`;
  await onServer(connection, (client) => client.query(`create database ${name} ${options}`));
  return name;
}

export async function onServer<T>(connection: pg.ClientConfig, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}
