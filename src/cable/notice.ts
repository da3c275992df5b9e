import type { TokenParcel } from "../ports/purchase.ts";
import { type NoticeWords, nairaForSms } from "../purchases/notice-text.ts";
import { amountOf } from "../purchases/purchase.ts";
import { ABILITIES } from "./cable.ts";
import { storedCable } from "./stored.ts";
import { VOUCHERS } from "./token-form.ts";

/** A voucher stands in it; a card's bouquet is said to be paid, as only the decoder knows when its channels show. */
export const cableNotice: NoticeWords = (order, tokens) => {
  const stored = storedCable(order);
  const { name } = ABILITIES[stored.tv_provider];
  const paid = `Paid: ${nairaForSms(amountOf(order))}.`;
  if (tokens.length > 0) {
    const plan = stored.kind === "change" ? ` ${stored.plan.name}` : "";
    const told = (write: (token: string) => string) => `${name}${plan}: ${vouchersIn(tokens, write)} ${paid}`;
    return { text: told(VOUCHERS.written), shownAs: told(VOUCHERS.masked) };
  }
  const what = stored.kind === "renew" ? "Your subscription was renewed" : `Paid for ${stored.plan.name}`;
  return { text: `${name}, smartcard ${order.recipient}. ${what}. ${paid} Keep your decoder on.` };
};

const vouchersIn = (tokens: readonly TokenParcel[], write: (token: string) => string): string =>
  `your ${tokens.length === 1 ? "voucher is" : "vouchers are"} ${tokens.map(({ value }) => write(value)).join(", ")}.`;
