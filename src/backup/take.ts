import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import type { Connection } from "../db/database.ts";
import type { Migration } from "../db/migrate.ts";
import { type Snapshot, withSnapshot } from "../db/table-copy.ts";
import {
  BackupFault,
  FORMAT,
  frame,
  type Header,
  jsonFrame,
  type Manifest,
  type MigrationMark,
  type TableEnd,
} from "./format.ts";
import { makeSealKey, seal } from "./seal.ts";

export interface Taking {
  readonly path: string;
  readonly connection: Connection;
  /** What has been applied to the database, oldest first. */
  readonly applied: readonly Migration[];
  readonly installation: string;
  readonly version: string;
  readonly at: Date;
  readonly secret: string;
  readonly testKey: string | undefined;
  readonly passphrase: string | undefined;
  /** Gives the backup up. */
  readonly signal: AbortSignal;
  /** How far it is, after each table and every few megabytes. */
  readonly progress: (told: {
    readonly table: string;
    readonly done: number;
    readonly of: number;
    readonly bytes: number;
  }) => void;
}

export const markOf = ({ number, name, sql }: Migration): MigrationMark => ({
  number,
  name,
  sha256: createHash("sha256").update(sql).digest("hex"),
});

/** Writes a consistent backup of a database that may be written to meanwhile. What could not be finished is removed again. */
export async function takeBackup(taking: Taking): Promise<{ readonly header: Header; readonly manifest: Manifest }> {
  const file = createWriteStream(taking.path, { flags: "wx", mode: 0o600, flush: true });
  const opened = Promise.withResolvers<void>();
  file.once("open", () => opened.resolve());
  file.once("error", opened.reject);
  await opened.promise.catch((error: NodeJS.ErrnoException) => {
    throw new BackupFault(
      error.code === "EEXIST"
        ? `${taking.path} already exists: give another name, or remove it.`
        : `${taking.path} can't be written: ${error.message}`,
    );
  });
  try {
    return await withSnapshot(taking.connection, taking.signal, (snapshot) => write(taking, snapshot, file));
  } catch (error) {
    file.destroy();
    await rm(taking.path, { force: true });
    const { code = "", message } = error as NodeJS.ErrnoException;
    const why = taking.signal.aborted ? "it was given up" : (REASONS[code] ?? message);
    throw new BackupFault(`There is no backup: ${why}. What had been written of ${taking.path} was removed.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk's quota is used up",
  53100: "the database's disk is full (the file's may have room): make room there first",
  EFBIG: "the file system takes no file of this size",
};

async function write(taking: Taking, snapshot: Snapshot, file: NodeJS.WritableStream) {
  const key = taking.passphrase === undefined ? undefined : await makeSealKey(taking.passphrase);
  const header: Header = {
    afara_backup: FORMAT,
    afara: taking.version,
    created_at: taking.at.toISOString(),
    installation: taking.installation,
    postgresql: snapshot.serverVersion,
    migrations: taking.applied.map(markOf),
    ...(key && { sealed: key.sealed }),
  };
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  let manifest: Manifest | undefined;
  async function* body(): AsyncGenerator<Buffer> {
    const tables: TableEnd[] = [];
    for (const table of snapshot.tables) {
      const { columns, partition } = table;
      yield jsonFrame("t", { table: table.table, columns, ...(partition && { partition }) });
      const hash = createHash("sha256");
      let bytes = 0;
      const tell = () =>
        taking.progress({ table: table.table, done: tables.length, of: snapshot.tables.length, bytes });
      const { data, rows } = snapshot.read(table);
      for await (const chunk of data()) {
        hash.update(chunk);
        bytes += chunk.length;
        yield frame("d", chunk);
        tell();
      }
      const end = { table: table.table, rows: rows(), sha256: hash.digest("hex") };
      tables.push(end);
      yield jsonFrame("e", end);
      tell();
    }
    manifest = {
      header_sha256: createHash("sha256").update(line).digest("hex"),
      tables,
      sequences: await snapshot.sequences(),
      secret: taking.secret,
      ...(taking.testKey !== undefined && { test_key: taking.testKey }),
    };
    yield jsonFrame("m", manifest);
  }
  async function* whole(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield line;
    yield* key ? seal(compressed, key.key, line) : compressed;
  }
  // The sums of the tables cover their rows; zstd's own covers the names between them as well.
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  await pipeline(Readable.from(body(), { objectMode: false }), compress, whole, file, {
    signal: taking.signal,
  });
  return { header, manifest: manifest! };
}
