/**
 * National language tables of the GSM 7 bit alphabet, which a user data header may choose. Only those whose languages are written
 * in Latin letters; in the others (Bengali to Urdu) digits and small letters stand where the default alphabet has them.
 * Source: 3GPP TS 23.038, annex A; language identifiers in clause 6.2.1.2.4.
 */

/** Language identifiers of a header: which tables its text was written with. */
export interface ShiftTables {
  /** Replaces the extension table. */
  readonly single?: number;
  /** Replaces the default alphabet. */
  readonly locking?: number;
}

const TURKISH = 1;
const SPANISH = 2;
const PORTUGUESE = 3;

/** By language: what its single shift table has besides the default extension table, by code. Clauses A.2.1 to A.2.3. */
export const SINGLE_SHIFT: ReadonlyMap<number, ReadonlyMap<number, string>> = new Map([
  [TURKISH, codes("47Ğ 49İ 53Ş 63ç 67ğ 69ı 73ş")],
  [SPANISH, codes("09ç 41Á 49Í 4fÓ 55Ú 61á 69í 6fó 75ú")],
  [
    PORTUGUESE,
    codes(
      "05ê 09ç 0bÔ 0cô 0eÁ 0fá 12Φ 13Γ 15Ω 16Π 17Ψ 18Σ 19Θ 1fÊ 41À 49Í 4fÓ 55Ú 5bÃ 5cÕ 61Â 69í 6fó 75ú 7bã 7cõ 7fâ",
    ),
  ],
]);

/** By language: where its locking shift table differs from the default alphabet, by code. Clauses A.3.1 and A.3.3. */
export const LOCKING_SHIFT: ReadonlyMap<number, ReadonlyMap<number, string>> = new Map([
  [TURKISH, codes("04€ 07ı 0bĞ 0cğ 1cŞ 1dş 40İ 60ç")],
  [
    PORTUGUESE,
    codes(
      "04ê 06ú 07í 08ó 09ç 0bÔ 0cô 0eÁ 0fá 12ª 13Ç 14À 15∞ 16^ 17\\ 18€ 19Ó 1a| 1cÂ 1dâ 1eÊ 24º 40Í 5bÃ 5cÕ 5dÚ 60~ 7bã 7cõ 7d`",
    ),
  ],
]);

/** `47Ğ`: the code in hexadecimal, then its character. */
function codes(list: string): ReadonlyMap<number, string> {
  return new Map(list.split(" ").map((entry) => [Number.parseInt(entry.slice(0, 2), 16), entry.slice(2)]));
}
