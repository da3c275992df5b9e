import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copiedFrom, isSame, readInstallation, readRestoring } from "./installation-file.ts";
import { ownerOf } from "./places.ts";

/** Afara's own files in a data directory, without the operator's. */
const OWN = [
  "installation",
  "restoring",
  "restore.lock",
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
/** Its files in a relocated place. */
const OWN_ELSEWHERE = ["postgresql", "postgresql.new", "run", "owner.json"];

/** Why a data directory may not use the embedded database that it names, and what to do; undefined if it may. */
export function whyNotOwn(dataDir: string): string | undefined {
  const file = readInstallation(dataDir) ?? readRestoring(dataDir);
  if (file === undefined) return undefined;
  const claimant = file.place === undefined ? undefined : claimantOf(file.place, dataDir);
  if (claimant !== undefined)
    return `${dataDir} is a copy of ${claimant}, which is still there and has the database ${file.place}. Start that one; this copy may be removed (rm -r '${dataDir}')`;
  const copied = copiedFrom(dataDir);
  if (copied === undefined) return undefined;
  const { original, isThere } = copied;
  if (!isThere)
    return `${dataDir} is a copy of ${original}, or was moved from there to another disk: ${original} is gone, so nobody can tell. Should it run elsewhere under another name, both would send the orders in them. If it does not: ./afara adopt '${file.place ?? dataDir}'`;
  const both = file.place === undefined ? `; or, if two are meant, rm '${dataDir}/installation'` : "";
  return `${dataDir} is a copy of ${original}, which is still there: both would send the orders in them, each of its own. Start that one, or remove it${both}`;
}

/** Another data directory that owns a place, according to the place's owner file and its own. */
export function claimantOf(place: string, dataDir: string): string | undefined {
  const owner = ownerOf(place)?.dataDir;
  if (owner === undefined || isSame(owner, dataDir) || !existsSync(owner)) return undefined;
  return (readInstallation(owner) ?? readRestoring(owner))?.place === place ? owner : undefined;
}

/** The relocated place that a data directory names, and whether the place's owner file names it. */
function placeOf(dataDir: string): { readonly place: string; readonly isOwn: boolean } | undefined {
  const file = readInstallation(dataDir) ?? readRestoring(dataDir);
  if (file?.place === undefined) return undefined;
  const owner = ownerOf(file.place)?.dataDir;
  // A directory moved and not started since is still recorded under its old path.
  const isOwn = owner !== undefined && (isSame(owner, dataDir) || (owner === file.dataDir && !existsSync(owner)));
  return { place: file.place, isOwn };
}

/** The embedded databases that `clearDataDir` removes, in the data directory or relocated. */
export function embeddedFiles(dataDir: string): readonly string[] {
  const elsewhere = placeOf(dataDir);
  return [...(elsewhere?.isOwn ? [elsewhere.place] : []), join(dataDir, "postgresql")].filter(existsSync);
}

/**
 * Removes Afara's files from a data directory, including the embedded server's; the server must not run. Returns a relocated place
 * that was kept because it belongs to another directory.
 */
export function clearDataDir(dataDir: string): string | undefined {
  const { place, isOwn } = placeOf(dataDir) ?? { isOwn: false };
  if (place !== undefined && isOwn && existsSync(place)) {
    for (const name of OWN_ELSEWHERE) rmSync(join(place, name), { recursive: true, force: true });
    if (realpathSync(place) !== realpathSync(dataDir) && readdirSync(place).length === 0) rmdirSync(place);
  }
  for (const name of OWN) rmSync(join(dataDir, name), { recursive: true, force: true });
  return place !== undefined && !isOwn && existsSync(place) ? place : undefined;
}
