import { type Fields, membersIn } from "../../../vendor-text/fields.ts";

/** Vouchers' codes, and what stands where one should be and is none that we know. */
export interface ReadVouchers {
  readonly vouchers: readonly string[];
  readonly unread: readonly string[];
}

/** `SHMVHXQ9L3RXGPU`; other vouchers may be longer, shorter or in groups. */
const FORM = /^(?=.*\d)[A-Z0-9]+(?:[- ][A-Z0-9]+)*$/i;
const CHARACTERS_MIN = 8;
const CHARACTERS_MAX = 40;
const LABEL = /^(?:voucher|code|pin|token)(?: code)?\s*[:=]\s*/i;
const NAMES: ReadonlySet<string> = new Set(["purchased_code", "Voucher", "voucher", "extras"]);

/**
 * The vouchers of an answer: in `purchased_code`, in the list `Voucher`, and in a requery's `extras`, the same one in each. Source: the
 * vendor's page showmax-subscription-api.
 */
export function readVouchers(body: Fields): ReadVouchers {
  const texts = membersIn(body)
    .filter(({ name }) => NAMES.has(name))
    .map(({ text }) => text.replace(LABEL, "").trim());
  const distinct = [...new Set(texts)];
  return { vouchers: distinct.filter(isVoucher), unread: distinct.filter((text) => !isVoucher(text)) };
}

const isVoucher = (text: string): boolean =>
  text.length >= CHARACTERS_MIN && text.length <= CHARACTERS_MAX && FORM.test(text);
