const CHARACTERS_MIN = 8;
const CHARACTERS_MAX = 40;

/** Letters and digits, both of them; in groups of three or more where it is in groups. */
const FORM = /^(?=.*[a-z])(?=.*\d)[a-z0-9]{3,}(?:[ -][a-z0-9]{3,})*$/i;

/** `Showmax Voucher: `, `Voucher code `. */
const LABEL = /^(?:[a-z]+ )*?(?:voucher|code|pin|token)(?: (?:code|pin|number))?(?:\s*[:=]\s*|\s+)/i;

/** A voucher's code (`SHMVHXQ9L3RXGPU`) as it is printed, without the words before it; undefined for what is none. */
export function readVoucher(text: string): string | undefined {
  const code = text.trim().replace(LABEL, "").trim();
  const isOne = code.length >= CHARACTERS_MIN && code.length <= CHARACTERS_MAX && FORM.test(code);
  return isOne ? code : undefined;
}

/** Equal for spellings of one voucher. */
export const voucherKey = (code: string): string => code.replaceAll(/[ -]/g, "").toUpperCase();
