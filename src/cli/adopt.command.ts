import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { forgetSecret, isSecretOf } from "../accounts/secret.ts";
import { keepSetting } from "../accounts/settings.repo.ts";
import { INSTALLATION_ID, readContents } from "../db/contents.ts";
import { startEmbedded } from "../db/embedded.ts";
import { readInstallation, writeInstallation } from "../db/installation-file.ts";
import { holdsDatabase, ownerOf, writeOwner } from "../db/places.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { occupantsOf } from "../predecessors.ts";
import { refusal } from "./backup.command.ts";
import { CannotRun, type Report } from "./report.ts";
import { secretOf } from "./secret.ts";
import { onConnection, type Surroundings, soundConfig } from "./session.ts";

/** Makes the database that a removed data directory has left behind this data directory's. */
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
    return refusal(`${base} holds no database that this user can read; ./afara where lists them.`);
  if (occupantsOf(dataDir).length > 0) return refusal(`A gateway uses ${dataDir}: stop it first.`);
  if (readInstallation(dataDir) || holdsDatabase(dataDir))
    return refusal(
      `${dataDir} has a database of its own: ./afara reset removes it, or name another directory with AFARA_DATA_DIR.`,
    );
  const owner = ownerOf(base);
  if (
    owner &&
    owner.dataDir !== dataDir &&
    existsSync(owner.dataDir) &&
    readInstallation(owner.dataDir)?.place === base
  )
    return refusal(`${base} belongs to ${owner.dataDir}, which is there.`);

  const server = await startEmbedded(dataDir, { progress: () => undefined, at: base });
  try {
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
        `The secret of this database is not here: put it back as AFARA_SECRET or in '${dataDir}/secret'. If it is gone for good, --secret-lost goes on without it: no API key that was made with it will be recognised, and tokens and texts that are kept sealed stay closed.`,
      );
    writeInstallation(dataDir, { id, dataDir: realpathSync(dataDir), place: base });
    writeOwner(base, { dataDir, id });
    return {
      ok: true,
      json: { ok: true, installation: id, place: base, data_directory: dataDir },
      text: `${base} (installation ${id}) is the database of ${dataDir} from now on.`,
    };
  } finally {
    if (!server.adopted) await server.stop();
  }
}
