import { existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Below this PostgreSQL may be unable to start: one segment of its log takes 16 MB. */
const SCARCE_BYTES = 32 * 1024 * 1024;

/** A log's length in bytes. */
export const lengthOf = (log: string): number => (existsSync(log) ? statSync(log).size : 0);

/**
 * Why the server did not start: what its log says beyond `earlier` bytes, else what `pg_ctl` printed. On a full disk neither
 * may say anything, so the space that is left is said as well.
 */
export function startFailure(log: string, earlier: number, output: string): string {
  const said = existsSync(log) ? readFileSync(log).subarray(earlier).toString("utf8") : "";
  return `The embedded PostgreSQL did not start. Its last words (${log}):\n${lastWords(said) || lastWords(output) || "none"}${spaceText(dirname(log))}`;
}

/** A sentence about the volume of a directory, when it is nearly or wholly full. */
export function spaceText(directory: string, free = freeBytes(directory)): string {
  if (free >= SCARCE_BYTES) return "";
  return `\nThe volume of ${directory} is full: ${Math.floor(free / 1024)} kB are free (ENOSPC). Make room on it, and start again.`;
}

const lastWords = (text: string): string => text.trim().split("\n").slice(-5).join("\n");

/** The space left for an unprivileged process. */
function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
