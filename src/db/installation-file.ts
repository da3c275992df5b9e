import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A data directory's half of what it and its database have in common: `installation`, a small file of JSON. */
export interface InstallationFile {
  /** The same as the database's row says. */
  readonly id: string;
  /** Where the data directory was when it was last used: a copy is known by it. */
  readonly dataDir: string;
  /** Where the embedded server's files are, when that is not the data directory. */
  readonly place?: string;
  /** Device and inode of the data directory: a move within a disk keeps them, a copy has others. */
  readonly inode?: string;
}

/** A restore that has not ended. */
export interface RestoringFile extends InstallationFile {
  /** The backup's header as a sum: no other backup may go on with it. */
  readonly backup?: string;
  /** When that backup was made, to name it by. */
  readonly backupAt?: string;
  /** This restore's own mark, which it commits with the rows. */
  readonly mark?: string;
}

const FILE = "installation";
/** Stands in the data directory from the first to the last step of a restore, in place of `installation`. */
const RESTORING = "restoring";

export const readInstallation = (dataDir: string): InstallationFile | undefined => read(join(dataDir, FILE));
export const readRestoring = (dataDir: string): RestoringFile | undefined => read(join(dataDir, RESTORING));

export const writeInstallation = (dataDir: string, file: InstallationFile): void => write(dataDir, FILE, file);
export const writeRestoring = (dataDir: string, file: RestoringFile): void => write(dataDir, RESTORING, file);

/** The last step of a restore: from here on the data directory and its database belong together. */
export const restored = (dataDir: string): void => renameSync(join(dataDir, RESTORING), join(dataDir, FILE));

/** Whether a gateway ran here before: each one leaves the directory of its nodes. */
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
