import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** A data directory's half of what it and its database have in common: `installation`, a small file of JSON. */
export interface InstallationFile {
  /** The same as the database's row says. */
  readonly id: string;
  /** Where the data directory was when it was last used: a copy is known by it. */
  readonly dataDir: string;
  /** Where the embedded server's files are, when that is not the data directory. */
  readonly place?: string;
}

const FILE = "installation";
/** Stands in the data directory from the first to the last step of a restore, in place of `installation`. */
const RESTORING = "restoring";

export const readInstallation = (dataDir: string): InstallationFile | undefined => read(join(dataDir, FILE));
export const readRestoring = (dataDir: string): InstallationFile | undefined => read(join(dataDir, RESTORING));

export const writeInstallation = (dataDir: string, file: InstallationFile): void => write(join(dataDir, FILE), file);
export const writeRestoring = (dataDir: string, file: InstallationFile): void => write(join(dataDir, RESTORING), file);

/** The last step of a restore: from here on the data directory and its database belong together. */
export const restored = (dataDir: string): void => renameSync(join(dataDir, RESTORING), join(dataDir, FILE));

/** What Afara makes in a data directory, apart from what an operator may have put there. */
const OWN = [
  FILE,
  RESTORING,
  "secret",
  "test-key",
  "nodes",
  "postgresql",
  "postgresql.new",
  "run",
  "smsc",
  "vendors",
  "paystack",
];

/** Where `clearDataDir` removes an embedded database, if there is one; below the data directory or elsewhere. */
export const embeddedFiles = (dataDir: string): readonly string[] =>
  [(readInstallation(dataDir) ?? readRestoring(dataDir))?.place, join(dataDir, "postgresql")].filter(
    (path) => path !== undefined && existsSync(path),
  ) as string[];

/** Removes what Afara made, the embedded server's files included; the server must not run. */
export function clearDataDir(dataDir: string): void {
  const place = (readInstallation(dataDir) ?? readRestoring(dataDir))?.place;
  if (place !== undefined) rmSync(place, { recursive: true, force: true });
  for (const name of OWN) rmSync(join(dataDir, name), { recursive: true, force: true });
}

/** Whether a gateway ran here before: each one leaves the directory of its nodes. */
export const wasUsed = (dataDir: string): boolean => existsSync(join(dataDir, "nodes"));

/**
 * The data directory that this one was copied from, if that is still there: two embedded databases with the same orders would
 * each send them.
 */
export function copiedFrom(dataDir: string): string | undefined {
  const own = readInstallation(dataDir);
  if (own === undefined || own.dataDir === realpathSync(dataDir)) return undefined;
  const other = readInstallation(own.dataDir);
  return other?.id === own.id && !isSame(own.dataDir, dataDir) ? own.dataDir : undefined;
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [statSync(left), statSync(right)];
  return a.dev === b.dev && a.ino === b.ino;
}

function read(path: string): InstallationFile | undefined {
  try {
    const { id, dataDir, place } = JSON.parse(readFileSync(path, "utf8")) as InstallationFile;
    if (typeof id === "string" && typeof dataDir === "string") return { id, dataDir, ...(place && { place }) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code !== undefined) throw error;
  }
  throw new Error(`${path} is damaged: put it back from a copy, or remove it: the next start then goes by the secret`);
}

/** Renamed into place: a kill between must not leave half a file behind. */
function write(path: string, file: InstallationFile): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o644 });
  renameSync(`${path}.new`, path);
}
