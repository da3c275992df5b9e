import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { occupantsOf } from "../app/node-file.ts";
import type { Config } from "../config/gateway-config.ts";
import { readContents, sizeOf, usersOf } from "../db/contents.ts";
import { whyNotOwn } from "../db/data-dir.ts";
import { connectionAt, embeddedPlace, missingDatabase } from "../db/embedded.ts";
import { readInstallation } from "../db/installation-file.ts";
import { allPlaces, holdsDatabase, ownerOf, placeAt } from "../db/places.ts";
import { whereServerRuns } from "../db/stale-lock.ts";
import { sizeText, versionOf } from "./backup.command.ts";
import { migrationsOf } from "./migrate.command.ts";
import { type Report, tableText } from "./report.ts";
import { connectionOf, onConnection, type Surroundings, soundConfig } from "./session.ts";

/** The location, size and versions of the data. Starts nothing and changes nothing. */
export async function where(surroundings: Surroundings, warn: (text: string) => void): Promise<Report> {
  const config = await soundConfig(surroundings, warn);
  const { dataDir } = config;
  const { root } = surroundings;
  const installation = readInstallation(dataDir);
  const database = await databaseFacts(config);
  const missing = config.databaseUrl === undefined ? await missingDatabase(dataDir) : undefined;
  const known = migrationsOf(root).length;
  const { orphans, unknown } = await unclaimedPlaces(dataDir, database.place);
  const gateways = occupantsOf(dataDir).length;
  const json = {
    ok: true,
    installation: installation?.id ?? database.installation ?? null,
    data_directory: dataDir,
    data_bytes: bytesOf(dataDir),
    database: {
      kind: database.kind,
      place: database.place ?? null,
      url: database.url ?? null,
      running: database.running,
      missing: missing ?? null,
      bytes: database.bytes ?? null,
      migrations: database.level ?? null,
      postgresql: database.postgresql ?? null,
    },
    gateways,
    versions: { afara: versionOf(root), node: process.versions.node, migrations: known },
    orphans: orphans.map(({ base, owner, bytes, remove }) => ({
      place: base,
      data_directory: owner?.dataDir ?? null,
      installation: owner?.id ?? null,
      bytes,
      adopt: `./afara adopt '${base}'`,
      remove,
    })),
    unknown: unknown.map(({ base, inUse, bytes }) => ({ place: base, in_use: inUse, bytes })),
  };
  const state = missing
    ? "is missing"
    : database.running
      ? "runs"
      : database.kind === "embedded"
        ? "does not run"
        : "can't be reached";
  const level = database.level === undefined ? "" : `, migration ${database.level} of ${known}`;
  const size = database.bytes === undefined ? "" : `, ${sizeText(database.bytes)}`;
  const strange = config.databaseUrl === undefined ? whyNotOwn(dataDir) : undefined;
  const rows = [
    ["INSTALLATION", json.installation ?? "none yet: no gateway has started here"],
    ["DATA DIRECTORY", `${dataDir} (${sizeText(json.data_bytes)})`],
    ["DATABASE", `${database.url ?? database.place} (${database.kind}, ${state}${size}${level})`],
    ["POSTGRESQL", database.postgresql ?? "unknown until it runs"],
    ["GATEWAYS", gateways === 0 ? "none on this data directory" : `${gateways} on this data directory`],
    ["AFARA", `${json.versions.afara}, in ${root}`],
    ["NODE", json.versions.node],
    ["MIGRATIONS", `${known} in this version`],
    ...(strange === undefined ? [] : [["ATTENTION", strange]]),
  ];
  const width = Math.max(...rows.map(([head]) => head!.length)) + 2;
  const facts = rows.map(([head, fact]) => `${head!.padEnd(width)}${fact}`).join("\n");
  const listed =
    orphans.length === 0
      ? ""
      : `\n\nDatabases without a data directory (removed, or moved and not started since):\n${tableText(
          ["PLACE", "SIZE", "WAS"],
          orphans.map(({ base, owner, bytes }) => [base, sizeText(bytes), wasText(owner?.dataDir)]),
        )}\n${orphans.map(({ base, remove }) => `Take over: ./afara adopt '${base}'\nRemove:    ${remove}`).join("\n")}`;
  const lost = missing === undefined ? "" : `\n\n${missing}`;
  return { ok: true, json, text: facts + lost + listed + unknownText(unknown) };
}

/** A URL without its secrets. */
export function urlText(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = "";
  for (const name of [...url.searchParams.keys()]) if (/pass|key|secret/i.test(name)) url.searchParams.delete(name);
  return url.href;
}

interface DatabaseFacts {
  readonly kind: "embedded" | "DATABASE_URL";
  readonly place?: string;
  readonly url?: string;
  readonly running: boolean;
  readonly bytes?: number;
  readonly level?: number;
  readonly installation?: string | undefined;
  readonly postgresql?: string;
}

async function databaseFacts(config: Config): Promise<DatabaseFacts> {
  const ask = async () =>
    onConnection(await connectionOf(config), async (db) => {
      const { level, installationId: installation } = await readContents(db);
      return { ...(await sizeOf(db)), level, installation, running: true };
    });
  if (config.databaseUrl !== undefined) {
    const url = urlText(config.databaseUrl);
    return { kind: "DATABASE_URL", url, ...(await ask().catch(() => ({ running: false }))) };
  }
  const place = await embeddedPlace(config.dataDir);
  const there = { kind: "embedded", place: dirname(place.databaseDir) } as const;
  if (!holdsDatabase(place.base)) return { ...there, running: false };
  const atRest = {
    running: false,
    bytes: bytesOf(place.databaseDir),
    postgresql: readFileSync(join(place.databaseDir, "PG_VERSION"), "utf8").trim(),
  };
  return { ...there, ...(await ask().catch(() => atRest)) };
}

/** Relocated databases without a data directory: orphans, and those in use or with an unknown owner. */
async function unclaimedPlaces(dataDir: string, own: string | undefined) {
  const unclaimed = allPlaces()
    .filter((base) => base !== own)
    .map((base) => ({ base, owner: ownerOf(base) }))
    .filter(({ base, owner }) => owner === undefined || !isClaimed(base, owner.dataDir, dataDir));
  const places = await Promise.all(
    unclaimed.map(async ({ base, owner }) => {
      // An unknown one may be running in another container.
      const runs = await whereServerRuns(placeAt(base, dataDir, "")).catch(() => "elsewhere");
      const stop = runs === "here" ? `kill -INT $(head -1 '${base}/postgresql/postmaster.pid') && ` : "";
      const inUse = runs !== "nowhere" && (await isUsed(base, dataDir));
      return { base, owner, inUse, bytes: bytesOf(base), remove: `${stop}rm -r '${base}'` };
    }),
  );
  const isOrphan = ({ owner, inUse }: (typeof places)[number]) => owner !== undefined && !inUse;
  return { orphans: places.filter(isOrphan), unknown: places.filter((place) => !isOrphan(place)) };
}

/** A server that can't be asked counts as in use. */
const isUsed = async (base: string, dataDir: string): Promise<boolean> =>
  usersOf(connectionAt(placeAt(base, dataDir, ""))).then(
    (users) => users > 0,
    () => true,
  );

function unknownText(places: readonly { base: string; inUse: boolean; bytes: number }[]): string {
  if (places.length === 0) return "";
  const rows = places.map(({ base, inUse, bytes }) => [
    base,
    sizeText(bytes),
    inUse ? "in use: a gateway is connected" : "unknown: created by an older version",
  ]);
  return `\n\nDatabases whose data directory is unknown; leave them alone until it is known:\n${tableText(["PLACE", "SIZE", "WHOSE"], rows)}
An older version named such a place after its data directory: printf %s DATA_DIRECTORY | sha256sum | cut -c1-12
After this version has started on that directory, the place's owner.json names it.`;
}

/** A clone that was removed and made again has a new data directory at the same path. */
const wasText = (dataDir: string | undefined): string => {
  if (dataDir === undefined) return "unknown: created by an older version";
  return existsSync(dataDir) ? `a removed data directory at the same path, ${dataDir}` : dataDir;
};

/** A directory without an installation file yet keeps its claim, unless it is the one in question. */
function isClaimed(base: string, owner: string, asked: string): boolean {
  if (!existsSync(owner)) return false;
  const file = readInstallation(owner);
  return file === undefined ? owner !== asked : file.place === base;
}

/** A directory's size in bytes, as far as this user can read it. */
export function bytesOf(path: string): number {
  try {
    const stat = lstatSync(path);
    if (!stat.isDirectory()) return stat.size;
    return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
  } catch {
    return 0;
  }
}
