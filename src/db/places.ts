import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { readInstallation, readRestoring, wasUsed } from "./installation-file.ts";
import type { ServerUser } from "./server-user.ts";

/** An embedded database's location: its data directory, or elsewhere if the server's user has no access there. */
export interface Place {
  readonly base: string;
  readonly databaseDir: string;
  readonly socketDir: string;
  /** The directory with `postgres` and `pg_ctl`. */
  readonly binaries: string;
  readonly moved: boolean;
  /** Found by path only, so it may be the leftover of a removed data directory at the same path. */
  readonly isGuess: boolean;
}

/** Where binaries and data go when the unprivileged user can't reach the clone (a clone under /root is the usual case). */
export const ELSEWHERE = "/var/lib/afara";
const OWNER = "owner.json";

/** The owner of a relocated place. Without an ID it was created and never used. */
export interface Owner {
  readonly dataDir: string;
  readonly id?: string;
}

export const holdsDatabase = (base: string): boolean => existsSync(join(base, "postgresql", "PG_VERSION"));

export const placeAt = (base: string, dataDir: string, packaged: string, isGuess = false): Place => {
  const moved = base !== dataDir;
  // A Unix socket's path holds 107 bytes at most; a deep data directory gets a short one in the system's place for them.
  const near = join(base, "run");
  return {
    base,
    databaseDir: join(base, "postgresql"),
    socketDir: Buffer.byteLength(near) <= 80 ? near : join("/tmp", `afara-${shortHash(base)}`),
    binaries: moved ? join(ELSEWHERE, "postgresql-18", "bin") : packaged,
    moved,
    isGuess,
  };
};

/**
 * Where the database of a data directory is, or would be begun. The data directory's own file says it; without one (a new
 * directory, or one of an older version) it is looked for by path, except in `passOver`. Makes nothing.
 */
export function findPlace(
  dataDir: string,
  user: ServerUser | undefined,
  packaged: string,
  { passOver = [], mayBeGuessed }: { readonly passOver?: readonly string[]; readonly mayBeGuessed: boolean },
): Place {
  const file = readInstallation(dataDir) ?? readRestoring(dataDir);
  if (file?.place !== undefined) return placeAt(file.place, dataDir, packaged);
  const reachable = user === undefined || (canEnter(dataDir, user) && canEnter(packaged, user));
  if (reachable || holdsDatabase(dataDir)) return placeAt(dataDir, dataDir, packaged);
  const found = placesOf(dataDir).filter((base) => !passOver.includes(base));
  const begun = found.find((base) => ownerOf(base) !== undefined && ownerOf(base)?.id === undefined);
  const guess = mayBeGuessed ? found[0] : undefined;
  return placeAt(begun ?? guess ?? freePlace(dataDir), dataDir, packaged, begun === undefined && guess !== undefined);
}

/** What may be guessed to be this data directory's: only one that a gateway has used, or that has a secret, can have a database. */
export const mayHaveDatabase = (dataDir: string): boolean => wasUsed(dataDir) || existsSync(join(dataDir, "secret"));

/** Refuses a database that its server's user can no longer access. */
export function assertReachable(place: Place, user: ServerUser | undefined): void {
  if (user !== undefined && !place.moved && !canEnter(place.base, user))
    throw new Error(
      `The database is in ${place.databaseDir}, but the user ${user.name}, whom PostgreSQL runs as, can't get there any more. Open the directories above it (chmod o+x), or move the data directory to where that user can get.`,
    );
}

/** Creates a place's directories for the server's user. */
export function makePlace(place: Place, dataDir: string, user: ServerUser | undefined, packaged: string): void {
  if (place.moved) {
    mkdirSync(ELSEWHERE, { recursive: true, mode: 0o755 });
    if (!existsSync(join(place.binaries, "postgres")))
      cpSync(dirname(packaged), dirname(place.binaries), { recursive: true, verbatimSymlinks: true });
  }
  mkdirSync(place.base, { recursive: true });
  if (place.moved && !holdsDatabase(place.base)) writeOwner(place.base, { dataDir });
  for (const directory of [place.databaseDir, place.socketDir]) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (user) chownSync(directory, user.uid, user.gid);
    if (user || statSync(directory).uid === process.getuid?.()) chmodSync(directory, 0o700);
  }
}

/** All relocated places with a database. */
export function allPlaces(): readonly string[] {
  if (!existsSync(ELSEWHERE)) return [];
  return readdirSync(ELSEWHERE)
    .sort()
    .map((name) => join(ELSEWHERE, name))
    .filter(holdsDatabase);
}

/** Relocated places created for a data directory at this path: its own, or those of removed ones. */
export const placesOf = (dataDir: string): readonly string[] =>
  allPlaces().filter((base) => (ownerOf(base)?.dataDir ?? byHash(base, dataDir)) === dataDir);

/** Older versions wrote no owner file and derived the place's name from the data directory's path. */
const byHash = (base: string, dataDir: string): string | undefined =>
  basename(base) === shortHash(dataDir) ? dataDir : undefined;

export function ownerOf(base: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(join(base, OWNER), "utf8")) as Owner;
  } catch {
    return undefined; // none, or one that a kill has torn: the data directory's file is what counts
  }
}

export function writeOwner(base: string, owner: Owner): void {
  writeFileSync(join(base, `${OWNER}.new`), `${JSON.stringify(owner)}\n`);
  renameSync(join(base, `${OWNER}.new`), join(base, OWNER));
}

export function freePlace(dataDir: string): string {
  const named = join(ELSEWHERE, shortHash(dataDir));
  for (let number = 1; ; number++) {
    const base = number === 1 ? named : `${named}-${number}`;
    if (!existsSync(base)) return base;
  }
}

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** Whether another user may walk down to `path`, as it is written and, behind symbolic links, as it really is. */
const canEnter = (path: string, user: ServerUser): boolean => canWalk(path, user) && canWalk(realPath(path), user);

/** Every directory above it must be open to all, or be the user's own. */
function canWalk(path: string, user: ServerUser): boolean {
  for (let directory = path; ; directory = dirname(directory)) {
    if (existsSync(directory)) {
      const stat = statSync(directory);
      const open = stat.uid === user.uid ? 0o100 : stat.gid === user.gid ? 0o010 : 0o001;
      if ((stat.mode & open) === 0) return false;
    }
    if (directory === dirname(directory)) return true;
  }
}

/** Resolves symbolic links in the existing part of a path. */
function realPath(path: string): string {
  if (path === dirname(path)) return path;
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}
