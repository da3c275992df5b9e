import {
  closeSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";

/** `stat` words of a delivery receipt that this SMSC uses. SMPP 3.4, appendix B. */
export type ReceiptStat = "ENROUTE" | "DELIVRD" | "EXPIRED" | "UNDELIV";

/** The private TLV 0x1400: which piece of which attempt of which order a submit is. */
export interface Trace {
  readonly orderId: string;
  readonly attempt: number;
  readonly piece: number;
}

/** Where a part belongs, from its user data header or its SAR TLVs. `index` counts from 1. */
export interface Concatenation {
  readonly reference: number;
  readonly total: number;
  readonly index: number;
}

/** A submit_sm or data_sm that came over the wire. In the log before its answer is on the wire. */
export interface SubmitLine {
  readonly kind: "submit";
  readonly at: string;
  readonly systemId: string;
  /** `command_status` of the answer; null when none was meant to be sent. */
  readonly status: number | null;
  /** Decimal, whatever form the wire shows; null when the message was not taken. */
  readonly messageId: string | null;
  readonly source: string;
  readonly destination: string;
  readonly esmClass: number;
  readonly dataCoding: number;
  readonly registeredDelivery: number;
  /** `short_message` or `message_payload` in hexadecimal, user data header included. */
  readonly shortMessage: string;
  readonly concatenation?: Concatenation;
  readonly trace?: Trace;
  readonly userMessageReference?: number;
  /** How it ends on the handset; null when the message was not taken. */
  readonly outcome: ReceiptStat | null;
  /** `network_error_code` of an outcome that is not DELIVRD. */
  readonly networkError?: number;
  /** The receipts owed to the ESME, in the order of sending. Empty when it asked for none. */
  readonly receipts: readonly ReceiptStat[];
}

/** The ESME has acknowledged a receipt: `index` is its place in `SubmitLine.receipts`. */
export interface ReceiptLine {
  readonly kind: "receipt";
  readonly at: string;
  readonly messageId: string;
  readonly index: number;
  readonly stat: ReceiptStat;
}

/** A handset has written to an ESME. */
export interface MoLine {
  readonly kind: "mo";
  readonly at: string;
  readonly messageId: string;
  readonly systemId: string;
  readonly source: string;
  readonly destination: string;
  readonly text: string;
}

/** The ESME has acknowledged one part of a handset's message; `index` counts from 0. */
export interface MoPartLine {
  readonly kind: "mo_part";
  readonly at: string;
  readonly messageId: string;
  readonly index: number;
}

export type LogLine = SubmitLine | ReceiptLine | MoLine | MoPartLine;

const FILE_NAME = /^smsc-(\d{8})\.jsonl$/;
const fileName = (number: number): string => `smsc-${String(number).padStart(8, "0")}.jsonl`;
const READ_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Other people's numbers and texts stand in it, so only its owner may read it; one of an earlier version is closed too. */
function openOwn(path: string): number {
  const fd = openSync(path, "a+", 0o600);
  fchmodSync(fd, 0o600);
  return fd;
}

/**
 * The SMSC's memory on disk: JSON lines, appended only. A line is given to the kernel by a synchronous write, so it outlives
 * a SIGKILL of the process; it is not synced to the disk, because a power cut is not what is simulated here.
 * The present file and the one before are kept.
 */
export class SmscLog {
  readonly #dir: string;
  readonly #fileBytesMax: number;
  #number: number;
  #fd: number;
  #fileBytes: number;
  #pending = "";

  /** Opens the newest file of `dir` for appending, or the first one. `fileBytesMax`: size from which a next file is begun. */
  constructor(dir: string, fileBytesMax: number) {
    mkdirSync(dir, { recursive: true });
    this.#dir = dir;
    this.#fileBytesMax = fileBytesMax;
    this.#number = fileNumbers(dir).at(-1) ?? 1;
    this.#fd = openOwn(join(dir, fileName(this.#number)));
    this.#fileBytes = cutTornLine(this.#fd);
  }

  /** Takes a line for the next `flush`. */
  append(line: LogLine): void {
    this.#pending += `${JSON.stringify(line)}\n`;
  }

  /** Writes what was appended. What must not be known outside before it is in the log is sent after this returns. */
  flush(): void {
    if (this.#pending === "") return;
    const bytes = Buffer.from(this.#pending);
    this.#pending = "";
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    this.#fileBytes += bytes.length;
    if (this.#fileBytes >= this.#fileBytesMax) this.#rotate();
  }

  close(): void {
    this.flush();
    closeSync(this.#fd);
  }

  #rotate(): void {
    closeSync(this.#fd);
    this.#number += 1;
    this.#fd = openOwn(join(this.#dir, fileName(this.#number)));
    this.#fileBytes = 0;
    for (const number of fileNumbers(this.#dir)) {
      if (number < this.#number - 1) unlinkSync(join(this.#dir, fileName(number)));
    }
  }
}

/** Every line in the order of writing. A last line without its end is left out: whoever wrote it had answered nothing yet. */
export async function* readSmscLog(dir: string): AsyncIterable<LogLine> {
  for await (const lines of readSmscLogInBlocks(dir)) yield* lines;
}

/** As `readSmscLog`, many lines at a time: one promise for each line is what would take the time in a long log. */
export async function* readSmscLogInBlocks(dir: string): AsyncIterable<LogLine[]> {
  for (const number of fileNumbers(dir)) {
    const file = await openUnlessGone(join(dir, fileName(number)));
    if (!file) continue;
    try {
      yield* blocksOf(file);
    } finally {
      await file.close();
    }
  }
}

async function* blocksOf(file: FileHandle): AsyncIterable<LogLine[]> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES);
    if (bytesRead === 0) return;
    const texts = (rest + decoder.write(buffer.subarray(0, bytesRead))).split("\n");
    rest = texts.pop() ?? "";
    // The lines are this module's own.
    yield texts.map((text) => JSON.parse(text) as LogLine);
  }
}

/** A reader beside a writer that rotates may find that a listed file is gone. */
async function openUnlessGone(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function fileNumbers(dir: string): number[] {
  return readdirSync(dir)
    .flatMap((name) => FILE_NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Cuts a line that a kill left without its end, so that the next one starts on a line of its own. Gives the size in bytes. */
function cutTornLine(fd: number): number {
  const size = fstatSync(fd).size;
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - READ_BYTES);
    const read = readSync(fd, buffer, 0, end - start, start);
    const newline = buffer.subarray(0, read).lastIndexOf(NEWLINE);
    if (newline >= 0) {
      const whole = start + newline + 1;
      if (whole < size) ftruncateSync(fd, whole);
      return whole;
    }
    end = start;
  }
  if (size > 0) ftruncateSync(fd, 0);
  return 0;
}
