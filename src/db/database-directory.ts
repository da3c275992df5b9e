import { randomUUID } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { holdsDatabase, type Place } from "./places.ts";
import { spaceText } from "./server-log.ts";
import type { ServerUser } from "./server-user.ts";

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

export type RunProgram = (program: string, args: readonly string[]) => Promise<Ran>;

/**
 * fsync stays on: an acknowledged order survives a power cut. The rest trades memory for fewer checkpoints. Logged is what becomes
 * of the server, a process of it that crashes too, and no refused statement, which may have personal data.
 */
const SETTINGS = `
listen_addresses = ''
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = 256MB
wal_compression = on
max_wal_size = 4GB
checkpoint_timeout = 15min
jit = off
log_min_messages = log
log_checkpoints = off
password_encryption = scram-sha-256
timezone = 'UTC'
`;

/** The location of an unfinished database; leftovers of a killed start are removed by the next one. */
const BEGINNING = "postgresql.new";

/**
 * Creates a place's database directory beside it and renames it when complete, so that a kill at any moment leaves either none or
 * a working one. False if another start has created it meanwhile.
 */
export async function makeDatabase(
  { base, databaseDir }: Place,
  run: RunProgram,
  user: ServerUser | undefined,
  progress: (line: string) => void,
): Promise<boolean> {
  if (existsSync(databaseDir) && readdirSync(databaseDir).length > 0)
    throw new Error(
      `${databaseDir} holds the remains of a database (there is no PG_VERSION in it), as an interrupted ./afara reset leaves them. Nothing was started. Bring the directory back from a copy, or remove what is left of it: ./afara reset`,
    );
  progress("Creating the database …");
  const beginning = join(base, BEGINNING);
  const made = join(beginning, randomUUID()); // one per start, as two may run at the same time
  mkdirSync(beginning, { recursive: true, mode: 0o700 });
  if (user) chownSync(beginning, user.uid, user.gid);
  const args = ["-U", "afara", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-instructions"];
  const ran = await run("initdb", ["-D", made, ...args]);
  if (ran.code !== 0) {
    await rm(made, { recursive: true, force: true });
    if (holdsDatabase(base)) return false;
    throw new Error(`initdb failed: ${ran.output.trim()}${spaceText(base)}`);
  }
  try {
    renameSync(made, databaseDir);
  } catch (error) {
    if (!holdsDatabase(base)) throw error;
    return false;
  } finally {
    // An initdb whose gateway was killed may still be writing there: it fails for it, and so does the loser of two starts.
    // Both then remove their own files too. rmSync stops in silence where it meets a file that is gone already; rm goes on.
    await rm(beginning, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  sync(base);
  return true;
}

/** Writes Afara's server settings if they differ. */
export function configure({ databaseDir, socketDir }: Place): void {
  // The second socket is in the database directory, which all that share the volume see, however long its path is.
  const sockets = `unix_socket_directories = '"${socketDir.replaceAll('"', '""').replaceAll("'", "''")}", .'\n`;
  replace(join(databaseDir, "afara.conf"), `${SETTINGS}${sockets}`);
  const path = join(databaseDir, "postgresql.conf");
  const configuration = readFileSync(path, "utf8");
  if (!configuration.includes("include = 'afara.conf'")) replace(path, `${configuration}\ninclude = 'afara.conf'\n`);
}

/** Renamed into place: on a full disk the old file stays intact. */
function replace(path: string, content: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === content) return;
  writeFileSync(`${path}.new`, content);
  try {
    renameSync(`${path}.new`, path);
  } catch (error) {
    if (readFileSync(path, "utf8") !== content) throw error; // otherwise another start has just written it
  }
}

/** Syncs the directory: a power cut must not undo the rename once it has orders. */
function sync(directory: string): void {
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
