import type { ShiftTables } from "../../../kernel/gsm7-languages.ts";
import { findTlv, readTlvInteger, TAG, type Tlv, tlvU8, tlvU16 } from "./tlv.ts";

/**
 * How the parts of a long message say that they belong together: a concatenation element in the user data header, or the
 * sar_* parameters.
 * Source: 3GPP TS 23.040, sections 9.2.3.24.1 (8-bit reference) and 9.2.3.24.8 (16-bit); SMPP 3.4, sections 5.3.2.22–24.
 */

/** Bit of esm_class: short_message starts with a user data header (SMPP 3.4, 5.2.12). */
export const ESM_CLASS_UDHI = 0x40;

export interface ConcatPart {
  /** The same in all parts of a message; 8 or 16 bits, see `referenceBits`. */
  readonly reference: number;
  /** 1 … 255. */
  readonly total: number;
  /** 1-based. */
  readonly part: number;
  /** Parts of 8-bit and of 16-bit references never belong together, even with equal numbers. */
  readonly referenceBits: 8 | 16;
}

const ELEMENT_CONCAT_8 = 0x00;
const ELEMENT_CONCAT_16 = 0x08;
/** National language tables: 3GPP TS 23.040, sections 9.2.3.24.15 and 9.2.3.24.16. */
const ELEMENT_SINGLE_SHIFT = 0x24;
const ELEMENT_LOCKING_SHIFT = 0x25;

/** The header to put in front of a part: `05 00 03 RR TT NN` or `06 08 04 RR RR TT NN`. */
export function concatHeader({ reference, total, part, referenceBits }: ConcatPart): Buffer {
  return referenceBits === 8
    ? Buffer.from([5, ELEMENT_CONCAT_8, 3, reference & 0xff, total, part])
    : Buffer.from([6, ELEMENT_CONCAT_16, 4, (reference >> 8) & 0xff, reference & 0xff, total, part]);
}

export interface UserData {
  /** The header's octets without the length octet; empty when there is none. */
  readonly header: Buffer;
  /** What follows the header. */
  readonly body: Buffer;
  /** Absent when the header has no usable concatenation element. */
  readonly concat?: ConcatPart;
  /** The national language tables that the body is written in. */
  readonly shift: ShiftTables;
}

/** User data without a header. */
export const withoutHeader = (body: Buffer): UserData => ({ header: Buffer.alloc(0), body, shift: {} });

/**
 * Splits user data whose UDHI bit is set into header and body. A header that claims more octets than there are is no header:
 * everything is body then, which shows odd characters instead of losing text.
 */
export function parseUserData(data: Buffer): UserData {
  const headerOctets = data[0];
  if (headerOctets === undefined || headerOctets + 1 > data.length) return withoutHeader(data);
  const header = data.subarray(1, 1 + headerOctets);
  return { header, body: data.subarray(1 + headerOctets), ...readElements(header) };
}

/** Whether octets whose UDHI bit is not set begin with a concatenation header all the same: no text of a receipt begins like that. */
export function hasHiddenHeader(data: Buffer): boolean {
  const { header, concat } = parseUserData(data);
  if (concat === undefined) return false;
  let offset = 0;
  while (offset + 2 <= header.length) offset += 2 + header.readUInt8(offset + 1);
  return offset === header.length;
}

/** Elements are (id, length, value). Of one kind the last that makes sense wins (23.040, 9.2.3.24). */
function readElements(header: Buffer): Pick<UserData, "concat" | "shift"> {
  let concat: ConcatPart | undefined;
  let shift: ShiftTables = {};
  let offset = 0;
  while (offset + 2 <= header.length) {
    const id = header.readUInt8(offset);
    const value = header.subarray(offset + 2, offset + 2 + header.readUInt8(offset + 1));
    if (id === ELEMENT_CONCAT_8 && value.length === 3) {
      concat = validPart(value.readUInt8(0), value.readUInt8(1), value.readUInt8(2), 8) ?? concat;
    } else if (id === ELEMENT_CONCAT_16 && value.length === 4) {
      concat = validPart(value.readUInt16BE(0), value.readUInt8(2), value.readUInt8(3), 16) ?? concat;
    } else if (id === ELEMENT_SINGLE_SHIFT && value.length === 1) shift = { ...shift, single: value.readUInt8(0) };
    else if (id === ELEMENT_LOCKING_SHIFT && value.length === 1) shift = { ...shift, locking: value.readUInt8(0) };
    offset += 2 + header.readUInt8(offset + 1);
  }
  return concat === undefined ? { shift } : { concat, shift };
}

export function sarTlvs({ reference, total, part }: ConcatPart): Tlv[] {
  return [
    tlvU16(TAG.sar_msg_ref_num, reference),
    tlvU8(TAG.sar_total_segments, total),
    tlvU8(TAG.sar_segment_seqnum, part),
  ];
}

/** Undefined unless all three parameters are there and make sense. */
export function parseSar(tlvs: readonly Tlv[]): ConcatPart | undefined {
  if (findTlv(tlvs, TAG.sar_msg_ref_num) === undefined) return undefined;
  const reference = readTlvInteger(tlvs, TAG.sar_msg_ref_num);
  const total = readTlvInteger(tlvs, TAG.sar_total_segments);
  const part = readTlvInteger(tlvs, TAG.sar_segment_seqnum);
  if (reference === undefined || total === undefined || part === undefined) return undefined;
  return validPart(reference, total, part, 16);
}

/** Part 0 or beyond the total: the element is to be ignored (23.040, 9.2.3.24.1). */
function validPart(reference: number, total: number, part: number, referenceBits: 8 | 16): ConcatPart | undefined {
  return total === 0 || part === 0 || part > total ? undefined : { reference, total, part, referenceBits };
}
