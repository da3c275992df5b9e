import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { BackupFault, type TableEnd } from "../backup/format.ts";
import { takeBackup } from "../backup/take.ts";
import { dataFile } from "../config/config.ts";
import { contentsOf } from "../db/contents.ts";
import { readInstallation } from "../db/installation-file.ts";
import { appliedMigrations } from "../db/migrate.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { migrationsOf } from "./migrate.command.ts";
import { newPassphrase, type PassphraseOptions } from "./passphrase.ts";
import { CannotRun, type Report } from "./report.ts";
import { ownSecret } from "./secret.ts";
import { onConnection, type Surroundings, soundConfig, withServer } from "./session.ts";

/** Signals that abort a backup and remove its file. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Saves the whole gateway to one file, as of one moment, whether or not it is running. */
export async function backup(
  surroundings: Surroundings,
  warn: (text: string) => void,
  file: string,
  options: PassphraseOptions,
): Promise<Report> {
  const config = await soundConfig(surroundings, warn);
  const path = resolve(file);
  if (existsSync(path)) return refusal(`${path} already exists: give another name, or remove it.`);
  const passphrase = await newPassphrase(surroundings, options);
  const { terminal, clock, root } = surroundings;
  const interrupt = new AbortController();
  const giveUp = () => interrupt.abort();
  for (const signal of SIGNALS) process.once(signal, giveUp);
  try {
    return await withServer(config, async (connection) => {
      const { secret, applied } = await onConnection(connection, async (db) => ({
        secret: await ownSecret(db, config),
        applied: await appliedMigrations(db, migrationsOf(root)),
      }));
      if (applied.unknown.length > 0)
        throw new CannotRun(
          `The database has migrations from a newer version (${applied.unknown.join(", ")}): make the backup with that version.`,
        );
      const testKey = dataFile(config, "test-key");
      const { header, manifest } = await takeBackup({
        path,
        connection,
        applied: applied.known,
        installation:
          (await contentsOf(connection)).installationId ??
          readInstallation(config.dataDir)?.id ??
          encodeId("ins", newUuid()),
        version: versionOf(root),
        at: clock.now(),
        secret,
        testKey: existsSync(testKey) ? readFileSync(testKey, "utf8").trim() : undefined,
        passphrase,
        signal: interrupt.signal,
        progress: ({ table, done, of, bytes }) =>
          terminal?.progress(`${done} of ${of} tables · ${table} ${sizeText(bytes)}`),
      });
      terminal?.progress("");
      const { size } = statSync(path);
      const counts = countsOf(manifest.tables);
      return {
        ok: true,
        json: {
          ok: true,
          file: path,
          bytes: size,
          installation: header.installation,
          created_at: header.created_at,
          encrypted: passphrase !== undefined,
          ...counts,
        },
        text: `Saved to ${path} (${sizeText(size)}): installation ${header.installation} as of ${header.created_at}, ${countsText(counts)}.
${passphrase === undefined ? "It contains the secret of the API keys: anyone who can read it can use them. Only this user can read it." : "It is encrypted and can't be read without the passphrase."}
Not included: afara.config.ts, the environment, and the simulators' memory.`,
      };
    });
  } catch (error) {
    if (error instanceof BackupFault) return refusal(error.message);
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, giveUp);
  }
}

export const refusal = (detail: string): Report => ({
  ok: false,
  json: { ok: false, code: "refused", detail },
  text: detail,
});

export const versionOf = (root: string): string =>
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

export interface Counts {
  readonly accounts: number;
  readonly orders: number;
  readonly transfers: number;
  readonly rows: number;
}

/** Row counts of a backup; a partition counts for its table. */
export function countsOf(tables: readonly TableEnd[]): Counts {
  const rowsOf = (table: string) =>
    tables
      .filter((end) => end.table === table || new RegExp(`^${table}_(\\d{4}_\\d{2}|default)$`).test(end.table))
      .reduce((sum, { rows }) => sum + rows, 0);
  return {
    accounts: rowsOf("accounts"),
    orders: rowsOf("orders"),
    transfers: rowsOf("transfers"),
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  };
}

export const countsText = ({ accounts, orders, transfers, rows }: Counts): string =>
  `${accounts} account(s), ${orders} order(s), ${transfers} transfer(s), ${rows} rows in all`;

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `12.3 MB`. */
export function sizeText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
