import { closeSync, openSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { Place } from "./places.ts";

/** The largest pid_t: no system gives it to a process. */
const NO_PROCESS = 2 ** 31 - 1;
const SOCKET = ".s.PGSQL.5432";

type Files = Pick<Place, "databaseDir" | "socketDir">;

/**
 * Where the server of a database directory runs: as a process that can be seen from here, as one that can't (in another
 * container on the same volume its number means nothing here), or nowhere. Changes nothing. Throws when that can't be told:
 * a second server on the files of a living one destroys them.
 */
export async function whereServerRuns(files: Files): Promise<"here" | "elsewhere" | "nowhere"> {
  const pid = lockedBy(files.databaseDir);
  if (pid !== undefined && isServerOf(files.databaseDir, pid)) return "here";
  return (await answers(files)) ? "elsewhere" : "nowhere";
}

/**
 * Frees the lock files of a server that is known to run nowhere. PostgreSQL goes by their process numbers alone, which after
 * a container's restart are anybody's, and would refuse to start.
 *
 * `postmaster.pid` is kept but for the number: with the rest of it PostgreSQL still makes sure by the shared memory that no
 * child of the dead server is at work.
 */
export function freeLock({ databaseDir, socketDir }: Files): void {
  const file = join(databaseDir, "postmaster.pid");
  const rest = contentOf(file)?.split("\n").slice(1);
  if (rest !== undefined) writeFileSync(file, [String(NO_PROCESS), ...rest].join("\n"));
  for (const directory of [databaseDir, socketDir]) rmSync(join(directory, `${SOCKET}.lock`), { force: true });
}

/** Whether a database directory is locked by a process that can be seen from here. Changes nothing. */
export function isServedHere(databaseDir: string): boolean {
  const pid = lockedBy(databaseDir);
  return pid !== undefined && isServerOf(databaseDir, pid);
}

/** A server stands in its database directory for as long as it lives. Where that can't be seen its number is believed. */
export function isServerOf(databaseDir: string, pid: number): boolean {
  if (process.platform !== "linux") return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(databaseDir);
  } catch {
    return false; // gone, not reaped, in another container, or a process of somebody else
  }
}

function lockedBy(databaseDir: string): number | undefined {
  const content = contentOf(join(databaseDir, "postmaster.pid"));
  return content === undefined ? undefined : Number.parseInt(content, 10);
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/**
 * Whether anybody listens on a socket of the server: from its first moment to its last it does, and a socket is reached
 * through the volume that it lies on, also from another container. The one in the database directory is always on the volume.
 */
async function answers({ databaseDir, socketDir }: Files): Promise<boolean> {
  if (await listens(join(socketDir, SOCKET), databaseDir)) return true;
  if (process.platform !== "linux") return false;
  let directory: number;
  try {
    directory = openSync(databaseDir, "r");
  } catch (error) {
    if (isAbsent(error)) return false;
    throw cannotTell(databaseDir, error);
  }
  try {
    // A socket's path holds 107 bytes at most, and the database directory's may be longer.
    return await listens(`/proc/self/fd/${directory}/${SOCKET}`, databaseDir);
  } finally {
    closeSync(directory);
  }
}

const listens = (path: string, databaseDir: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EAGAIN") return resolve(true); // so many wait already
      if (error.code === "ECONNREFUSED" || error.code === "ECONNRESET" || isAbsent(error)) return resolve(false);
      reject(cannotTell(databaseDir, error));
    });
  });

const cannotTell = (databaseDir: string, error: unknown) =>
  new Error(
    `It can't be told whether a database server runs in ${databaseDir} (${(error as Error).message}), and a second one would destroy it. Nothing was started: run this as the user that runs the gateway.`,
  );

const isAbsent = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
};
