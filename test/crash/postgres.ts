import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { startEmbedded } from "../../src/db/embedded.ts";
import { isAlive, makeDataDir } from "../../src/testing/data-dir.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/** A PostgreSQL of a test's own, so that it may be killed. */
export interface OwnPostgres {
  readonly connection: pg.ClientConfig;
  readonly url: string;
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** SIGKILL of the postmaster: nothing is flushed, nobody is told. */
  kill(): Promise<void>;
  /** SIGKILL of the session that is running such a statement: the server drops every session and recovers by itself. */
  killSession(marker: string): Promise<void>;
  /** Starts it again on what the kill left. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const data = await makeDataDir("postgres");
  const start = () => startEmbedded(data.dir, { progress: () => undefined });
  let server = await start();
  const { connection } = server;

  const connect = async () => {
    const client = new pg.Client(connection);
    client.on("error", () => undefined); // the server is killed on purpose
    await client.connect();
    return client;
  };

  /** A server that is recovering is waited for, and one that drops every session in mid-question is asked again. */
  const query = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    waitFor("the database server's answer", async () => {
      const client = await connect().catch(() => undefined);
      try {
        return (await client?.query<Row>(text, [...values]))?.rows;
      } catch (error) {
        if (error instanceof pg.DatabaseError && !/^(57|08)/.test(error.code ?? "")) throw error;
        return undefined;
      } finally {
        await client?.end().catch(() => undefined);
      }
    });

  return {
    connection,
    url: `postgres://${connection.user}@localhost:${connection.port}/${connection.database}?host=${encodeURIComponent(String(connection.host))}`,
    query,
    async kill() {
      const [pid] = (await readFile(join(server.directory, "postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGKILL");
      await waitFor("the end of the server", () => !isAlive(Number(pid)));
    },
    async killSession(marker) {
      const pid = await waitFor(`a session that runs ${marker}`, async () => {
        const rows = await query<{ pid: number }>(
          "select pid from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid() limit 1",
          [`%${marker}%`],
        ).catch(() => []);
        return rows[0]?.pid;
      });
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended in between.
      }
    },
    async restart() {
      server = await start();
    },
    async stop() {
      await server.stop();
      await data.remove();
    },
  };
}
