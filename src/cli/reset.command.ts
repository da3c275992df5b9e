import { occupantsOf } from "../app/node-file.ts";
import { restoreUnderWay } from "../backup/restore-lock.ts";
import type { Config } from "../config/gateway-config.ts";
import { countsIn, emptyDatabase, hasLiveData, readContents, sizeOf } from "../db/contents.ts";
import { clearDataDir, embeddedFiles, whyNotOwn } from "../db/data-dir.ts";
import type { Connection, Db } from "../db/database.ts";
import { embeddedPlace, stopEmbedded } from "../db/embedded.ts";
import { readInstallation, readRestoring } from "../db/installation-file.ts";
import { holdsDatabase } from "../db/places.ts";
import { liveNodes } from "../orders/nodes.repo.ts";
import { refusal, sizeText } from "./backup.command.ts";
import { CannotRun, type Report } from "./report.ts";
import { onConnection, type Surroundings, soundConfig, withServer } from "./session.ts";
import { bytesOf, urlText } from "./where.command.ts";

export interface ResetOptions {
  readonly yes?: true;
  /** The installation's ID: required unless there is only test data. */
  readonly live?: string;
}

const WORD = "reset";

/** Removes the database and Afara's files in the data directory, after confirmation. */
export async function reset(
  surroundings: Surroundings,
  warn: (text: string) => void,
  { yes, live }: ResetOptions,
): Promise<Report> {
  const config = await soundConfig(surroundings, warn);
  const { dataDir } = config;
  const [occupant] = occupantsOf(dataDir).filter(({ isHere }) => isHere);
  if (occupant) return refusal(`A gateway uses ${dataDir} (process ${occupant.pid}): stop it first.`);
  const restoring = restoreUnderWay(dataDir);
  if (restoring !== undefined)
    return refusal(`A restore into ${dataDir} is under way (process ${restoring}): stop it first.`);
  const foreign = config.databaseUrl === undefined ? whyNotOwn(dataDir) : undefined;
  if (foreign !== undefined) return refusal(`Nothing was removed: ${foreign}.`);
  const id = (readInstallation(dataDir) ?? readRestoring(dataDir))?.id ?? "unknown";
  const found = await look(config);
  if (found.others > 0)
    return refusal(`${found.others} gateway(s) use this database, or did in the last ten seconds: stop them first.`);
  if (found.id !== undefined && id !== "unknown" && found.id !== id)
    return refusal(
      `The data directory ${dataDir} belongs to installation ${id}, but the database to ${found.id}: correct DATABASE_URL or AFARA_DATA_DIR.`,
    );
  const named = found.id ?? id;
  const why = config.production ? "AFARA_ENV is production" : found.why;
  if (live !== undefined && live !== named) return refusal(`--live names ${live}, but this is installation ${named}.`);
  if (why !== undefined && live === undefined)
    return refusal(
      `${why}, so name it explicitly: ./afara reset --live ${named} (./afara backup FILE saves it first).`,
    );

  const doomed = [...doomedDatabases(config, found), `Afara's files in ${dataDir}`];
  const listed = doomed.map((line) => `  - ${line}`).join("\n");
  if (!yes) {
    if (!surroundings.terminal) throw new CannotRun("No terminal is available to confirm: give --yes.");
    const what = `This permanently removes installation ${named}:\n${listed}`;
    if ((await surroundings.terminal.ask(`${what}\nType ${WORD} to continue: `)).trim() !== WORD)
      return refusal("Nothing was removed.");
  }
  if (config.databaseUrl === undefined) await stopEmbedded(dataDir);
  else await emptyDatabase({ connectionString: config.databaseUrl });
  const left = clearDataDir(dataDir);
  const leftText = left === undefined ? "" : ` ${left} was left in place, as it belongs to another directory.`;
  return {
    ok: true,
    json: { ok: true, installation: named, data_directory: dataDir, removed: doomed },
    text: `Removed from installation ${named}:\n${listed}\nThe next start creates a new installation.${leftText}`,
  };
}

interface Found {
  readonly id?: string | undefined;
  /** Why it needs confirmation by the installation's ID. */
  readonly why?: string | undefined;
  /** Gateways on other data directories. */
  readonly others: number;
  /** The database's contents, if it could be read. */
  readonly holds?: { readonly bytes: number; readonly orders: bigint; readonly accounts: bigint };
}

/** The databases to remove, each with its place, size and contents. */
function doomedDatabases({ dataDir, databaseUrl }: Config, { holds }: Found): readonly string[] {
  const contents = holds ? `${holds.orders} orders, ${holds.accounts} accounts` : "contents unknown";
  const files = embeddedFiles(dataDir).map((place) => `the database in ${place} (${sizeText(bytesOf(place))}`);
  if (databaseUrl === undefined) return files.map((text) => `${text}; ${contents})`);
  const size = holds ? `${sizeText(holds.bytes)}; ` : "";
  return [`the database ${urlText(databaseUrl)} (${size}${contents})`, ...files.map((text) => `${text})`)];
}

async function look(config: Config): Promise<Found> {
  if (config.databaseUrl === undefined && !holdsDatabase((await embeddedPlace(config.dataDir)).base))
    return {
      others: 0,
      why: readInstallation(config.dataDir) && "Its database is missing and its contents are unknown",
    };
  try {
    return await withServer(config, (connection) => lookAt(config, connection));
  } catch (error) {
    if (config.databaseUrl !== undefined)
      throw new CannotRun(`The database that DATABASE_URL names can't be reached: ${(error as Error).message}`);
    return { others: 0, why: `Its database can't be read (${(error as Error).message})` };
  }
}

const lookAt = (config: Config, connection: Connection): Promise<Found> =>
  onConnection(connection, async (db: Db) => {
    const { level, installationId: id } = await readContents(db);
    if (level === 0) return { id, others: 0 };
    const holds = { ...(await countsIn(db)), bytes: (await sizeOf(db)).bytes };
    // A live node of the embedded database can only be a just-killed gateway of this directory; a shared one may have other gateways.
    const others = config.databaseUrl === undefined ? 0 : (await liveNodes(db)).length;
    return {
      id,
      others,
      holds,
      why: (await hasLiveData(db)) ? "It has live accounts, keys, orders or money" : undefined,
    };
  });
