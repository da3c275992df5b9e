import { realpathSync } from "node:fs";
import { join } from "node:path";
import { checkSecret, isSecretOf, OTHER_SECRET } from "../accounts/secret.ts";
import { keepSetting } from "../accounts/settings.repo.ts";
import { type Contents, contentsOf, INSTALLATION_ID } from "../db/contents.ts";
import { whyNotOwn } from "../db/data-dir.ts";
import { type Connection, type Database, openDatabase } from "../db/database.ts";
import { type EmbeddedServer, isServing, missingText, startEmbedded } from "../db/embedded.ts";
import {
  type InstallationFile,
  inodeOf,
  readInstallation,
  readRestoring,
  wasUsed,
  writeInstallation,
} from "../db/installation-file.ts";
import { migrateAt, type Schema } from "../db/migrate.ts";
import { placesOf, writeOwner } from "../db/places.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";

/**
 * A data directory and its database belong together by an id that is written in both: `installation` in the directory and a
 * row in `settings`. The row comes first, so a kill in between leaves a directory without an id, which goes by its secret.
 */

export interface Joining {
  readonly dataDir: string;
  /** The embedded server, when that holds the database. */
  readonly embedded: Pick<EmbeddedServer, "movedTo"> | undefined;
  readonly connection: Connection;
  /** The secret that is known before the start: of the environment, or kept in the data directory. */
  readonly secret: string | undefined;
  /** Makes a secret where none is known, and keeps it. */
  readonly makeSecret: () => string;
  readonly schema: Schema;
  readonly log: Log;
}

/** Faults that can be told before any database is looked at. */
export function dataDirFaults(dataDir: string, isEmbedded: boolean): readonly string[] {
  if (readRestoring(dataDir))
    return [
      `AFARA_DATA_DIR: a restore into ${dataDir} did not end. Run it again: ./afara restore FILE; or give it up: ./afara reset`,
    ];
  const reason = isEmbedded ? whyNotOwn(dataDir) : undefined;
  return reason === undefined ? [] : [`AFARA_DATA_DIR: ${reason}`];
}

/** Makes sure that data directory and database belong together, and writes the id in both. Resolves with the secret and the id. */
export async function joinInstallation(joining: Joining): Promise<{ readonly secret: string; readonly id: string }> {
  const { dataDir, connection } = joining;
  const file = readInstallation(dataDir);
  const contents = await contentsOf(connection);
  const reason = whyNotTogether(dataDir, contents);
  if (reason !== undefined) throw new Error(reason);
  if (contents.secretFingerprint !== undefined && joining.secret === undefined) throw new Error(OTHER_SECRET);

  const secret = joining.secret ?? joining.makeSecret();
  await migrateAt(connection, joining.schema);
  const id = await withDatabase(joining, async (db) => {
    await checkSecret(db, secret);
    return keepSetting(db, INSTALLATION_ID, file?.id ?? encodeId("ins", newUuid()));
  });
  claim(joining, { id, dataDir: realpathSync(dataDir) });
  return { secret, id };
}

/** Why a data directory must not start on a database; undefined when it may. */
export function whyNotTogether(dataDir: string, { isEmpty, installationId }: Contents): string | undefined {
  const file = readInstallation(dataDir);
  if (isEmpty && (file !== undefined || wasUsed(dataDir)))
    return missingText(dataDir, file?.id, "the one that was found is empty");
  if (file && installationId !== undefined && installationId !== file.id)
    return otherText(dataDir, file, installationId);
  return undefined;
}

export interface Opening extends Omit<Joining, "embedded" | "connection"> {
  /** Undefined: the embedded server. */
  readonly databaseUrl: string | undefined;
  /** For who watches the start. */
  readonly say: (line: string) => void;
}

export interface Opened {
  readonly embedded: EmbeddedServer | undefined;
  readonly connection: Connection;
  readonly secret: string;
  readonly id: string;
}

/** Starts the embedded server where none is named, and makes sure that the database is this data directory's. */
export async function openInstallation({ databaseUrl, say, ...joining }: Opening): Promise<Opened> {
  const { dataDir, secret, log } = joining;
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl };
    return {
      embedded: undefined,
      connection,
      ...(await joinInstallation({ ...joining, embedded: undefined, connection })),
    };
  }
  say("Starting PostgreSQL …");
  const embedded = await startEmbedded(dataDir, {
    progress: say,
    isOwn: secret === undefined ? undefined : isOwnBySecret(secret, log),
  });
  if (embedded.movedTo !== undefined)
    say(`The database can't run where the data directory is (this is root's), so it is in ${embedded.movedTo}`);
  if (embedded.adopted) say("A database server of this data directory was already running; it is used on.");
  const { connection } = embedded;
  try {
    const joined = await joinInstallation({ ...joining, embedded, connection });
    if (embedded.begun) for (const base of orphansOf(dataDir, embedded.movedTo)) say(orphanText(base));
    return { embedded, connection, ...joined };
  } catch (error) {
    // A server that was found running may be another gateway's.
    if (!embedded.adopted) await embedded.stop();
    throw error;
  }
}

/** Whether a database that was found at a data directory's path was made with this secret. */
const isOwnBySecret =
  (secret: string, log: Log) =>
  async (connection: Connection): Promise<boolean> => {
    const { secretFingerprint } = await contentsOf(connection);
    if (secretFingerprint === undefined) return false;
    return (await withDatabase({ connection, log }, (db) => isSecretOf(db, secret))) === true;
  };

/** Writes down where the database of this data directory is; a moved directory is known again by its own file. */
function claim({ dataDir, embedded }: Joining, { id, dataDir: real }: InstallationFile): void {
  const file = readInstallation(dataDir);
  const place = embedded?.movedTo;
  if (file?.id !== id || file.dataDir !== real || file.place !== place || file.inode !== inodeOf(dataDir))
    writeInstallation(dataDir, { id, dataDir: real, ...(place !== undefined && { place }) });
  if (place !== undefined) writeOwner(place, { dataDir, id });
}

/** Databases that removed data directories at this path have left behind. */
const orphansOf = (dataDir: string, own: string | undefined): readonly string[] =>
  placesOf(dataDir).filter((base) => base !== own);

/** What to do with a database that no data directory claims. */
const orphanText = (base: string): string =>
  isServing({ databaseDir: join(base, "postgresql") })
    ? `${base} holds the database of another data directory that was at this path, and its server runs. It is left alone.`
    : `${base} holds the database of a data directory that was removed. It is left alone.
  Take it over: stop, ./afara reset, ./afara adopt '${base}'
  Remove it for good: rm -r '${base}'`;

const otherText = (dataDir: string, file: InstallationFile, other: string): string =>
  `The data directory ${dataDir} belongs to installation ${file.id}, and this database to ${other}. Nothing was started. Put DATABASE_URL or AFARA_DATA_DIR right; or, if this database is meant: rm '${dataDir}/installation', and the next start goes by AFARA_SECRET alone`;

async function withDatabase<T>(
  { connection, log }: Pick<Joining, "connection" | "log">,
  act: (db: Database) => Promise<T>,
): Promise<T> {
  const db = openDatabase({ connection, connections: 1, connectTimeoutMs: 5_000, log });
  try {
    return await act(db);
  } finally {
    await db.close();
  }
}
