/**
 * What `data_coding` says of the octets of a text. SMPP 3.4 has a table of its own for 0x00 to 0x0E; above it an SMSC puts what
 * the network said: the coding groups of 3GPP TS 23.038, with their message classes and waiting indications.
 * Source: SMPP 3.4, section 5.2.19; 3GPP TS 23.038, section 4.
 */
export type Charset =
  /** The SMSC's default alphabet. */
  | "default"
  | "ucs2"
  /** Every octet as the character of Latin-1: that is what it is, or nobody knows what it is and this loses nothing. */
  | "latin1"
  | "jis"
  | "iso-8859-5"
  | "iso-8859-8"
  | "euc-jp"
  | "euc-kr";

const SMPP_TABLE: Readonly<Record<number, Charset>> = {
  0: "default",
  1: "latin1", // IA5: ASCII
  2: "latin1", // octets
  3: "latin1",
  4: "latin1", // octets
  5: "jis", // X 0208
  6: "iso-8859-5", // Cyrillic
  7: "iso-8859-8", // Hebrew
  8: "ucs2",
  9: "latin1", // pictograms, of which there is no table
  10: "jis", // ISO-2022-JP
  13: "euc-jp", // extended kanji, X 0212
  14: "euc-kr", // KS C 5601
};

const COMPRESSED = 0x20;
const GROUP_OF_ALPHABET: readonly Charset[] = ["default", "latin1", "ucs2", "default"];
const EIGHT_BIT = 0x04;

/** Reserved values are read as the default alphabet, as 23.038 asks for. */
export function charsetOf(dataCoding: number): Charset {
  const listed = SMPP_TABLE[dataCoding];
  if (listed !== undefined) return listed;
  switch (dataCoding >> 4) {
    case 0b0000:
    case 0b0001:
    case 0b0010:
    case 0b0011: // general
    case 0b0100:
    case 0b0101:
    case 0b0110:
    case 0b0111: // the same, marked for automatic deletion
      if ((dataCoding & COMPRESSED) !== 0) return "latin1";
      return GROUP_OF_ALPHABET[(dataCoding >> 2) & 0b11] ?? "default";
    case 0b1110: // message waiting, stored
      return "ucs2";
    case 0b1111: // message class
      return (dataCoding & EIGHT_BIT) === 0 ? "default" : "latin1";
    default: // 10xx reserved; 1100, 1101 message waiting
      return "default";
  }
}

/** ASCII to SMPP, septets on air like the default alphabet. */
const IA5 = 0x01;

/**
 * Whether text under this data_coding is packed into septets on air, so that a message of 140 octets holds 160 of them: the default
 * alphabet wherever it is named, and IA5. All else is octets: 140 of Latin-1, 70 code units of UCS-2.
 */
export const isSeptets = (dataCoding: number): boolean => dataCoding === IA5 || charsetOf(dataCoding) === "default";
