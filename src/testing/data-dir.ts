import { existsSync, readFileSync, rmSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseHomes } from "../db/embedded.ts";
import { isServerOf } from "../db/stale-lock.ts";
import { atEndOfFile } from "./end-with-file.ts";
import { waitFor } from "./wait-for.ts";

/** A data directory of a test's own, with the database that it may come to have, wherever that must live. */
export interface DataDir {
  readonly dir: string;
  /** Ends a database server that is left and removes all of it. */
  remove(): Promise<void>;
}

/** Gone with the test file at the latest. The embedded server's own user can get in, unless `mode` says otherwise. */
export async function makeDataDir(name = "gateway", { mode = 0o755 } = {}): Promise<DataDir> {
  const dir = await mkdtemp(join(tmpdir(), `afara-${name}-`));
  await chmod(dir, mode);
  return { dir, remove: removesDataDir(dir) };
}

/** The removal of a data directory that a test makes itself, e.g. in another directory; also done when the file ends. */
export function removesDataDir(dir: string): () => Promise<void> {
  const forget = atEndOfFile(() => {
    endServers(dir);
    removeHomes(dir);
  });
  return async () => {
    const pids = endServers(dir);
    await waitFor("the end of the database server", () => !pids.some(isAlive));
    removeHomes(dir);
    forget();
  };
}

/** What a test leaves running has nothing that is worth keeping: the server ends at once. */
function endServers(dir: string): readonly number[] {
  const pids = databaseHomes(dir).flatMap((home) => {
    const directory = join(home, "postgresql");
    const file = join(directory, "postmaster.pid");
    const pid = existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
    return pid > 0 && isAlive(pid) && isServerOf(directory, pid) ? [pid] : [];
  });
  for (const pid of pids) process.kill(pid, "SIGQUIT");
  return pids;
}

// Again while it is there: rmSync leaves the rest behind where a server that is ending removes a file at the same time.
function removeHomes(dir: string): void {
  for (const home of databaseHomes(dir))
    for (let tries = 20; tries > 0 && existsSync(home); tries--)
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
