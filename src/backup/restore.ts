import type { Connection } from "../db/database.ts";
import type { Migration, Schema } from "../db/migrate.ts";
import { rebuildDatabase } from "../db/rebuild.ts";
import { BackupFault, type BackupRecord, DAMAGED, type Header, type Manifest, type TableStart } from "./format.ts";
import { type BackupFile, recordsOf } from "./read.ts";
import { markOf } from "./take.ts";

/** Why this version can't restore a backup: only what it would itself have made, now or earlier, fits its migrations. */
export function whyNotRestorable(header: Header, migrations: readonly Migration[]): string | undefined {
  const newest = migrations.length;
  const level = levelOf(header);
  if (level > newest)
    return `The backup was made by Afara ${header.afara} with migration ${level}, and this version ends at ${newest}: restore it with that version or a newer one.`;
  const other = header.migrations.find(({ number, sha256 }) => markOf(migrations[number - 1]!).sha256 !== sha256);
  if (other)
    return `The backup was made by Afara ${header.afara}, whose migration ${other.number} (${other.name}) is another than this version's: restore it with the version that made it.`;
  return undefined;
}

export const levelOf = ({ migrations }: Header): number => Math.max(0, ...migrations.map(({ number }) => number));

export interface Restoring {
  readonly backup: BackupFile;
  readonly manifest: Manifest;
  readonly connection: Connection;
  /** Committed with the rows, where a later try is to know that this one went through. */
  readonly mark?: string | undefined;
  readonly schema: Schema;
  readonly progress: (told: { readonly table: string; readonly done: number; readonly of: number }) => void;
}

/** Fills a bare database with a backup that was checked. Resolves with the tables that this version does not know. */
export async function restoreDatabase(restoring: Restoring): Promise<readonly string[]> {
  const { backup, manifest, connection, schema } = restoring;
  const left: string[] = [];
  await rebuildDatabase({
    connection,
    schema,
    level: levelOf(backup.header),
    installationId: backup.header.installation,
    mark: restoring.mark,
    sequences: manifest.sequences,
    async fillAll(fill) {
      const records = recordsOf(backup);
      let done = 0;
      for await (const record of records) {
        if (record.type !== "t") continue; // only the manifest stands between tables
        const { start } = record;
        const expected = manifest.tables[done++]!;
        const rows = await fill({ ...start, partition: start.partition }, dataOf(records));
        restoring.progress({ table: start.table, done, of: manifest.tables.length });
        if (rows === undefined) {
          await skip(start, records);
          left.push(start.table);
        } else if (rows !== expected.rows) throw new BackupFault(DAMAGED);
      }
    },
  });
  return left;
}

/** One table's bytes; leaves the records after its end to whoever reads on. */
async function* dataOf(records: AsyncGenerator<BackupRecord>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value } = await records.next();
    if (value === undefined || value.type !== "d") return;
    yield value.data;
  }
}

async function skip({ table }: TableStart, records: AsyncGenerator<BackupRecord>): Promise<void> {
  for await (const _ of dataOf(records)) if (table === "") return;
}
