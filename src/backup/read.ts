import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import {
  BackupFault,
  type BackupRecord,
  DAMAGED,
  FORMAT,
  type Header,
  type Manifest,
  readRecords,
  type TableStart,
  TRUNCATED,
} from "./format.ts";
import { openSealKey, unseal } from "./seal.ts";

const HEADER_MAX = 1024 * 1024;

export interface BackupFile {
  readonly path: string;
  readonly header: Header;
  /** The header's exact text in the file. */
  readonly line: Buffer;
  readonly key: Buffer | undefined;
}

/** The header in a file's first line. Throws for a file that is not a backup, or has a newer format. */
export async function readHeader(path: string): Promise<{ readonly header: Header; readonly line: Buffer }> {
  const file = await open(path).catch((error: Error) => {
    throw new BackupFault(`${path} can't be read: ${error.message}`);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_MAX), 0, HEADER_MAX, 0);
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
    const noBackup = new BackupFault(`${path} is no backup of Afara.`);
    if (!buffer.subarray(0, 16).toString().startsWith('{"afara_backup":')) throw noBackup;
    if (end < 0) throw bytesRead < HEADER_MAX ? new BackupFault(TRUNCATED) : noBackup;
    let header: Header;
    try {
      header = JSON.parse(buffer.subarray(0, end).toString()) as Header;
    } catch {
      throw new BackupFault(DAMAGED);
    }
    if (header.afara_backup > FORMAT)
      throw new BackupFault(
        `The backup has format ${header.afara_backup} and was made by Afara ${header.afara}; this version reads format ${FORMAT}. Restore it with that version or a newer one.`,
      );
    return { header, line: Buffer.from(buffer.subarray(0, end + 1)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EISDIR") throw new BackupFault(`${path} is a directory.`);
    throw error;
  } finally {
    await file.close();
  }
}

/** Opens a backup for reading; asks for the passphrase if it is encrypted. */
export async function openBackup(path: string, passphrase: () => Promise<string>): Promise<BackupFile> {
  const { header, line } = await readHeader(path);
  const key = header.sealed && (await openSealKey(await passphrase(), header.sealed));
  return { path, header, line, key };
}

/** All records of a backup, in order. Throws `BackupFault` for a truncated or damaged file. */
export async function* recordsOf({ path, line, key }: BackupFile): AsyncGenerator<BackupRecord> {
  const file = createReadStream(path, { start: line.length });
  const opened = key ? Readable.from(unseal(file, key, line), { objectMode: false }) : file;
  const plain = createZstdDecompress();
  opened.on("error", (error) => plain.destroy(error));
  try {
    yield* readRecords(opened.pipe(plain));
    // What stands after the end is not decompressed: somebody wrote on in the file. (Sealed, it would not have opened.)
    const { size } = await stat(path);
    if (key === undefined && plain.bytesWritten !== size - line.length) throw new BackupFault(DAMAGED);
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR" || /unexpected end|end of file/i.test(message)) throw new BackupFault(TRUNCATED);
    if (code.startsWith("Z") || code.startsWith("ERR_ZLIB")) throw new BackupFault(DAMAGED);
    throw error;
  } finally {
    file.destroy();
    plain.destroy();
  }
}

/** Reads a backup to its end, verifies all checksums and returns its manifest. A file that fails here is not restored. */
export async function checkBackup(backup: BackupFile, progress: (rows: number) => void): Promise<Manifest> {
  const reader = makeChecker(backup.line);
  for await (const record of recordsOf(backup)) {
    reader.take(record);
    if (record.type === "e") progress(record.end.rows);
  }
  return reader.finish();
}

function makeChecker(line: Buffer) {
  let manifest: Manifest | undefined;
  let table: { readonly start: TableStart; readonly hash: Hash } | undefined;
  const ended: string[] = [];
  const check = (holds: boolean) => {
    if (!holds) throw new BackupFault(DAMAGED);
  };
  return {
    take(record: BackupRecord): void {
      check(manifest === undefined);
      if (record.type === "t") {
        check(table === undefined);
        table = { start: record.start, hash: createHash("sha256") };
      } else if (record.type === "d") {
        check(table !== undefined);
        table?.hash.update(record.data);
      } else if (record.type === "e") {
        check(table?.start.table === record.end.table && table.hash.digest("hex") === record.end.sha256);
        ended.push(JSON.stringify(record.end));
        table = undefined;
      } else {
        check(table === undefined);
        manifest = record.manifest;
      }
    },
    finish(): Manifest {
      if (manifest === undefined) throw new BackupFault(TRUNCATED);
      check(manifest.header_sha256 === createHash("sha256").update(line).digest("hex"));
      check(JSON.stringify(manifest.tables) === `[${ended.join(",")}]`);
      return manifest;
    },
  };
}
