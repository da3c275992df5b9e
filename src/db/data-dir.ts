import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copiedFrom, isSame, readInstallation, readRestoring } from "./installation-file.ts";
import { ownerOf } from "./places.ts";

/** What Afara makes in a data directory, apart from what an operator may have put there. */
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
/** What it makes in a place elsewhere. */
const OWN_ELSEWHERE = ["postgresql", "postgresql.new", "run", "owner.json"];

/** Why the embedded database that a data directory names is not its to use, with what to do; undefined when it is. */
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

/** The other data directory that has a place as its own, by the owner that is written there and by its own file. */
export function claimantOf(place: string, dataDir: string): string | undefined {
  const owner = ownerOf(place)?.dataDir;
  if (owner === undefined || isSame(owner, dataDir) || !existsSync(owner)) return undefined;
  return (readInstallation(owner) ?? readRestoring(owner))?.place === place ? owner : undefined;
}

/** The place elsewhere that a data directory names, and whether its name is on it. */
function placeOf(dataDir: string): { readonly place: string; readonly isOwn: boolean } | undefined {
  const file = readInstallation(dataDir) ?? readRestoring(dataDir);
  if (file?.place === undefined) return undefined;
  const owner = ownerOf(file.place)?.dataDir;
  // A directory that was moved and not started since is still named by its old path.
  const isOwn = owner !== undefined && (isSame(owner, dataDir) || (owner === file.dataDir && !existsSync(owner)));
  return { place: file.place, isOwn };
}

/** Where `clearDataDir` removes an embedded database, if there is one; below the data directory or elsewhere. */
export function embeddedFiles(dataDir: string): readonly string[] {
  const elsewhere = placeOf(dataDir);
  return [...(elsewhere?.isOwn ? [elsewhere.place] : []), join(dataDir, "postgresql")].filter(existsSync);
}

/**
 * Removes what Afara made in a data directory, the embedded server's files included; the server must not run. Resolves with
 * the place elsewhere that was left alone, because another directory's name is on it.
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
