import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { forgetSecret, isSecretOf } from "../accounts/secret.ts";
import { keepSetting } from "../accounts/settings.repo.ts";
import { occupantsOf } from "../app/node-file.ts";
import { INSTALLATION_ID, readContents, usersOf } from "../db/contents.ts";
import { claimantOf, whyNotOwn } from "../db/data-dir.ts";
import { startEmbedded } from "../db/embedded.ts";
import {
  copiedFrom,
  type InstallationFile,
  isSame,
  readInstallation,
  readRestoring,
  writeInstallation,
} from "../db/installation-file.ts";
import { allPlaces, ELSEWHERE, holdsDatabase, writeOwner } from "../db/places.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { refusal } from "./backup.command.ts";
import { CannotRun, type Report } from "./report.ts";
import { secretOf } from "./secret.ts";
import { onConnection, type Surroundings, soundConfig } from "./session.ts";

/** Assigns the database of a removed data directory to this data directory. */
export async function adopt(
  surroundings: Surroundings,
  warn: (text: string) => void,
  place: string,
  { secretLost }: { readonly secretLost?: true },
): Promise<Report> {
  const config = await soundConfig(surroundings, warn);
  const base = resolve(place);
  const { dataDir } = config;
  if (config.databaseUrl !== undefined)
    throw new CannotRun("DATABASE_URL is set: only an embedded database can be adopted.");
  if (!holdsDatabase(base))
    return refusal(`${base} holds no database that this user can read; ./afara where lists databases.`);
  if (occupantsOf(dataDir).length > 0) return refusal(`A gateway uses ${dataDir}: stop it first.`);
  const file = readInstallation(dataDir);
  if (file !== undefined && isSame(base, file.place ?? dataDir)) return confirm(dataDir, file, base);
  if (file || readRestoring(dataDir) || holdsDatabase(dataDir))
    return refusal(
      `${dataDir} already has a database: ./afara reset removes it, or set AFARA_DATA_DIR to another directory.`,
    );
  if (DATA_DIR_FILES.some((name) => existsSync(join(base, name))))
    return refusal(`${base} is a data directory with its own secret: start it with AFARA_DATA_DIR='${base}'.`);
  if (!allPlaces().some((known) => isSame(known, base)))
    return refusal(`${base} is not in ${ELSEWHERE}, where Afara keeps relocated databases; ./afara where lists them.`);
  const claimant = claimantOf(base, dataDir);
  if (claimant !== undefined) return refusal(`${base} belongs to ${claimant}, which still exists.`);

  const server = await startEmbedded(dataDir, { progress: () => undefined, at: base });
  try {
    const users = server.adopted ? await usersOf(server.connection) : 0;
    if (users > 0)
      return refusal(
        `${base} is in use: ${users} gateway(s) or other programs are connected to it, or were in the last ten seconds. Stop them first.`,
      );
    const id = await onConnection(server.connection, async (db) => {
      const { installationId, level } = await readContents(db);
      if (level === 0) throw new CannotRun(`The database in ${base} is not Afara's.`);
      const secret = secretOf(config);
      const own = secret === undefined ? false : await isSecretOf(db, secret);
      if (own === false && !secretLost) return undefined;
      if (own === false) await forgetSecret(db);
      return installationId ?? (await keepSetting(db, INSTALLATION_ID, encodeId("ins", newUuid())));
    });
    if (id === undefined)
      return refusal(
        `The secret of this database is missing: put it back as AFARA_SECRET or in '${dataDir}/secret'. If it is lost permanently, --secret-lost continues without it: existing API keys stop working, and sealed tokens and texts can't be read.`,
      );
    return claim(dataDir, id, base, base);
  } finally {
    if (!server.adopted) await server.stop();
  }
}

/** Files of a data directory that a relocated database's place does not have. */
const DATA_DIR_FILES = ["installation", "restoring", "secret", "nodes"];

/** The operator confirms that a copied or moved data directory is the one to use. */
function confirm(dataDir: string, { id, place }: InstallationFile, base: string): Report {
  if (copiedFrom(dataDir)?.isThere === true || (place !== undefined && claimantOf(place, dataDir) !== undefined))
    return refusal(`${whyNotOwn(dataDir)}.`);
  return claim(dataDir, id, base, place);
}

function claim(dataDir: string, id: string, base: string, place: string | undefined): Report {
  if (place !== undefined) writeOwner(place, { dataDir, id });
  writeInstallation(dataDir, { id, dataDir: realpathSync(dataDir), ...(place !== undefined && { place }) });
  return {
    ok: true,
    json: { ok: true, installation: id, place: base, data_directory: dataDir },
    text: `${base} (installation ${id}) is now the database of ${dataDir}.`,
  };
}
