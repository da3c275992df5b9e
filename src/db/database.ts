import pg from "pg";
import { deadline } from "../kernel/deadline.ts";
import type { Log } from "../kernel/log.ts";
import { AnswerLost, DatabaseAway, DatabaseUnable } from "../kernel/storage-faults.ts";
import { arrayLiteral, isCell } from "./array-literal.ts";

export { AnswerLost, DatabaseAway, DatabaseUnable };

/** Kobo and counts are exact: int8 comes back as bigint, never as a float or a string. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format)) as never,
};

/** A database's address: host and port or socket, user, name. */
export type Connection = pg.ClientConfig;

/** A connection as repositories use it: a pool, or one client in a transaction. */
export interface Db {
  /**
   * Runs one statement, prepared under `name` when it has one. Throws `DatabaseAway` when it certainly never reached the
   * server, `AnswerLost` when it may have been committed, and the server's own error when it was refused.
   */
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    statement: string | { readonly name: string; readonly text: string },
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

export interface Database extends Db {
  /** The rows of one prepared statement. */
  transact<Row extends pg.QueryResultRow>(
    statement: { name: string; text: string },
    values: readonly unknown[],
  ): Promise<Row[]>;
  /**
   * Runs `act` in a transaction: commits when it resolves, rolls back when it rejects. For rare actions, as it occupies a
   * connection. Throws like `query`; a connection that breaks before the commit is sent counts as `DatabaseAway`.
   */
  transaction<T>(act: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `look` on one consistent snapshot, read-only. */
  snapshot<T>(look: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Errors with an SQLSTATE are the server's answers; all others are connection errors. */
export const isServerAnswer = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code !== undefined && !LOST.has(error.code);
/** The server ended the session; whether our commit came first is unknown. */
const LOST = new Set(["57P01", "57P02", "57P03", "08006", "08003", "08000"]);

/**
 * The server answers that it can't now, and has done nothing: it takes no writes (25, a standby after a failover), is out of
 * room (53), was told to stop or gave a slow statement up (57), or its system fails (58). To callers it is away.
 */
const UNABLE = /^(25|53|57|58)/;
/**
 * Out of room, failed, or broken: a server that goes down over it, as it does when the disk of its log is full, may find in its log what
 * it has just refused. Only from a session that lives on is such a refusal certain.
 */
const GRAVE = /^(53|58|XX)/;

type Statement = string | { readonly name: string; readonly text: string };

/**
 * A statement that this connection has prepared gives other columns since a newer version's migration. The server refuses it before
 * it does anything, and on this connection for ever.
 */
const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "0A000" && /cached plan/.test(error.message);

const configOf = (statement: Statement, values: readonly unknown[] | undefined): pg.QueryConfig => ({
  ...(typeof statement === "string" ? { text: statement } : statement),
  ...(values && { values: values.map(written) }),
});

const written = (value: unknown): unknown =>
  Array.isArray(value) && value.every(isCell) ? arrayLiteral(value) : value;

const ignore = () => undefined;

/** The largest statement, a bulk of ten thousand, takes half a second; a busy machine may need several seconds. */
const STATEMENT_MS = 8_000;
/** The extra wait on this side after the server's timeout. */
const GRACE_MS = 1_000;
export interface DatabaseOptions {
  readonly connection: Connection;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly log: Log;
  /** Time limit of one statement. */
  readonly statementMs?: number;
}

export function openDatabase(options: DatabaseOptions): Database {
  const { connection, connections, connectTimeoutMs, log, statementMs = STATEMENT_MS } = options;
  const pool = new pg.Pool({
    ...connection,
    max: connections,
    // What is open stays open: once others have used up the server's `max_connections`, one that was given up can't be had again.
    min: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    types: TYPES,
    idleTimeoutMillis: 60_000,
    // A database that hangs is a database whose answer is lost. The server gives up first, which is a certain answer.
    statement_timeout: statementMs,
    keepAlive: true,
  });
  pool.on("error", (error) => log.warn({ error: error.message }, "an idle database connection broke; it is replaced"));

  // From the first moment to the last a connection that breaks emits on its client as well, and without a listener that ends
  // the process; the rejection of the query is what counts.
  pool.on("connect", (client) => void client.on("error", ignore));

  const away = (error: Error) => new DatabaseAway(error.message, { cause: error });

  const connect = async (): Promise<pg.PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw new DatabaseAway((error as Error).message, { cause: error });
    }
  };

  /** The answer, or an error after the timeout, when the connection is unusable. */
  const ask = async <Row extends pg.QueryResultRow>(client: pg.PoolClient, query: pg.QueryConfig) => {
    const silence = Promise.withResolvers<never>();
    const limit = deadline(statementMs + GRACE_MS, () =>
      silence.reject(new Error("the database did not answer in time")),
    );
    try {
      return await Promise.race([client.query<Row>(query), silence.promise]);
    } finally {
      limit.cancel();
    }
  };

  /** Whether the session survived the error. */
  const livesOn = async (client: pg.PoolClient, { code = "" }: pg.DatabaseError): Promise<boolean> =>
    !GRAVE.test(code) ||
    (await ask(client, { text: "select" }).then(
      () => true,
      () => false,
    ));

  /** `again`: how many connections may turn out to be outdated before one must be new. */
  const run = async <Row extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly unknown[] | undefined,
    again = connections,
  ): Promise<pg.QueryResult<Row>> => {
    const client = await connect();
    try {
      const result = await ask<Row>(client, configOf(statement, values));
      client.release();
      return result;
    } catch (error) {
      if (isOutdated(error) && again > 0) {
        client.release(true);
        return run(statement, values, again - 1);
      }
      if (isServerAnswer(error) && (await livesOn(client, error))) {
        client.release();
        throw UNABLE.test(error.code ?? "") ? new DatabaseUnable(error.message, { cause: error }) : error;
      }
      client.release(true);
      throw new AnswerLost((error as Error).message, { cause: error });
    }
  };

  return {
    query: (statement, values) => run(statement, values),
    transact: async (statement, values) => (await run(statement, values)).rows as never,
    async transaction(act) {
      const client = await connect();
      let committing = false;
      const query = async (text: string) => void (await ask(client, { text }));
      try {
        await query("begin");
        const done = await act({ query: (statement, values) => ask(client, configOf(statement, values)) });
        committing = true;
        await query("commit");
        client.release();
        return done;
      } catch (error) {
        // If the rollback can't be sent, closing the connection rolls back.
        const broken = await query("rollback").then(
          () => false,
          () => true,
        );
        client.release(broken || isOutdated(error));
        if (isOutdated(error)) throw away(error as Error);
        if (isServerAnswer(error) && !(broken && GRAVE.test(error.code ?? "")))
          throw UNABLE.test(error.code ?? "") ? new DatabaseUnable(error.message, { cause: error }) : error;
        if (!broken) throw error; // `act` itself rejected
        throw committing ? new AnswerLost((error as Error).message, { cause: error }) : away(error as Error);
      }
    },
    async snapshot(look) {
      // A separate connection without time limits: a proof reads every row.
      const client = new pg.Client({ ...connection, types: TYPES });
      client.on("error", ignore);
      await client.connect();
      try {
        await client.query("begin isolation level repeatable read read only");
        return await look({ query: (statement, values) => client.query(configOf(statement, values)) });
      } finally {
        await client.end();
      }
    },
    close: () => pool.end(),
  };
}
