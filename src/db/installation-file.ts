import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The data directory's link to its database: `installation`, a small JSON file. */
export interface InstallationFile {
  /** Equal to the ID in the database. */
  readonly id: string;
  /** The data directory's path at its last use, which identifies a copy. */
  readonly dataDir: string;
  /** The location of the embedded server's files, if not the data directory. */
  readonly place?: string;
  /** Device and inode of the data directory: a move within a disk keeps them, a copy has others. */
  readonly inode?: string;
}

/** An unfinished restore. */
export interface RestoringFile extends InstallationFile {
  /** The checksum of the backup's header: only the same backup may resume the restore. */
  readonly backup?: string;
  /** The backup's time, for messages. */
  readonly backupAt?: string;
  /** This restore's unique mark, committed with the rows. */
  readonly mark?: string;
}

const FILE = "installation";
/** The file in the data directory during a restore, in place of `installation`. */
const RESTORING = "restoring";

export const readInstallation = (dataDir: string): InstallationFile | undefined => read(join(dataDir, FILE));
export const readRestoring = (dataDir: string): RestoringFile | undefined => read(join(dataDir, RESTORING));

export const writeInstallation = (dataDir: string, file: InstallationFile): void => write(dataDir, FILE, file);
export const writeRestoring = (dataDir: string, file: RestoringFile): void => write(dataDir, RESTORING, file);

/** The last step of a restore: it links the data directory and its database. */
export const restored = (dataDir: string): void => renameSync(join(dataDir, RESTORING), join(dataDir, FILE));

/** Whether a gateway ran here before: each leaves a directory of nodes. */
export const wasUsed = (dataDir: string): boolean => existsSync(join(dataDir, "nodes"));

/**
 * The data directory that this one was copied from, and whether that is still there: two embedded databases with the same
 * orders would each send them. Gone, it may as well have been moved here from another disk: nobody can tell.
 */
export function copiedFrom(dataDir: string): { readonly original: string; readonly isThere: boolean } | undefined {
  const own = readInstallation(dataDir) ?? readRestoring(dataDir);
  if (own === undefined || own.dataDir === realpathSync(dataDir)) return undefined;
  const original = own.dataDir;
  const other = readInstallation(original) ?? readRestoring(original);
  if (other?.id === own.id && !isSame(original, dataDir)) return { original, isThere: true };
  return own.inode === undefined || own.inode === inodeOf(dataDir) ? undefined : { original, isThere: false };
}

/** Device and inode of a directory. */
export function inodeOf(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true });
  return `${dev}:${ino}`;
}

/** Whether two paths lead to one directory. */
export const isSame = (left: string, right: string): boolean =>
  left === right || (existsSync(left) && existsSync(right) && inodeOf(left) === inodeOf(right));

function read(path: string): RestoringFile | undefined {
  try {
    const file = JSON.parse(readFileSync(path, "utf8")) as RestoringFile;
    if (typeof file.id === "string" && typeof file.dataDir === "string") return file;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code !== undefined) throw error;
  }
  throw new Error(`${path} is damaged: put it back from a copy, or remove it: the next start then goes by the secret`);
}

/** Renamed into place: a kill between must not leave half a file behind. */
function write(dataDir: string, name: string, file: RestoringFile): void {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, name);
  writeFileSync(`${path}.new`, `${JSON.stringify({ ...file, inode: inodeOf(dataDir) }, null, 2)}\n`, { mode: 0o644 });
  renameSync(`${path}.new`, path);
}
