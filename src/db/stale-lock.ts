import { existsSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The largest pid_t: no system gives it to a process. */
const NO_PROCESS = 2 ** 31 - 1;

/**
 * Whether the lock file (`postmaster.pid`) of a database directory is left over from a server that is gone, although a
 * process with its number exists: a killed server that nobody has reaped yet, or, after a container's restart, anything.
 * PostgreSQL goes by the number alone and would refuse to start.
 *
 * A stale file is kept but for the number: with the rest of it PostgreSQL still makes sure by the shared memory that no
 * child of the dead server is at work.
 */
export function isStale(databaseDir: string): boolean {
  const file = join(databaseDir, "postmaster.pid");
  if (!existsSync(file)) return true; // it ended this very moment
  const [pid, ...rest] = readFileSync(file, "utf8").split("\n");
  if (isServerOf(databaseDir, Number(pid))) return false;
  writeFileSync(file, [String(NO_PROCESS), ...rest].join("\n"));
  return true;
}

/** A server stands in its database directory for as long as it lives. Where that can't be seen its number is believed. */
export function isServerOf(databaseDir: string, pid: number): boolean {
  if (process.platform !== "linux") return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(databaseDir);
  } catch {
    return false; // gone, not reaped, or a process of somebody else
  }
}
