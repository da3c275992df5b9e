/**
 * Whether text under this data_coding is packed into septets on air, so that a message of 140 octets holds 160 of them: the SMSC's
 * default alphabet, IA5, and what says "GSM 7 bit" in one of the groups. All else is octets: 140 of Latin-1, 70 code units of UCS-2.
 * Source: SMPP 3.4, section 5.2.19; 3GPP TS 23.038, clause 4.
 */
export const isSeptets = (dataCoding: number): boolean =>
  dataCoding <= 0x01 ||
  // General coding with a message class.
  (dataCoding & 0xfc) === 0x10 ||
  // Message waiting, in the default alphabet.
  (dataCoding & 0xe0) === 0xc0 ||
  // Data coding and message class, bit 2 not set.
  (dataCoding & 0xf4) === 0xf0;
