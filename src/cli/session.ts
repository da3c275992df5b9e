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

/** What the command line is told from outside. Tests hand over their own. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The repository's folder: configuration and migrations are looked for here. */
  readonly root: string;
  readonly clock: Clock;
  /** The whole of the standard input. `hint` is for a person who is to type it. */
  readonly readInput: (hint: string) => Promise<string>;
  /** The terminal of a person who can be asked and shown how far it is; undefined where none is. */
  readonly terminal?: Terminal | undefined;
  /** The system's name for who runs the command, where it has one. */
  readonly user?: string;
}

export interface Terminal {
  /** What the person types; with `hidden` it does not show. */
  readonly ask: (question: string, options?: { readonly hidden?: boolean }) => Promise<string>;
  /** Shows one line in the place of the one before. */
  readonly progress: (line: string) => void;
}

/** Commands say in their report what went wrong; a broken idle connection needs no line of its own. */
export const QUIET: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const CONNECT_TIMEOUT_MS = 5_000;

export const readSettings = ({ environment, root }: Surroundings) => readConfig(environment, root);

/**
 * The configuration, or all that is wrong with it as a refusal. What is wrong with vendors' settings is said to `warn` alone: no
 * command talks to a vendor, and backups, the ledger and revoked keys must not wait for a password. So are variables that look
 * misspelt: AFARA_DATA_DRI would have a command look at another gateway.
 */
export async function soundConfig(surroundings: Surroundings, warn: (text: string) => void): Promise<Config> {
  const { config, faults, vendorFaults, slips } = await readSettings(surroundings);
  for (const slip of slips) warn(`Warning: ${slip}`);
  if (faults.length > vendorFaults.length)
    throw new CannotRun(`The configuration has faults:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
  if (vendorFaults.length > 0)
    warn(
      `Warning: the vendors' settings have ${vendorFaults.length === 1 ? "a fault" : `${vendorFaults.length} faults`}, which this command does not mind and a start does: ./afara doctor`,
    );
  return config;
}

/** The gateway's database: DATABASE_URL, or the embedded server that a gateway with this data directory runs. */
export async function connectionOf(config: Config): Promise<Connection> {
  assertOwn(config);
  return config.databaseUrl === undefined
    ? embeddedConnection(config.dataDir)
    : { connectionString: config.databaseUrl };
}

/** Refuses to look at the original's database in the name of a copied data directory. */
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
    `No database runs for the data directory ${config.dataDir} (${why}). Start the gateway, or name its directory with AFARA_DATA_DIR.`
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
 * Runs `act` on the gateway's database, and starts the embedded server for it when no gateway does. A gateway that starts
 * meanwhile uses that server on.
 */
export async function withServer<T>(config: Config, act: (connection: Connection) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== undefined) return act({ connectionString: config.databaseUrl });
  assertOwn(config);
  const { base, databaseDir } = await embeddedPlace(config.dataDir);
  if (!holdsDatabase(base))
    throw new CannotRun(
      (await missingDatabase(config.dataDir)) ??
        `There is no database in ${databaseDir}: name the gateway's data directory with AFARA_DATA_DIR.`,
    );
  const server = await startEmbedded(config.dataDir, { progress: () => undefined });
  try {
    return await act(server.connection);
  } finally {
    if (!server.adopted && occupantsOf(config.dataDir).length === 0) await server.stop();
  }
}

/** Opens a database for one look, without the first question that `withDatabase` asks. */
export async function onConnection<T>(connection: Connection, act: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ connection, connections: 2, connectTimeoutMs: CONNECT_TIMEOUT_MS, log: QUIET });
  try {
    return await act(db);
  } finally {
    await db.close();
  }
}
