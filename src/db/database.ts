import pg from "pg";
import type { Log } from "../providers/provider.ts";

/** Kobo and counts are exact: int8 comes back as bigint, never as a float or a string. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format)) as never,
};

/** Where a database is: host and port or socket, user, name. */
export type Connection = pg.ClientConfig;

/** What repositories need of a connection, whether a pool or one client in a transaction. */
export interface Db {
  /** Runs one statement, prepared under `name` when it has one. */
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    statement: string | { readonly name: string; readonly text: string },
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

export interface Database extends Db {
  /**
   * Like `query`, but tells apart a statement that certainly never reached the server (`DatabaseAway`) from one whose
   * answer was lost (`AnswerLost`): it may have been committed.
   */
  transact<Row extends pg.QueryResultRow>(
    statement: { name: string; text: string },
    values: readonly unknown[],
  ): Promise<Row[]>;
  /** All that `look` reads is of one moment, whatever is written meanwhile; it can write nothing. */
  snapshot<T>(look: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** No connection could be had: nothing was sent, nothing happened. */
export class DatabaseAway extends Error {}
/** The statement was sent and the connection broke before the answer: it may or may not have been committed. */
export class AnswerLost extends Error {}

/** Errors that carry an SQLSTATE came from the server as an answer; everything else is the connection's. */
export const isServerAnswer = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code !== undefined && !LOST.has(error.code);
/** The server says that it ended the session; whether our commit came first is not known. */
const LOST = new Set(["57P01", "57P02", "57P03", "08006", "08003", "08000"]);

const runOn = <Row extends pg.QueryResultRow>(
  on: pg.Pool | pg.PoolClient,
  statement: string | { readonly name: string; readonly text: string },
  values: readonly unknown[] | undefined,
): Promise<pg.QueryResult<Row>> =>
  typeof statement === "string"
    ? on.query<Row>(statement, values as unknown[])
    : on.query<Row>({ ...statement, values: values as unknown[] });

export interface DatabaseOptions {
  readonly connection: Connection;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly log: Log;
}

export function openDatabase({ connection, connections, connectTimeoutMs, log }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connection,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    types: TYPES,
    idleTimeoutMillis: 60_000,
  });
  pool.on("error", (error) => log.warn({ error: error.message }, "an idle database connection broke; it is replaced"));

  const connect = async (): Promise<pg.PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw new DatabaseAway((error as Error).message, { cause: error });
    }
  };

  return {
    query: (statement, values) => runOn(pool, statement, values),
    async transact(statement, values) {
      const client = await connect();
      // A connection that breaks while it is ours also emits on the client; the query's own rejection is what counts.
      const ignore = () => undefined;
      client.on("error", ignore);
      try {
        const result = await client.query({ ...statement, values: values as unknown[] });
        client.off("error", ignore);
        client.release();
        return result.rows;
      } catch (error) {
        client.off("error", ignore);
        if (isServerAnswer(error)) {
          client.release();
          throw error;
        }
        client.release(true);
        throw new AnswerLost((error as Error).message, { cause: error });
      }
    },
    async snapshot(look) {
      const client = await connect();
      try {
        await client.query("begin isolation level repeatable read read only");
        const seen = await look({ query: (statement, values) => runOn(client, statement, values) });
        await client.query("commit");
        client.release();
        return seen;
      } catch (error) {
        client.release(true); // the transaction ends with its connection
        throw error;
      }
    },
    close: () => pool.end(),
  };
}
