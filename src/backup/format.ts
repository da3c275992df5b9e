/**
 * A backup is one file: a header, one line of JSON that `head -1` shows, and a body, zstd-compressed and, with a passphrase,
 * encrypted. The body is records: a letter, four bytes of length, the payload. The last one is the manifest, so that a file
 * that was cut off is known by its lack.
 */
export const FORMAT = 1;

export interface MigrationMark {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
}

export interface Header {
  readonly afara_backup: number;
  /** The version of Afara that made it. */
  readonly afara: string;
  readonly created_at: string;
  readonly installation: string;
  readonly postgresql: string;
  /** The migrations applied to the database, oldest first. */
  readonly migrations: readonly MigrationMark[];
  readonly sealed?: Sealed;
}

/** The key derivation from the passphrase. `check` distinguishes a wrong passphrase from a damaged file. */
export interface Sealed {
  readonly cipher: "aes-256-gcm";
  readonly kdf: "scrypt";
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly check: string;
}

/** The start of one table; a partition names its table. */
export interface TableStart {
  readonly table: string;
  readonly columns: readonly string[];
  readonly partition?: { readonly of: string; readonly bound: string };
}

/** The end of one table: the rows read, in COPY's text format. */
export interface TableEnd {
  readonly table: string;
  readonly rows: number;
  readonly sha256: string;
}

export interface Sequence {
  readonly sequence: string;
  readonly last: string;
  readonly isCalled: boolean;
}

export interface Manifest {
  /** Of the header's line, which is outside of what is compressed and encrypted. */
  readonly header_sha256: string;
  readonly tables: readonly TableEnd[];
  readonly sequences: readonly Sequence[];
  /** The pepper of the API keys, whether it came from the environment or the data directory. */
  readonly secret: string;
  readonly test_key?: string;
}

export type BackupRecord =
  | { readonly type: "t"; readonly start: TableStart }
  | { readonly type: "d"; readonly data: Buffer }
  | { readonly type: "e"; readonly end: TableEnd }
  | { readonly type: "m"; readonly manifest: Manifest };

/** A backup that can't be used or made, with the reason as its message. */
export class BackupFault extends Error {}

export const TRUNCATED = "The backup is cut off: its end is missing. Nothing was restored; take another copy of it.";
export const DAMAGED =
  "The backup is damaged: what is in it is not what was written. Nothing was restored; take another copy of it.";

export const CUT_OR_DAMAGED =
  "The backup is cut off or damaged: it does not end as it was written. Nothing was restored; take another copy of it.";

export const frame = (type: BackupRecord["type"], payload: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
};

export const jsonFrame = (type: "t" | "e" | "m", value: object): Buffer =>
  frame(type, Buffer.from(JSON.stringify(value)));

const PAYLOAD_MAX = 64 * 1024 * 1024;

/** Splits a byte stream into records. */
export async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= 5) {
      const length = pending.readUInt32BE(1);
      if (length > PAYLOAD_MAX) throw new BackupFault(DAMAGED);
      if (pending.length < 5 + length) break;
      yield recordOf(pending.toString("latin1", 0, 1), pending.subarray(5, 5 + length));
      pending = pending.subarray(5 + length);
    }
  }
  if (pending.length > 0) throw new BackupFault(TRUNCATED);
}

function recordOf(type: string, payload: Buffer): BackupRecord {
  if (type === "d") return { type, data: payload };
  try {
    const value = JSON.parse(payload.toString("utf8"));
    if (type === "t") return { type, start: value as TableStart };
    if (type === "e") return { type, end: value as TableEnd };
    if (type === "m") return { type, manifest: value as Manifest };
  } catch {
    // Not JSON: the same as an unknown letter.
  }
  throw new BackupFault(DAMAGED);
}
