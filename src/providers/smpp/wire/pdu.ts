import { COMMAND_IDS, type Command, commandOf, type Field, isResponseId, LAYOUTS } from "./commands.ts";
import { TAG, type Tlv } from "./tlv.ts";

/**
 * SMPP 3.4 PDUs and octets, both ways. Pure: no socket, no clock.
 * A PDU is `{command, status, sequence, …body fields under their names in the specification, tlvs}`.
 */

type ValueOf<F extends Field> = F["kind"] extends "cstring" ? string : F["kind"] extends "octets" ? Buffer : number;
type BodyOf<C extends Command> = { readonly [F in (typeof LAYOUTS)[C][number] as F["name"]]: ValueOf<F> };

interface Header<C extends Command> {
  readonly command: C;
  /** command_status: 0 in requests. */
  readonly status: number;
  /** sequence_number: 1 … 0x7FFFFFFF when we count; a peer's is echoed whatever it is. */
  readonly sequence: number;
  readonly tlvs: readonly Tlv[];
  /** Of a request: octets at its end that are no whole parameter. What stands before them counts all the same. */
  readonly stray?: Buffer;
  /** Of a deliver_sm: octets that its text lacks by its length. What came of it counts all the same. */
  readonly missing?: number;
}

type PduByCommand = { readonly [C in Command]: Header<C> & BodyOf<C> };
/** Any PDU, told apart by `command`. */
export type Pdu = PduByCommand[Command];
export type PduOf<C extends Command> = PduByCommand[C];
/** The fields for writing a PDU: omitted ones are 0, "" or empty. Every `Pdu` is also a draft. */
export type PduDraft<C extends Command = Command> = {
  [K in C]: Pick<PduByCommand[K], "command" | "sequence"> & Partial<Omit<PduByCommand[K], "stray" | "missing">>;
}[C];

/** Received bytes that are not a readable PDU. */
export type PduFault =
  /** The stream is out of step: nothing after this can be trusted. Destroy the connection. */
  | { readonly fault: "bad_length"; readonly length: number }
  /** Answer generic_nack with RINVCMDID and go on (3.4, 4.3). */
  | { readonly fault: "unknown_command"; readonly commandId: number; readonly sequence: number }
  /** A request that ends within its mandatory part, but for the text of a deliver_sm: refuse it for good, and go on. */
  | {
      readonly fault: "bad_body";
      readonly command: Command;
      readonly sequence: number;
      readonly detail: string;
    };

export type PduOrFault = Pdu | PduFault;

export const isFault = (item: PduOrFault): item is PduFault => "fault" in item;

export const HEADER_OCTETS = 16;

const SEQUENCE_MAX = 0x7fff_ffff;
/** Sequence numbers run from 1 to 0x7FFFFFFF and begin again (3.4, section 5.1.4). */
export const sequenceAfter = (sequence: number): number => (sequence >= SEQUENCE_MAX ? 1 : sequence + 1);

/** The largest body we can ever want is a message_payload TLV of 64 KiB; a length above this is a stream out of step. */
const DEFAULT_MAX_PDU_OCTETS = 70_000;

const NOT_IN_CSTRING = /[\0\u0100-\uffff]/;
const EMPTY = Buffer.alloc(0);
const NO_TLVS: readonly Tlv[] = [];

// The tables know fields by name only. These two views are sound because the types above are derived from the same tables.
type FieldValues = Readonly<Record<string, string | number | Buffer | undefined>>;
const fieldsOf = (pdu: PduDraft): FieldValues => pdu as unknown as FieldValues;
const layoutOf = (command: Command): readonly Field[] => LAYOUTS[command];

/**
 * The octets of a PDU, header included.
 * Errors: throws RangeError when a field does not fit or a C-octet string contains NUL (or a character whose low octet would
 * become one), which would shift every field after it. Callers check what comes from outside first.
 */
export function encodePdu(pdu: PduDraft): Buffer {
  const layout = layoutOf(pdu.command);
  const fields = fieldsOf(pdu);
  const tlvs = pdu.tlvs ?? NO_TLVS;

  let length = HEADER_OCTETS;
  for (const field of layout) length += encodedOctets(field, fields[field.name]);
  for (const tlv of tlvs) {
    if (tlv.value.length > 0xffff) throw new RangeError(`TLV 0x${tlv.tag.toString(16)} is longer than 65535 octets`);
    length += 4 + tlv.value.length;
  }

  const octets = Buffer.allocUnsafe(length);
  octets.writeUInt32BE(length, 0);
  octets.writeUInt32BE(COMMAND_IDS[pdu.command], 4);
  octets.writeUInt32BE(pdu.status ?? 0, 8);
  octets.writeUInt32BE(pdu.sequence, 12);
  let offset = HEADER_OCTETS;
  for (const field of layout) offset = writeField(octets, offset, field, fields[field.name]);
  for (const tlv of tlvs) {
    offset = octets.writeUInt16BE(tlv.tag, offset);
    offset = octets.writeUInt16BE(tlv.value.length, offset);
    offset += tlv.value.copy(octets, offset);
  }
  return octets;
}

function encodedOctets(field: Field, value: string | number | Buffer | undefined): number {
  if (field.kind === "u8") return 1;
  const octets = (value === undefined ? 0 : (value as string | Buffer).length) + 1;
  const limit = field.kind === "octets" ? field.maxOctets + 1 : field.maxOctets;
  if (octets > limit) throw new RangeError(`${field.name} takes ${octets} octets, at most ${limit} are allowed`);
  if (typeof value === "string" && NOT_IN_CSTRING.test(value)) {
    throw new RangeError(`${field.name} contains NUL or a character beyond Latin-1`);
  }
  return octets;
}

/** Returns the offset after the field. */
function writeField(octets: Buffer, offset: number, field: Field, value: string | number | Buffer | undefined): number {
  switch (field.kind) {
    case "u8":
      return octets.writeUInt8((value as number | undefined) ?? 0, offset);
    case "cstring": {
      const end = typeof value === "string" ? offset + octets.write(value, offset, "latin1") : offset;
      octets[end] = 0;
      return end + 1;
    }
    case "octets": {
      const source = (value as Buffer | undefined) ?? EMPTY;
      octets[offset] = source.length;
      return offset + 1 + source.copy(octets, offset + 1);
    }
  }
}

/**
 * Cuts a byte stream into PDUs. Chunks may end anywhere. Never throws, never reads past a PDU's own length, and holds at
 * most one unfinished PDU. After a `bad_length` it is finished: `push` returns nothing more.
 */
export class PduReader {
  readonly #maxPduOctets: number;
  /** Chunks of an unfinished PDU: joined once it is whole, so that a peer that drips octets costs no repeated copying. */
  #held: Buffer[] = [];
  #heldOctets = 0;
  #neededOctets = 0;
  #outOfStep = false;

  constructor(maxPduOctets: number = DEFAULT_MAX_PDU_OCTETS) {
    this.#maxPduOctets = maxPduOctets;
  }

  push(chunk: Buffer): PduOrFault[] {
    const items: PduOrFault[] = [];
    if (this.#outOfStep) return items;
    let buffer = chunk;
    if (this.#heldOctets > 0) {
      this.#held.push(chunk);
      this.#heldOctets += chunk.length;
      if (this.#heldOctets < this.#neededOctets) return items;
      buffer = Buffer.concat(this.#held, this.#heldOctets);
    }

    let offset = 0;
    for (;;) {
      const available = buffer.length - offset;
      if (available < 4) {
        this.#hold(buffer, offset, 4);
        return items;
      }
      const length = buffer.readUInt32BE(offset);
      if (length < HEADER_OCTETS || length > this.#maxPduOctets) {
        this.#outOfStep = true;
        this.#hold(EMPTY, 0, 0);
        items.push({ fault: "bad_length", length });
        return items;
      }
      if (available < length) {
        this.#hold(buffer, offset, length);
        return items;
      }
      items.push(decodePdu(buffer, offset, offset + length));
      offset += length;
    }
  }

  #hold(buffer: Buffer, offset: number, neededOctets: number): void {
    this.#heldOctets = buffer.length - offset;
    this.#held = this.#heldOctets > 0 ? [buffer.subarray(offset)] : [];
    this.#neededOctets = neededOctets;
  }
}

/** Decodes the PDU in `buffer[start, end)`; the length field has been checked. Octet fields are views, not copies. */
function decodePdu(buffer: Buffer, start: number, end: number): PduOrFault {
  const commandId = buffer.readUInt32BE(start + 4);
  const status = buffer.readUInt32BE(start + 8);
  const sequence = buffer.readUInt32BE(start + 12);
  const command = commandOf(commandId);
  if (command === undefined) return { fault: "unknown_command", commandId, sequence };

  const isResponse = isResponseId(commandId);
  const pdu: { tlvs: readonly Tlv[]; [field: string]: unknown } = { command, status, sequence, tlvs: NO_TLVS };
  let offset = start + HEADER_OCTETS;
  for (const field of layoutOf(command)) {
    const next = fieldEnd(buffer, offset, end, field);
    if (next === -1 && command === "deliver_sm" && field.kind === "octets" && end - offset > 1) {
      pdu[field.name] = buffer.subarray(offset + 1, end);
      pdu.missing = buffer.readUInt8(offset) - (end - offset - 1);
      offset = end;
      continue;
    }
    if (next === -1 && !isResponse) {
      return {
        fault: "bad_body",
        command,
        sequence,
        detail: `${field.name} runs past the end of the PDU`,
      };
    }
    pdu[field.name] = next === -1 ? cutValue(buffer, offset, end, field) : readField(buffer, offset, next, field);
    offset = next === -1 ? end : next;
  }
  if (offset < end) {
    const { list, wholeUntil } = readOptionalPart(buffer, offset, end);
    pdu.tlvs = list;
    // Of a response the answer itself has been read; octets that somebody appended to it are not worth a word.
    if (wholeUntil < end && !isResponse) pdu.stray = buffer.subarray(wholeUntil, end);
  }
  return pdu as unknown as Pdu;
}

/** Offset after the field, or -1 when it does not end before `end`. */
function fieldEnd(buffer: Buffer, offset: number, end: number, field: Field): number {
  let next: number;
  switch (field.kind) {
    case "u8":
      next = offset + 1;
      break;
    case "cstring":
      next = offset;
      while (next < end && buffer[next] !== 0) next += 1;
      next += 1;
      break;
    case "octets":
      next = offset < end ? offset + 1 + (buffer[offset] ?? 0) : end + 1;
      break;
  }
  return next > end ? -1 : next;
}

function readField(buffer: Buffer, offset: number, next: number, field: Field): string | number | Buffer {
  switch (field.kind) {
    case "u8":
      return buffer.readUInt8(offset);
    case "cstring":
      return next - 1 === offset ? "" : buffer.toString("latin1", offset, next - 1);
    case "octets":
      return buffer.subarray(offset + 1, next);
  }
}

/**
 * A field of a response that does not end before the PDU does. The answer is in the header: a body that was left out (3.4,
 * 4.4.2) or cut short does not make it unclear, and a text without its NUL ends with the PDU.
 */
function cutValue(buffer: Buffer, offset: number, end: number, field: Field): string | number | Buffer {
  if (field.kind === "cstring") return buffer.toString("latin1", offset, end);
  return field.kind === "octets" ? EMPTY : 0;
}

interface OptionalPart {
  readonly list: readonly Tlv[];
  /** Offset after the last whole parameter. */
  readonly wholeUntil: number;
}

/**
 * The whole parameters of an optional part. Some SMSCs end short_message with a NUL that its length does not count, so where
 * the octets don't come out even and the first of them is 0, they are read once more without it.
 */
function readOptionalPart(buffer: Buffer, start: number, end: number): OptionalPart {
  const part = readTlvs(buffer, start, end);
  if (part.wholeUntil === end || buffer[start] !== 0) return part;
  const afterNul = readTlvs(buffer, start + 1, end);
  return afterNul.wholeUntil === end && afterNul.list.length > 0 ? afterNul : part;
}

function readTlvs(buffer: Buffer, start: number, end: number): OptionalPart {
  const list: Tlv[] = [];
  let offset = start;
  while (end - offset >= 4) {
    const tag = buffer.readUInt16BE(offset);
    const valueStart = offset + 4;
    const valueEnd = valueStart + buffer.readUInt16BE(offset + 2);
    if (valueEnd > end) {
      // Half an id names another message, and half a number is another number; half a text is still what a person wrote.
      if (tag === TAG.message_payload) list.push({ tag, value: buffer.subarray(valueStart, end) });
      break;
    }
    list.push({ tag, value: buffer.subarray(valueStart, valueEnd) });
    offset = valueEnd;
  }
  return { list, wholeUntil: offset };
}
