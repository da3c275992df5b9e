import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Uuid } from "../kernel/ids.ts";

/**
 * One file for each node of a data directory, with its process id. A node whose process is gone was killed, and its orders are
 * taken back without waiting for their leases. When that is uncertain (another machine's or container's file, a process id in
 * use again) the node counts as alive and its leases run out.
 */
export interface NodeFile {
  readonly dead: readonly Uuid[];
  /** Removes the files of the dead, once their orders have been taken back. */
  forgetDead(): void;
  /** Removes this node's own file on an orderly end. True when no other node is left. */
  leave(): boolean;
}

export function registerNodeFile(dataDir: string, node: Uuid): NodeFile {
  const directory = join(dataDir, "nodes");
  mkdirSync(directory, { recursive: true });
  const dead = readdirSync(directory).filter((id) => isDead(join(directory, id))) as Uuid[];
  writeFileSync(join(directory, node), JSON.stringify({ pid: process.pid, host: hostname() }));
  const remove = (id: Uuid) => rmSync(join(directory, id), { force: true });
  return {
    dead,
    forgetDead: () => dead.forEach(remove),
    leave() {
      remove(node);
      return readdirSync(directory).every((id) => isDead(join(directory, id)));
    },
  };
}

/** A gateway that uses a data directory. */
export interface Occupant {
  readonly node: string;
  readonly pid: number;
  /** Whether its process runs on this machine. False: on another machine or in a container, where it can't be checked. */
  readonly isHere: boolean;
}

/** The gateways that use a data directory, or may use it. Leaves no file. */
export function occupantsOf(dataDir: string): readonly Occupant[] {
  const directory = join(dataDir, "nodes");
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((node) => !isDead(join(directory, node)))
    .map((node) => {
      const { pid = 0, host } = readNode(join(directory, node)) ?? {};
      return { node, pid, isHere: host === hostname() };
    });
}

function readNode(path: string): { readonly pid: number; readonly host: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined; // it has just ended, or a kill left half a file
  }
}

function isDead(path: string): boolean {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, "utf8")) as { pid: number; host: string };
    if (host !== hostname()) return false;
    if (pid === process.pid) return true; // in a container every gateway has the same process id
    process.kill(pid, 0); // signal 0 only checks
    return false;
  } catch (error) {
    // ESRCH: no such process. Half a file (the kill came while it was written) names no node, so nothing can be taken back.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
