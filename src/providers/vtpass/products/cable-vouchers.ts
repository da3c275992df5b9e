import { readVoucher, voucherKey } from "../../../ports/voucher.ts";
import { type Fields, membersIn } from "../../../vendor-text/fields.ts";

/** Vouchers' codes, and what stands where one should be and is none that we know. */
export interface ReadVouchers {
  readonly vouchers: readonly string[];
  readonly unread: readonly string[];
}

const NAMES: ReadonlySet<string> = new Set(["purchased_code", "Voucher", "voucher", "extras"]);

/**
 * The vouchers of an answer: in `purchased_code`, in the list `Voucher`, and in a requery's `extras`, the same one in each. The
 * purchase's own phones (MSISDNs) are none, in any spelling. Source: the vendor's page showmax-subscription-api.
 */
export function readVouchers(body: Fields, phones: readonly string[]): ReadVouchers {
  const vouchers = new Map<string, string>();
  const unread = new Set<string>();
  for (const { name, text } of membersIn(body)) {
    if (!NAMES.has(name) || phones.some((phone) => isPhone(text, phone))) continue;
    const voucher = readVoucher(text);
    if (voucher === undefined) unread.add(text.trim());
    else if (!vouchers.has(voucherKey(voucher))) vouchers.set(voucherKey(voucher), voucher);
  }
  return { vouchers: [...vouchers.values()], unread: [...unread] };
}

/** With or without the country, the trunk 0, spaces or words around it. */
const isPhone = (text: string, msisdn: string): boolean => text.replaceAll(/\D/g, "").endsWith(msisdn.slice(-10));
