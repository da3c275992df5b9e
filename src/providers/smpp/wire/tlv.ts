/**
 * Optional parameters (tag, length, value). Values stay raw octets until somebody asks: most are never looked at.
 * Every read is bounded by the parameter's own length; a peer that forgets a NUL must not leak the next parameter in.
 * Source: SMPP 3.4, section 5.3.
 */
export interface Tlv {
  readonly tag: number;
  readonly value: Buffer;
}

/** The tags that Afara reads or writes. Source: SMPP 3.4, section 5.3.2, table 5-7. */
export const TAG = {
  user_message_reference: 0x0204,
  sar_msg_ref_num: 0x020c,
  sar_total_segments: 0x020e,
  sar_segment_seqnum: 0x020f,
  sc_interface_version: 0x0210,
  additional_status_info_text: 0x001d,
  receipted_message_id: 0x001e,
  network_error_code: 0x0423,
  message_payload: 0x0424,
  message_state: 0x0427,
  /**
   * Private (0x1400–0x3FFF is the vendors' own range): `order id/attempt/piece` in ASCII. Sent to the simulator only, which
   * logs it before it answers, so that "at most once" can be proven from the far end.
   */
  afara_trace: 0x1400,
} as const;

export const tlvU8 = (tag: number, value: number): Tlv => ({ tag, value: Buffer.from([value & 0xff]) });

export const tlvU16 = (tag: number, value: number): Tlv => ({
  tag,
  value: Buffer.from([(value >> 8) & 0xff, value & 0xff]),
});

/** NUL-terminated, as receipted_message_id and the other C-octet strings are. */
export const tlvCString = (tag: number, text: string): Tlv => ({ tag, value: Buffer.from(`${text}\0`, "latin1") });

export const tlvOctets = (tag: number, value: Buffer): Tlv => ({ tag, value });

/** The value of the first parameter with that tag. */
export function findTlv(tlvs: readonly Tlv[], tag: number): Buffer | undefined {
  for (const tlv of tlvs) if (tlv.tag === tag) return tlv.value;
  return undefined;
}

/** A big-endian integer of 1, 2 or 4 octets: senders do not agree on the width. Undefined when absent or of another length. */
export function readTlvInteger(tlvs: readonly Tlv[], tag: number): number | undefined {
  const value = findTlv(tlvs, tag);
  if (value === undefined) return undefined;
  switch (value.length) {
    case 1:
      return value[0];
    case 2:
      return value.readUInt16BE(0);
    case 4:
      return value.readUInt32BE(0);
    default:
      return undefined;
  }
}

/** Text up to the first NUL or to the end of the parameter, whichever comes first. */
export function readTlvCString(tlvs: readonly Tlv[], tag: number): string | undefined {
  const value = findTlv(tlvs, tag);
  if (value === undefined) return undefined;
  const end = value.indexOf(0);
  return value.toString("latin1", 0, end === -1 ? value.length : end);
}
