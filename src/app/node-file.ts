import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Uuid } from "../kernel/ids.ts";

/**
 * Which nodes of this data directory are surely dead, so that their orders need not wait for their leases to run out. Each
 * node leaves a file with its process id; one whose process is gone was killed. When that can't be told (another machine's or
 * container's file, a process id in use again) the node counts as living and its leases simply run out.
 */
export interface Place {
  readonly dead: readonly Uuid[];
  /** Forgets the dead, once their orders have been taken back. */
  forgetDead(): void;
  /** Gives this node's own place up: it ends in order. True when no other node is left here. */
  leave(): boolean;
}

export function registerNodeFile(dataDir: string, node: Uuid): Place {
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

/** A gateway of this data directory that runs on this machine, or may run on another. */
export interface Occupant {
  readonly node: string;
  readonly pid: number;
  /** Whether its process was seen on this machine; false: it is another machine's or container's, which can't be asked. */
  readonly isHere: boolean;
}

/** Who may be using a data directory, without taking a place in it. */
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
    return undefined; // it ended this very moment, or a kill has torn its file
  }
}

function isDead(path: string): boolean {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, "utf8")) as { pid: number; host: string };
    if (host !== hostname()) return false;
    if (pid === process.pid) return true; // in a container every gateway has the same one
    process.kill(pid, 0); // only asks
    return false;
  } catch (error) {
    // ESRCH: no such process. A file that can't be read was torn by the same kill; its node is unknown, so it can't be helped.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
