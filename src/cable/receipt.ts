import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import type { Order } from "../orders/order.ts";
import type { ReceiptView, ServiceReceipts } from "../purchases/receipt.replies.ts";
import { line, type ReceiptLine } from "../purchases/receipt.ts";
import { tokensView } from "../purchases/tokens.ts";
import { ABILITIES } from "./cable.ts";
import { CABLE_LINE } from "./product-line.ts";
import { storedCable } from "./stored.ts";
import { VOUCHERS } from "./token-form.ts";

type Own = ReturnType<typeof own>;

/** What a receipt of cable TV has of its own. */
function own(order: Order, { seal, mayVend }: ReceiptView) {
  const stored = storedCable(order);
  const { tv_provider: code, kind, customer, phone } = stored;
  const tokens = tokensView(seal.open(order), VOUCHERS, mayVend);
  return {
    provider: { code, name: ABILITIES[code].name },
    kind,
    ...(stored.kind === "change" && { plan: { plan_id: stored.plan.id, name: stored.plan.name } }),
    ...(ABILITIES[code].hasCards && { smartcard_number: order.recipient }),
    customer: { ...customer, phone: formatE164(storedMsisdn(phone)) },
    ...(tokens.length > 0 && { tokens }),
  };
}

/** What receipts of cable TV say. */
export const CABLE_RECEIPTS: ServiceReceipts<Own> = {
  line: CABLE_LINE,
  own,
  lines: ({ provider, kind, plan, customer, tokens = [], ...receipt }) => ({
    title: "Cable TV receipt",
    subtitle: provider.name,
    tokens: tokens.map(({ value }): ReceiptLine => ["Voucher", value]),
    subject: [
      ...line("Customer", "name" in customer ? customer.name : undefined),
      ...line("Phone", customer.phone),
      ...line("Smartcard", receipt.smartcard_number),
      ...line("Bouquet", plan?.name),
      ...line("Kind", kind === "renew" ? "Renewal" : undefined),
    ],
    what: "the TV subscription",
    unreal: tokens.length > 0 ? "the voucher is not valid" : "no real smartcard was paid for",
  }),
};
