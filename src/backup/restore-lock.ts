import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** The process that restores into a data directory. A process ID may be reused; with its start and boot it is unique. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly boot: string;
  readonly started: string;
}

export const LOCK_FILE = "restore.lock";

/** Locks a data directory for one restore, or returns the holder. A dead process's lock is taken over. */
export function lockForRestore(dataDir: string): { readonly holder: number } | { readonly release: () => void } {
  const path = join(dataDir, LOCK_FILE);
  const mine = JSON.stringify(identityOf(process.pid));
  const aside = `${path}.${process.pid}`;
  for (;;) {
    const there = readText(path);
    const holder = there === undefined ? undefined : holderOf(there);
    if (holder !== undefined) return { holder };
    if (there !== undefined && !moveAside(path, aside, there)) continue;
    writeFileSync(aside, mine);
    try {
      linkSync(aside, path); // atomic: only one process succeeds
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(aside, { force: true });
    }
  }
}

/** The process currently restoring into a data directory. */
export function restoreUnderWay(dataDir: string): number | undefined {
  const there = readText(join(dataDir, LOCK_FILE));
  return there === undefined ? undefined : holderOf(there);
}

/** False if another process was faster: its lock is put back. */
function moveAside(path: string, aside: string, expected: string): boolean {
  try {
    renameSync(path, aside);
    if (readText(aside) === expected) return true;
    linkSync(aside, path);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  return false;
}

/** A lock's process, if it is alive. One on another machine can't be checked and counts as alive. */
function holderOf(text: string): number | undefined {
  let holder: Holder;
  try {
    holder = JSON.parse(text) as Holder;
  } catch {
    return undefined; // torn by a power cut
  }
  if (holder.host !== hostname()) return holder.pid;
  const living = identityOf(holder.pid);
  const isSame = living?.boot === holder.boot && living.started === holder.started;
  return isSame ? holder.pid : undefined;
}

function identityOf(pid: number): Holder | undefined {
  const host = hostname();
  if (process.platform === "linux") {
    const stat = readText(`/proc/${pid}/stat`);
    if (stat === undefined) return undefined;
    // The name, in parentheses, may hold anything; the start is the 22nd field, the state the 3rd.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const boot = readText("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
    return state === "Z" ? undefined : { pid, host, boot, started: fields[18] ?? "" };
  }
  try {
    process.kill(pid, 0); // only asks
    return { pid, host, boot: "", started: "" };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? { pid, host, boot: "", started: "" } : undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
