import { occupantsOf } from "../app/node-file.ts";
import { readConfig } from "../config/config.ts";
import type { Config } from "../config/gateway-config.ts";
import { whyNotOwn } from "../db/data-dir.ts";
import { type Connection, type Database, openDatabase } from "../db/database.ts";
import { embeddedConnection, embeddedPlace, missingDatabase, startEmbedded } from "../db/embedded.ts";
import { holdsDatabase } from "../db/places.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { CannotRun } from "./report.ts";

/** The command line's environment. Tests supply their own. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The repository's folder, with the configuration and migrations. */
  readonly root: string;
  readonly clock: Clock;
  /** Reads all of standard input. `hint` prompts a person at a terminal. */
  readonly readInput: (hint: string) => Promise<string>;
  /** An interactive terminal for questions and progress; undefined without one. */
  readonly terminal?: Terminal | undefined;
  /** The system's name for the user, if it has one. */
  readonly user?: string;
}

export interface Terminal {
  /** Resolves with the typed answer; `hidden` suppresses the echo. */
  readonly ask: (question: string, options?: { readonly hidden?: boolean }) => Promise<string>;
  /** Replaces the previous progress line. */
  readonly progress: (line: string) => void;
}

/** Commands report errors themselves; a broken idle connection needs no log line. */
export const QUIET: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const CONNECT_TIMEOUT_MS = 5_000;

export const readSettings = ({ environment, root }: Surroundings) => readConfig(environment, root);

/**
 * The configuration; throws with all its faults. Faults in vendors' settings are only passed to `warn`: no command talks to a
 * vendor, and backups, the ledger and revoking keys must not depend on a password. The same goes for variables that look
 * misspelt: with AFARA_DATA_DRI a command would use another gateway's data.
 */
export async function soundConfig(surroundings: Surroundings, warn: (text: string) => void): Promise<Config> {
  const { config, faults, vendorFaults, slips } = await readSettings(surroundings);
  for (const slip of slips) warn(`Warning: ${slip}`);
  if (faults.length > vendorFaults.length)
    throw new CannotRun(`The configuration has faults:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
  if (vendorFaults.length > 0)
    warn(
      `Warning: the vendors' settings have ${vendorFaults.length === 1 ? "a fault" : `${vendorFaults.length} faults`}, which this command ignores but a start refuses: ./afara doctor`,
    );
  return config;
}

/** The gateway's database: DATABASE_URL, or the running embedded server of this data directory. */
export async function connectionOf(config: Config): Promise<Connection> {
  assertOwn(config);
  return config.databaseUrl === undefined
    ? embeddedConnection(config.dataDir)
    : { connectionString: config.databaseUrl };
}

/** Refuses a copied data directory, which would reach the original's database. */
function assertOwn({ databaseUrl, dataDir }: Config): void {
  const reason = databaseUrl === undefined ? whyNotOwn(dataDir) : undefined;
  if (reason !== undefined) throw new CannotRun(reason);
}

/** Why the database can't be reached, and what to do. */
async function awayText(config: Config, error: unknown): Promise<string> {
  const { message, code } = error as NodeJS.ErrnoException;
  const why = message || code || "no answer";
  if (config.databaseUrl !== undefined) return `The database that DATABASE_URL names can't be reached: ${why}`;
  const missing = await missingDatabase(config.dataDir);
  return (
    missing ??
    `No database runs for the data directory ${config.dataDir} (${why}). Start the gateway, or set AFARA_DATA_DIR to its data directory.`
  );
}

/** Opens the gateway's database for one command. */
export async function withDatabase<T>(
  config: Config,
  act: (db: Database, connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connectionOf(config);
  const db = openDatabase({ connection, connections: 2, connectTimeoutMs: CONNECT_TIMEOUT_MS, log: QUIET });
  try {
    await db
      .snapshot(async () => undefined)
      .catch(async (error: unknown) => {
        throw new CannotRun(await awayText(config, error));
      });
    return await act(db, connection);
  } finally {
    await db.close();
  }
}

/**
 * Runs `act` on the gateway's database, starting the embedded server if no gateway runs it. A gateway that starts meanwhile takes
 * over that server.
 */
export async function withServer<T>(config: Config, act: (connection: Connection) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== undefined) return act({ connectionString: config.databaseUrl });
  assertOwn(config);
  const { base, databaseDir } = await embeddedPlace(config.dataDir);
  if (!holdsDatabase(base))
    throw new CannotRun(
      (await missingDatabase(config.dataDir)) ??
        `There is no database in ${databaseDir}: set AFARA_DATA_DIR to the gateway's data directory.`,
    );
  const server = await startEmbedded(config.dataDir, { progress: () => undefined });
  try {
    return await act(server.connection);
  } finally {
    if (!server.adopted && occupantsOf(config.dataDir).length === 0) await server.stop();
  }
}

/** Opens a database for one use, without the connection check of `withDatabase`. */
export async function onConnection<T>(connection: Connection, act: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ connection, connections: 2, connectTimeoutMs: CONNECT_TIMEOUT_MS, log: QUIET });
  try {
    return await act(db);
  } finally {
    await db.close();
  }
}
