import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { dropSetting } from "../accounts/settings.repo.ts";
import { occupantsOf } from "../app/node-file.ts";
import { BackupFault, type Manifest } from "../backup/format.ts";
import { type BackupFile, checkBackup, openBackup } from "../backup/read.ts";
import { restoreDatabase, whyNotRestorable } from "../backup/restore.ts";
import { LOCK_FILE, lockForRestore } from "../backup/restore-lock.ts";
import { dataFile } from "../config/config.ts";
import type { Config } from "../config/gateway-config.ts";
import { contentsOf, RESTORE_MARK } from "../db/contents.ts";
import { clearDataDir, whyNotOwn } from "../db/data-dir.ts";
import type { Connection } from "../db/database.ts";
import { startEmbedded, stopEmbedded } from "../db/embedded.ts";
import { readInstallation, readRestoring, restored, writeRestoring } from "../db/installation-file.ts";
import { writeOwner } from "../db/places.ts";
import { newUuid } from "../kernel/ids.ts";
import { countsOf, countsText, refusal } from "./backup.command.ts";
import { ledgerCheck } from "./ledger.command.ts";
import { migrationsOf, schemaOf } from "./migrate.command.ts";
import { knownPassphrase, type PassphraseOptions } from "./passphrase.ts";
import type { Report } from "./report.ts";
import { onConnection, type Surroundings, soundConfig } from "./session.ts";

/** Restores a backup into an empty data directory or database and proves the resulting ledger. */
export async function restore(
  surroundings: Surroundings,
  warn: (text: string) => void,
  file: string,
  options: PassphraseOptions,
): Promise<Report> {
  const config = await soundConfig(surroundings, warn);
  const migrations = migrationsOf(surroundings.root);
  const { terminal } = surroundings;
  const lock = lockForRestore(config.dataDir);
  if ("holder" in lock)
    return refusal(`A restore into ${config.dataDir} is under way (process ${lock.holder}): wait for it, or stop it.`);
  try {
    const backup = await openBackup(resolve(file), () => knownPassphrase(surroundings, options));
    const reason = whyNotRestorable(backup.header, migrations) ?? whyNotEmpty(config, backup);
    if (reason !== undefined) return refusal(reason);
    let rows = 0;
    const manifest = await checkBackup(backup, (more) => {
      rows += more;
      terminal?.progress(`Checking the backup: ${rows} rows`);
    });
    if (config.secret !== undefined && config.secret !== manifest.secret)
      return refusal(
        "AFARA_SECRET is not this backup's secret, so its API keys would not work: set the original secret, or unset AFARA_SECRET to use the one in the backup.",
      );
    const since = whyNotEmpty(config, backup); // a gateway may have started while the backup was checked
    if (since !== undefined) return refusal(since);
    const act = (connection: Connection, mark?: string) => fill(surroundings, connection, backup, manifest, mark);
    return config.databaseUrl === undefined
      ? await intoDataDir(config, backup, manifest, act)
      : await intoDatabase(config, { connectionString: config.databaseUrl }, backup, manifest, act);
  } catch (error) {
    if (error instanceof BackupFault) return refusal(error.message);
    throw error;
  } finally {
    lock.release();
    terminal?.progress("");
  }
}

/** Nothing is overwritten: existing data may belong to a gateway. */
function whyNotEmpty({ dataDir, databaseUrl }: Config, { header, line }: BackupFile): string | undefined {
  const [occupant] = occupantsOf(dataDir);
  if (occupant)
    return `A gateway uses ${dataDir} (process ${occupant.pid}): stop it, and restore into an empty data directory.`;
  const before = readRestoring(dataDir);
  if (before !== undefined)
    return before.backup === sumOf(line)
      ? undefined
      : `A restore of ${before.backupAt === undefined ? "another backup" : `the backup of ${before.backupAt}`} (installation ${before.id}) into ${dataDir} did not finish: run it again with that file, or discard it with ./afara reset`;
  // A node's own directory may outlive its database.
  if (databaseUrl !== undefined && readInstallation(dataDir)?.id === header.installation) return undefined;
  const there = readdirSync(dataDir).filter((name) => name !== "lost+found" && name !== LOCK_FILE);
  return there.length === 0
    ? undefined
    : `${dataDir} is not empty (${there.slice(0, 5).join(", ")}): set AFARA_DATA_DIR to an empty directory, or move this one away: mv '${dataDir}' '${dataDir}.before'`;
}

/** The backup's identity in the file `restoring`. */
const sumOf = (line: Buffer): string => createHash("sha256").update(line).digest("hex");
const restoringFile = (dataDir: string, { header, line }: BackupFile) => ({
  id: header.installation,
  dataDir: realpathSync(dataDir),
  backup: sumOf(line),
  backupAt: header.created_at,
});

type Act = (connection: Connection, mark?: string) => Promise<Report>;

async function intoDataDir(config: Config, backup: BackupFile, manifest: Manifest, act: Act): Promise<Report> {
  const { dataDir } = config;
  if (readRestoring(dataDir)) {
    const foreign = whyNotOwn(dataDir);
    if (foreign !== undefined) return refusal(`Nothing was restored: ${foreign}.`);
    await stopEmbedded(dataDir);
    clearDataDir(dataDir); // leftovers of an earlier try
  }
  const file = restoringFile(dataDir, backup);
  writeRestoring(dataDir, file);
  const server = await startEmbedded(dataDir, { progress: () => undefined });
  try {
    const place = server.movedTo;
    if (place !== undefined) {
      writeRestoring(dataDir, { ...file, place });
      writeOwner(place, { dataDir, id: file.id });
    }
    const report = await act(server.connection);
    keepFiles(config, manifest);
    restored(dataDir);
    return report;
  } finally {
    await server.stop();
  }
}

async function intoDatabase(
  config: Config,
  connection: Connection,
  backup: BackupFile,
  manifest: Manifest,
  act: Act,
): Promise<Report> {
  const { dataDir } = config;
  const contents = await contentsOf(connection);
  // The database is filled in one transaction, so one with the mark of an earlier try is complete. The ID alone would not do: the
  // running installation has it too.
  const before = readRestoring(dataDir)?.mark;
  const isFilled = before !== undefined && contents.restoreMark === before;
  const mark = before ?? newUuid();
  if (!contents.isBare && !isFilled)
    return refusal(
      "The database that DATABASE_URL names is not empty: name an empty one. (./afara reset empties an Afara database.)",
    );
  writeRestoring(dataDir, { ...restoringFile(dataDir, backup), mark });
  const report = await (isFilled ? onConnection(connection, ledgerCheck) : act(connection, mark));
  keepFiles(config, manifest);
  restored(dataDir);
  await onConnection(connection, (db) => dropSetting(db, RESTORE_MARK));
  return report;
}

/** Stores the secret, unless the environment sets it, and the local account's test key. */
function keepFiles(config: Config, { secret, test_key: testKey }: Manifest): void {
  const keep = (name: string, value: string) => {
    const path = dataFile(config, name);
    writeFileSync(`${path}.new`, `${value}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  mkdirSync(config.dataDir, { recursive: true });
  if (config.secret === undefined) keep("secret", secret);
  if (testKey !== undefined) keep("test-key", testKey);
}

async function fill(
  { terminal, root }: Surroundings,
  connection: Connection,
  backup: BackupFile,
  manifest: Manifest,
  mark: string | undefined,
): Promise<Report> {
  const left = await restoreDatabase({
    backup,
    manifest,
    connection,
    mark,
    schema: schemaOf(root),
    progress: ({ table, done, of }) => terminal?.progress(`${done} of ${of} tables · ${table}`),
  });
  terminal?.progress("Proving the ledger …");
  const proof = await onConnection(connection, ledgerCheck);
  const { header } = backup;
  const counts = countsOf(manifest.tables);
  return {
    ok: proof.ok,
    json: {
      ok: proof.ok,
      installation: header.installation,
      created_at: header.created_at,
      ...counts,
      not_restored: left,
      ledger: proof.json,
    },
    text: `Restored installation ${header.installation} as of ${header.created_at} (Afara ${header.afara}): ${countsText(counts)}.
${left.length === 0 ? "" : `Left out, as they are not Afara's: ${left.join(", ")}.\n`}${proof.text}

It has no record of later messages and purchases, and keys revoked later are valid again.
See "After a restore" in docs/operations/running.md before you start it.`,
  };
}
